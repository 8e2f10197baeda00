/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The network namespace of a process that may not be there yet. systemd forks into the unit's control group,
 * and an engine's runtime into the container's, before the child enters its namespaces: for a moment it
 * stands in the host's, with nothing of the service's program run. */

#include <stdint.h>

#include "proofs/process.h"

/* How long systemd may take between fork() and setns(), when it waits for what the unit wants first. */
#define PLACED_WAIT_USEC (2 * USEC_PER_SEC)

/* Opens the namespace that the process has once it runs a program of its own, which is waited for until the
 * deadline; what is read of the process afterwards is of that program. Where network and mounts are the
 * host's (host_fd) a second look is taken. -ESRCH: ended; -EBUSY: not placed until then. */
int placed_netns(const Process *process, int host_fd, uint64_t deadline_usec, int *ret_fd);
