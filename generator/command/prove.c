/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "generator/base/str.h"
#include "generator/command/output.h"
#include "generator/command/run.h"
#include "generator/command/session.h"
#include "generator/facts/handles.h"

/* One proof by hand: the very command line that the plan gives to systemd, so that there is one place where
 * proofs get their arguments. It writes the record as well: what it finds counts. */

static ProofKind kind_of(const char *name) {
        for (ProofKind k = 0; k < _PROOF_KIND_MAX; k++)
                if (str_equal(name, proof_kind_name(k)))
                        return k;
        return _PROOF_KIND_MAX;
}

static const Proof *find_proof(const Stack *m, ProofKind kind, const char *subject) {
        for (size_t i = 0; i < m->n_proofs; i++)
                if (m->proofs[i].kind == kind && (!subject || str_equal(m->proofs[i].subject, subject)))
                        return m->proofs + i;
        return NULL;
}

static int fail_no_proof(Session *s, const Stack *m, const char *kind, const char *subject) {
        const char *have = NULL;

        for (size_t i = 0; i < m->n_proofs; i++)
                if (str_equal(proof_kind_name(m->proofs[i].kind), kind))
                        have = have ? arena_printf(s->arena, "%s, %s", have, m->proofs[i].subject)
                                    : m->proofs[i].subject;
        return command_fail(s, STATUS_BAD_INPUT, "no-proof", "the stack '%s' has no %s proof%s%s%s%s",
                            m->name, kind, subject ? " of " : "", subject ? subject : "",
                            have ? "; it has one of: " : "", have ? have : "");
}

static const char **command_line(Session *s, const PlanProof *found) {
        const char **words = arena_new_array(s->arena, const char *, found->n + 2);

        memcpy(words, found->words, found->n * sizeof(*words));
        words[found->n] = s->json ? "--json" : NULL;
        return words;
}

int command_prove(Session *s, int argc, char **argv) {
        const char *subject = argc > 2 ? argv[2] : NULL;
        const ProofKind kind = kind_of(argv[0]);
        Compiled *c = arena_new_object(s->arena, Compiled);
        const PlanProof *found;
        const Proof *p;
        int r;

        if (kind == _PROOF_KIND_MAX)
                return command_fail(s, STATUS_BAD_INPUT, "usage",
                                    "there is no proof '%s'; the kinds are engine, health, "
                                    "killswitch, egress, binding, dns and hardlink",
                                    argv[0]);
        if (!subject && kind != PROOF_ENGINE)
                return command_fail(s, STATUS_BAD_INPUT, "usage",
                                    "say of which service: unitproof prove %s %s SERVICE", argv[0], argv[1]);
        r = session_compile_quietly(s, argv[1], c);
        if (r != STATUS_GOOD)
                return r;
        p = find_proof(c->model, kind, subject);
        if (!p)
                return fail_no_proof(s, c->model, argv[0], subject);
        if (p->off)
                return command_fail(s, STATUS_BAD_INPUT, "proof-off",
                                    "the %s proof of %s is switched off at %s", argv[0], p->subject,
                                    diag_position(&c->diag, s->arena, p->off_span));

        found = plan_find_proof(c->plan, p);
        if (!found)
                return command_fail(s, STATUS_FAILED, "no-proof", "no unit of the plan runs this proof");
        return run_replace_path(s, found->words[0], command_line(s, found));
}
