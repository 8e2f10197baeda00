/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "engines/engine.h"

/* As EngineRow.health. */
int podman_health(const char *binary, const char *cgroup, const char *container, uint64_t deadline_usec,
                  HealthReport *ret);

/* As EngineRow.health_check. */
int podman_health_check(const char *binary, const char *container, uint64_t deadline_usec);

/* What podman keeps of the last check of the container that the unit with this control group runs, read
 * without podman. -ENODATA: there is nothing of the kind, or it is not what was expected: ask podman. */
int podman_health_kept(const char *cgroup, const char *container, HealthReport *ret);
