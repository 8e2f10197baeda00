/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/config/config.h"
#include "generator/plan/plan.h"

/* The other stacks of the host, read when a service joins a container that is none of its own stack's. One
 * that has errors says so itself, when it is compiled. */

static void neighbours_read(Neighbours *n) {
        const char **names;
        size_t n_names;

        if (config_list_stacks(n->arena, n->root, &names, &n_names) < 0)
                n_names = 0;
        n->stacks = arena_new_array(n->arena, NeighbourStack, n_names + 1);
        for (size_t i = 0; i < n_names; i++) {
                Sources sources = { .arena = n->arena, .read = n->read, .userdata = n->userdata };
                Diag quiet = { .arena = n->arena, .sources = &sources };
                const CompileInput input = {
                        .stack = names[i],
                        .dir = arena_printf(n->arena, CONFIG_DIR "/%s", names[i]),
                };
                const Node *model = NULL;

                if (!config_stack_name_problem(names[i]))
                        model = compile_model(n->arena, &sources, &quiet, &input);
                if (model)
                        n->stacks[n->n_stacks++] = (NeighbourStack){ .name = names[i], .model = model };
        }
}

const char *neighbours_unit_of_container(void *neighbours, const char **container, bool *ret_in_pod) {
        Neighbours *n = neighbours;

        if (!n->stacks)
                neighbours_read(n);
        for (size_t i = 0; i < n->n_stacks; i++) {
                const NeighbourStack *s = n->stacks + i;
                const char *unit = NULL;

                if (!str_equal(s->name, n->own))
                        unit = stack_unit_of_container(n->arena, s->model, s->name, container, ret_in_pod);
                if (unit)
                        return unit;
        }
        return NULL;
}
