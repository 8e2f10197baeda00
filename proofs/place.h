/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Taking the place of a process of a service: its mount and user namespace, its root directory, its user,
 * groups, effective capabilities and umask. For children only: there is no way back from the namespaces. */

#include "proofs/process.h"

typedef struct Place {
        ProcessStatus status; /* of the process, with IDs as they are called in its user namespace */
        uint64_t own_capabilities;
        int self_fd; /* /proc/self/fd of where we came from */
} Place;

#define PLACE_NONE ((Place){ .self_fd = -1 })

/* Namespaces, root directory and umask. */
int place_enter(const Process *process, Place *ret);

/* What the kernel checks file access with, and what a new socket belongs to; and back again. */
int place_wear(const Place *place);
void place_shed(const Place *place);
