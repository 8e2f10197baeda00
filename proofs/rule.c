/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/rule.h"

#include "proofs/mutate.h"

int rule_conclude(const char *tunnel_unit, GuardState state, ProofResult *result) {
        proof_note(result, "kill_rule",
                   json_string(state == GUARD_THERE ? "there" : guard_state_text(state)));
        if (state == GUARD_THERE)
                return 0;
        (void) proof_conclude(result, VERDICT_FAILED,
                              "Restart the tunnel. If its image removes the rules of others, write "
                              "x-unitproof: {guard: off} on it.",
                              "the kill rule in the network namespace of %s %s", tunnel_unit,
                              guard_state_text(state));
        return 1;
}

int rule_judge(const ProofRequest *request, const char *tunnel_unit, int netns_fd, ProofResult *result) {
        GuardState state = GUARD_GONE;
        int r;

        if (!request->guarded || mutation_is_on("rule-recheck"))
                return 0;
        r = guard_check(netns_fd, request->run_dir, tunnel_unit, &state);
        return r < 0 ? r : rule_conclude(tunnel_unit, state, result);
}
