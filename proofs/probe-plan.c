/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/probe-plan.h"

#include "proofs/curl.h"
#include "proofs/handles.h"

bool probe_plan_sources(ProbePlan *plan, const ProofRequest *request, ProofResult *result) {
        const struct {
                const OptionList *list;
                int (*parse)(const char *text, Source *ret);
        } kinds[] = {
                { &request->echo, source_parse_echo },
                { &request->stun, source_parse_stun },
        };

        plan->n_sources = 0;
        if (request->echo.n > 0 && curl_open() < 0) {
                (void) proof_conclude(result, VERDICT_UNPROVEN, "Install libcurl.",
                                      "libcurl cannot be loaded, and nobody else asks echo servers");
                return false;
        }
        for (size_t k = 0; k < ARRAY_LENGTH(kinds); k++)
                for (size_t i = 0; i < kinds[k].list->n; i++)
                        if (kinds[k].parse(kinds[k].list->items[i], &plan->sources[plan->n_sources++]) < 0) {
                                (void) proof_conclude(result, VERDICT_UNPROVEN,
                                                      "Write echo sources as http(s)://HOST[:PORT]/PATH, "
                                                      "STUN as HOST:PORT.",
                                                      "\"%s\" is no echo source", kinds[k].list->items[i]);
                                return false;
                        }
        if (plan->n_sources == 0)
                (void) proof_conclude(result, VERDICT_UNPROVEN,
                                      "Set x-unitproof: echo: in the Compose file, or echo in the [echo] "
                                      "section of unitproof.conf.",
                                      "no echo server is configured, so nothing can tell which address the "
                                      "tunnel has");
        return plan->n_sources > 0;
}

int probe_plan_resolve(ProbePlan *plan, uint64_t timeout_usec) {
        int r;

        r = sources_resolve(plan->sources, plan->n_sources, time_monotonic_usec() + timeout_usec);
        if (r < 0)
                return r;
        plan->n_probes = 0;
        for (size_t i = 0; i < plan->n_sources; i++)
                for (Family f = 0; f < _FAMILY_MAX; f++)
                        if (plan->sources[i].addresses[f].family != AF_UNSPEC)
                                plan->probes[plan->n_probes++] = (Probe){ &plan->sources[i], f };
        return 0;
}

const Source *probe_plan_unresolved(const ProbePlan *plan) {
        for (size_t i = 0; i < plan->n_sources; i++)
                if (!plan->sources[i].resolved)
                        return &plan->sources[i];
        return NULL;
}
