/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/plan/lower.h"

/* What brings clients back, and what takes the stack down when traffic of one was seen beside its tunnel. */

static void write_gate(Lower *l, const Service *s, UnitWriter *w, const char *key, const char *program,
                       const char *verb, Ground ground) {
        const char *const fixed[] = {
                program,  verb,    "--stack",       l->stack->name,  "--subject", s->name,
                "--unit", s->unit, "--tunnel-unit", s->tunnel->unit, "--target",  l->target,
        };
        Words words = { 0 };

        for (size_t i = 0; i < ELEMENTS(fixed); i++)
                words_add(l->arena, &words, fixed[i]);
        lower_ground_words(l, s, ground, &words);
        unit_words(w, key, ESCAPE_ARGV, words.items, words.n);
}

/* Upholds= on the client would undo an operator's own stop at once. */
static void lower_return(Lower *l, const Service *s) {
        const char *unit = lower_return_unit(l, s);
        UnitWriter w = unit_writer(l->arena, l->diag);

        w.span = s->owner_span;
        write_gate(l, s, &w, "ExecStart", PROGRAM_GATE, "return", GROUND_NEEDS);
        write_gate(l, s, &w, "ExecStopPost", "-" PROGRAM_GATE, "stopped", GROUND_STOPS);

        const TemplateValue values[] = {
                { TOKEN_NOTE,
                  lower_note(l, s->owner_span, "Brings '%s' of stack '%s' back after its tunnel '%s' came up",
                             s->name, l->stack->name, s->tunnel->name) },
                { TOKEN_DESCRIPTION, arena_printf(l->arena, "%s: return of %s", l->stack->name, s->name) },
                { TOKEN_SOURCE, l->stack->source },
                { TOKEN_TARGET, l->target },
                { TOKEN_SUBJECT_UNIT, s->unit },
                { TOKEN_SERVICE_LINES, unit_writer_text(&w) },
        };

        lower_unit(l, unit, s->owner_span,
                   template_fill(l->arena, l->diag, s->owner_span, &template_return_service, values,
                                 ELEMENTS(values)));
}

static void lower_halt(Lower *l) {
        const Stack *st = l->stack;
        const TemplateValue values[] = {
                { TOKEN_NOTE,
                  arena_printf(l->arena, "Stops stack '%s' when a proof has found a leak", st->name) },
                { TOKEN_DESCRIPTION, arena_printf(l->arena, "%s: halt after a leak", st->name) },
                { TOKEN_SOURCE, st->source },
                { TOKEN_TARGET, l->target },
                { TOKEN_STACK_ARG, st->name },
        };

        lower_unit(l, arena_printf(l->arena, "%s-halt.service", st->name), st->model->span,
                   template_fill(l->arena, l->diag, st->model->span, &template_halt_service, values,
                                 ELEMENTS(values)));
}

void lower_returns(Lower *l) {
        bool any = false;

        for (size_t i = 0; i < l->stack->n_services; i++)
                if (l->stack->services[i].tunnel) {
                        lower_return(l, l->stack->services + i);
                        any = true;
                }
        if (any)
                lower_halt(l);
}
