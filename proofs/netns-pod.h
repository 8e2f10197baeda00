/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The network namespace of a pod, found without asking its engine. */

/* Through systemd (main process of the unit), the engine's monitor and its child. -ESRCH: the pod does not
 * run. -EXDEV: it is in the host's namespace, or in the one that this program is in, where nothing is to be
 * changed. */
int pod_netns(const char *unit, const char *engine_name, int *ret_fd);
