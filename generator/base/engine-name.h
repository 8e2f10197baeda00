/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

/* What engines take for the name of a container, pod, network or volume: [a-zA-Z0-9][a-zA-Z0-9_.-]*
 * (RestrictedNamePattern of Docker, define.NameRegex of Podman). */
bool engine_name_is_valid(const char *name);
