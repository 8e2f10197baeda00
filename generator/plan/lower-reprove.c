/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/plan/lower.h"

/* What runs is proved anew from time to time: a leak may begin later (decision 0014). One service and one
 * timer a stack, so that a host with many clients is not asked by all of them at once. */

enum {
        PATIENCE_SEC = 30, /* of a proof that says nothing else */
        MARGIN_SEC = 30,
        SPREAD_PART = 10, /* of the interval */
};

static bool is_repeated(const Proof *p) {
        return !p->off && p->service && !p->service->completes && proof_kind_is_repeatable(p->kind);
}

bool lower_is_reproved(const Lower *l, const Service *s) {
        if (l->stack->reprove_sec == 0)
                return false;
        for (const Proof *p = l->first_proof[lower_index(l, s)]; p; p = l->next_proof[p - l->stack->proofs])
                if (is_repeated(p))
                        return true;
        return false;
}

const char *lower_reprove_timer(Lower *l) {
        return arena_printf(l->arena, "%s-reprove.timer", l->stack->name);
}

static void write_timer(Lower *l) {
        const Stack *st = l->stack;
        const TemplateValue values[] = {
                { TOKEN_NOTE,
                  arena_printf(l->arena, "When what runs of stack '%s' is proved anew", st->name) },
                { TOKEN_DESCRIPTION, arena_printf(l->arena, "%s: proofs of what runs", st->name) },
                { TOKEN_SOURCE, st->source },
                { TOKEN_TARGET, l->target },
                { TOKEN_INTERVAL, arena_printf(l->arena, "%u", st->reprove_sec) },
                { TOKEN_SPREAD, arena_printf(l->arena, "%u", st->reprove_sec / SPREAD_PART) },
        };

        lower_unit(l, lower_reprove_timer(l), st->model->span,
                   template_fill(l->arena, l->diag, st->model->span, &template_reprove_timer, values,
                                 ELEMENTS(values)));
}

unsigned lower_write_again(Lower *l, const Proof *p, UnitWriter *w) {
        const Proof *awaited = p->kind == PROOF_EGRESS ? lower_find_proof(l, PROOF_KILLSWITCH, p->of) : NULL;
        Words words = { 0 };

        lower_prove_words(l, p, p->timeout_sec, &words);
        words_add(l->arena, &words, "--again");
        words_add(l->arena, &words, p->service->unit);
        w->span = p->span;
        unit_words(w, "ExecStart", ESCAPE_ARGV, words.items, words.n);
        return (p->timeout_sec ?: PATIENCE_SEC) + (awaited ? lower_patience(awaited) : 0) + MARGIN_SEC;
}

/* Leaks first: that is the order of the kinds. */
void lower_reprove(Lower *l) {
        const Stack *st = l->stack;
        UnitWriter lines = unit_writer(l->arena, l->diag), unit = unit_writer(l->arena, l->diag);
        unsigned timeout = MARGIN_SEC, n = 0;
        bool has_halt = false;
        Deps deps = { 0 };

        for (size_t i = 0; i < st->n_proofs && st->reprove_sec > 0; i++) {
                const Proof *p = st->proofs + i;

                if (!is_repeated(p))
                        continue;
                timeout += lower_write_again(l, p, &lines);
                has_halt |= p->service->tunnel != NULL;
                n++;
        }
        if (n == 0)
                return;
        if (has_halt)
                deps_add(l->arena, &deps, DEP_ON_FAILURE,
                         arena_printf(l->arena, "%s-halt.service", st->name));
        deps_write(&deps, &unit);

        const TemplateValue values[] = {
                { TOKEN_NOTE, arena_printf(l->arena, "Proves anew what runs of stack '%s'", st->name) },
                { TOKEN_DESCRIPTION, arena_printf(l->arena, "%s: proofs of what runs", st->name) },
                { TOKEN_SOURCE, st->source },
                { TOKEN_TARGET, l->target },
                { TOKEN_TIMEOUT, arena_printf(l->arena, "%u", timeout) },
                { TOKEN_UNIT_LINES, unit_writer_text(&unit) },
                { TOKEN_SERVICE_LINES, unit_writer_text(&lines) },
        };

        lower_unit(l, arena_printf(l->arena, "%s-reprove.service", st->name), st->model->span,
                   template_fill(l->arena, l->diag, st->model->span, &template_reprove_service, values,
                                 ELEMENTS(values)));
        write_timer(l);
}
