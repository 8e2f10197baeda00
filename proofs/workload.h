/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The processes of a unit that are its service, and the network namespace they share. */

#include "engines/payload.h"
#include "proofs/process.h"
#include "proofs/unit.h"

typedef struct Workload {
        UnitFacts unit;
        PidSet pids;
} Workload;

#define WORKLOAD_NONE ((Workload){ .pids = { .n = 0 } })

/* -ENOENT: the unit is not active; -ESRCH: it has no process of the service. */
int workload_read(const EngineRow *engine, const char *unit, Workload *ret);
void workload_done(Workload *workload);

/* The network namespace of all processes. -ESRCH: they are all gone; -ENOTUNIQ: they do not agree. */
int workload_netns(const Workload *workload, int *ret_fd);
