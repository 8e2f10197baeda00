/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

#include "generator/base/arena.h"

/* Names of images, by the grammar of the distribution project (reference/regexp.go). */

/* Whether a registry can be asked for it. */
bool image_is_reference(const char *image);
/* Whether Podman asks none: "docker-archive:/path". */
bool image_has_transport(const char *image);
/* "app" is docker.io/library/app. */
const char *image_qualify(Arena *a, const char *image);
