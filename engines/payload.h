/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Which processes are the service that a unit runs. Read from the unit's control group, because that is where
 * they are, whatever an engine remembers. */

#include "engines/engine.h"

enum {
        PAYLOAD_PIDS_MAX = 65536,
        PAYLOAD_DEPTH_MAX = 16, /* containers may nest groups of their own */
};

typedef struct PidSet {
        pid_t *pids; /* ascending, no duplicates, owned */
        size_t n;
} PidSet;

/* cgroup: absolute directory of the unit's group. An empty set is no error. -E2BIG: too many or too deep. */
int payload_list(const EngineRow *row, const char *cgroup, PidSet *ret);
void payload_done(PidSet *set);
bool payload_contains(const PidSet *set, pid_t pid);
