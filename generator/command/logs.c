/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "generator/base/str.h"
#include "generator/command/run.h"
#include "generator/command/session.h"

/* journalctl for the units of a stack. They are named one by one: a pattern like "media-*" would take in the
 * stack "media-tv". */

typedef struct Words {
        Arena *arena;
        const char **items;
        size_t n, capacity;
} Words;

static void add(Words *w, const char *word) {
        w->items = arena_grow(w->arena, w->items, sizeof(*w->items), &w->capacity, w->n + 2);
        w->items[w->n++] = word;
        w->items[w->n] = NULL;
}

static void add_unit(Words *w, const char *unit) {
        add(w, "-u");
        add(w, unit);
}

static bool is_unit(const char *path) {
        return !strchr(path, '/') && (str_has_suffix(path, ".service") || str_has_suffix(path, ".target"));
}

static void add_units(Words *w, const Compiled *c, const Service *only) {
        for (size_t i = 0; i < c->plan->n_expected && !only; i++)
                add_unit(w, c->plan->expected[i].unit);
        for (size_t i = 0; i < c->plan->n_items && !only; i++)
                if (is_unit(c->plan->items[i].path))
                        add_unit(w, c->plan->items[i].path);
        if (!only)
                return;
        add_unit(w, only->unit);
        for (size_t i = 0; i < c->model->n_proofs; i++) {
                const Proof *p = c->model->proofs + i;

                if (p->service == only && proof_kind_is_pre_start(p->kind) && !p->off)
                        add_unit(w, proof_unit_name(w->arena, c->model, p));
        }
}

int command_logs(Session *s, int argc, char **argv) {
        Compiled *c = arena_new_object(s->arena, Compiled);
        Words w = { .arena = s->arena };
        const Service *only = NULL;
        int r;

        r = session_compile_quietly(s, argv[0], c);
        if (r != STATUS_GOOD)
                return r;
        if (argc > 1) {
                only = stack_find(c->model, argv[1]);
                if (!only)
                        return command_fail(s, STATUS_BAD_INPUT, "no-service",
                                            "the stack '%s' has no service '%s'", c->stack, argv[1]);
        }

        add(&w, "journalctl");
        if (s->json) {
                add(&w, "-o");
                add(&w, "json");
        }
        if (s->options.given[OPTION_FOLLOW])
                add(&w, "--follow");
        if (s->options.given[OPTION_LINES])
                add(&w, arena_printf(s->arena, "--lines=%s", s->options.text[OPTION_LINES]));
        add_units(&w, c, only);
        return run_replace(s, "journalctl", w.items);
}
