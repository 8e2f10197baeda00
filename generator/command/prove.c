/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <string.h>

#include "generator/base/str.h"
#include "generator/command/exec-words.h"
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

static const char *option_value(const char *const *words, const char *option) {
        for (size_t i = 0; words[i]; i++)
                if (str_equal(words[i], option))
                        return words[i + 1];
        return NULL;
}

static bool words_are_of(const char *const *words, size_t n, const Proof *p) {
        const char *program = n > 0 ? strrchr(words[0], '/') : NULL, *subject;

        if (n < 2 || !str_equal(program ? program + 1 : words[0], "unitproof-prove") ||
            !str_equal(words[1], proof_kind_name(p->kind)))
                return false;
        for (size_t i = 2; i < n; i++)
                if (str_equal(words[i], "--disrupt")) /* that is the drill */
                        return false;
        subject = option_value(words, "--subject");
        return p->kind == PROOF_ENGINE || str_equal(subject, p->subject);
}

/* In one file of the plan. 1 if found, 0 if not, or a negative errno. */
static int find_in_text(Arena *a, const char *text, const Proof *p, const char ***ret_words, size_t *ret_n) {
        static const char *const keys[] = { "ExecStart=", "ExecStartPost=", "ExecStartPre=" };

        for (const char *line = text; line && *line;) {
                const char *end = strchr(line, '\n');
                const char *copy = arena_strndup(a, line, end ? (size_t) (end - line) : strlen(line));

                for (size_t i = 0; i < ELEMENTS(keys); i++) {
                        int r;

                        if (!str_has_prefix(copy, keys[i]) || !strstr(copy, "unitproof-prove"))
                                continue;
                        r = exec_words(a, copy + strlen(keys[i]), ret_words, ret_n);
                        if (r < 0)
                                return r;
                        if (words_are_of(*ret_words, *ret_n, p))
                                return 1;
                }
                line = end ? end + 1 : NULL;
        }
        return 0;
}

static int find_words(Arena *a, const Plan *plan, const Proof *p, const char ***ret_words, size_t *ret_n) {
        for (size_t i = 0; i < plan->n_items; i++) {
                const PlanItem *item = plan->items + i;
                int r;

                if (!item->text || item->phase == PLAN_PRIVATE)
                        continue;
                r = find_in_text(a, item->text, p, ret_words, ret_n);
                if (r != 0)
                        return r;
        }
        return 0;
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

static const char **with_json(Session *s, const char **words, size_t n) {
        const char **more = arena_new_array(s->arena, const char *, n + 2);

        memcpy(more, words, n * sizeof(*words));
        more[n] = s->json ? "--json" : NULL;
        return more;
}

int command_prove(Session *s, int argc, char **argv) {
        const char *subject = argc > 2 ? argv[2] : NULL, **words;
        const ProofKind kind = kind_of(argv[0]);
        Compiled *c = arena_new_object(s->arena, Compiled);
        const Proof *p;
        size_t n;
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

        r = find_words(s->arena, c->plan, p, &words, &n);
        if (r <= 0)
                return command_fail(s, STATUS_FAILED, "no-proof", "no unit of the plan runs this proof%s%s",
                                    r < 0 ? ": " : "", r < 0 ? strerror(-r) : "");
        return run_replace_path(s, words[0], with_json(s, words, n));
}
