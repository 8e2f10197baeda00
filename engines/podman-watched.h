/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

/* First process of the container that this conmon watches. -ESRCH: none, or conmon itself is gone; -ENOTSUP:
 * it is no conmon; -EBUSY: more than one. */
int podman_watched(pid_t monitor, pid_t *ret);
