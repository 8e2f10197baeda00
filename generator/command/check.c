/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>

#include "generator/command/host-check.h"
#include "generator/command/output.h"
#include "generator/command/session.h"
#include "generator/config/config.h"

static size_t count(const Diag *d, DiagLevel level) {
        size_t n = 0;

        for (size_t i = 0; i < d->n_entries; i++)
                n += d->entries[i].level == level;
        return n;
}

static size_t count_proofs(const Stack *m, bool off) {
        size_t n = 0;

        for (size_t i = 0; i < m->n_proofs; i++)
                n += m->proofs[i].off == off;
        return n;
}

static json_t *stack_json(Session *s, const Compiled *c) {
        json_t *o = json_object();

        json_put(o, "stack", json_text(s, c->stack));
        json_put(o, "good", json_boolean(c->plan != NULL));
        json_put(o, "errors", json_integer((json_int_t) count(&c->diag, DIAG_ERROR)));
        json_put(o, "warnings", json_integer((json_int_t) count(&c->diag, DIAG_WARNING)));
        if (c->plan) {
                json_put(o, "services", json_integer((json_int_t) c->model->n_services));
                json_put(o, "proofs", json_integer((json_int_t) count_proofs(c->model, false)));
                json_put(o, "proofs_off", json_integer((json_int_t) count_proofs(c->model, true)));
        }
        return o;
}

static void print_stack(const Compiled *c) {
        const size_t warnings = count(&c->diag, DIAG_WARNING),
                     off = c->plan ? count_proofs(c->model, true) : 0;

        if (!c->plan) {
                printf("%s: %zu error%s\n", c->stack, count(&c->diag, DIAG_ERROR),
                       count(&c->diag, DIAG_ERROR) == 1 ? "" : "s");
                return;
        }
        printf("%s: good, %zu service%s, %zu proof%s", c->stack, c->model->n_services,
               c->model->n_services == 1 ? "" : "s", count_proofs(c->model, false),
               count_proofs(c->model, false) == 1 ? "" : "s");
        if (off > 0)
                printf(", %zu switched off", off);
        if (warnings > 0)
                printf(", %zu warning%s", warnings, warnings == 1 ? "" : "s");
        printf("\n");
}

static int check_one(Session *s, const char *what, json_t *list) {
        Compiled *c = arena_new_object(s->arena, Compiled);
        int r = session_compile(s, what, LOADED_DIR, c);

        host_check(s, c);
        session_report(s, c);
        if (!c->stack)
                return r;
        if (s->json)
                (void) json_array_append_new(list, stack_json(s, c));
        else
                print_stack(c);
        return r;
}

int command_check(Session *s, int argc, char **argv) {
        json_t *list = json_array();
        int status = session_config_status(s);

        json_put(s->answer, "stacks", list);
        for (int i = 0; i < argc; i++) {
                int r = check_one(s, argv[i], list);

                status = r > status ? r : status;
        }
        if (argc == 0) {
                StackList stacks;
                int r = session_stacks(s, &stacks);

                if (r != STATUS_GOOD)
                        return r;
                r = session_say_strays(s, &stacks);
                status = r > status ? r : status;
                for (size_t i = 0; i < stacks.n; i++) {
                        r = check_one(s, stacks.names[i], list);
                        status = r > status ? r : status;
                }
                if (stacks.n + stacks.n_strays == 0 && !s->json)
                        printf("no stacks in %s" CONFIG_DIR "\n", s->root);
        }
        return status;
}
