/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The processes of a unit that are its service, and the network namespace they share. */

#include "engines/payload.h"
#include "proofs/process.h"
#include "proofs/proof.h"
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

/* That the namespace that was looked at is still that of the same activation: 0, -ESTALE, or as above. */
int workload_recheck(const Workload *workload, const EngineRow *engine, int netns_fd);

/* Says of a unit, as unproven, what these errors mean. Other errors are returned. */
int workload_conclude(ProofResult *result, const char *unit, int error);
