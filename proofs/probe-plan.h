/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Whom a proof asks for its address: the operator's echo servers, each by each family that it has. */

#include "proofs/probe.h"
#include "proofs/proof.h"

typedef struct ProbePlan {
        Source sources[2 * SOURCES_MAX];
        size_t n_sources;
        Probe probes[PROBES_MAX];
        size_t n_probes;
} ProbePlan;

/* From the request's echo and STUN servers. False: the result says what is wrong with them, or that there are
 * none. */
bool probe_plan_sources(ProbePlan *plan, const ProofRequest *request, ProofResult *result);

/* Looks names up, and lists the probes anew. Names may become resolvable later. */
int probe_plan_resolve(ProbePlan *plan, uint64_t timeout_usec);

/* The first source whose name could not be resolved, or NULL. */
const Source *probe_plan_unresolved(const ProbePlan *plan);
