/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "generator/base/str.h"
#include "generator/config/config.h"
#include "generator/plan/plan.h"

/* The other stacks of the host: whose container a service joins that is none of its own stack's, and which
 * names are taken. One that has errors says so itself, when it is compiled. */

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

/* ---- names that are taken ---- */

static void add_name(Neighbours *n, ContainerName *name) {
        if (!map_get(&n->names, name->name))
                map_set(n->arena, &n->names, name->name, name);
}

static void names_of_models(Neighbours *n) {
        if (!n->stacks)
                neighbours_read(n);
        for (size_t i = 0; i < n->n_stacks; i++) {
                ContainerName *names = NULL;
                const size_t n_names =
                        stack_container_names(n->arena, n->stacks[i].model, n->stacks[i].name, &names);

                for (size_t k = 0; k < n_names; k++)
                        add_name(n, names + k);
        }
}

static void names_of_target(Neighbours *n, const char *stack) {
        static const char key[] = "\n" TARGET_CONTAINER_KEY "=";
        const char *path = arena_printf(n->arena, "%s/%s.target", n->dir, stack);
        size_t length;
        char *bytes;

        if (source_read_file(NULL, n->arena, path, &bytes, &length) < 0)
                return;
        for (const char *p = bytes; (p = strstr(p, key));) {
                ContainerName *name = arena_new_object(n->arena, ContainerName);
                const size_t length_of_name = strcspn(p += strlen(key), " \n");
                const char *unit = p + length_of_name + strspn(p + length_of_name, " ");

                *name = (ContainerName){ arena_strndup(n->arena, p, length_of_name),
                                         arena_strndup(n->arena, unit, strcspn(unit, "\n")), stack };
                add_name(n, name);
        }
}

/* At boot the models of all the others would cost each stack a compile of each; the targets of those that
 * come before it are there, and one that did not compile takes no name. */
static void names_of_targets(Neighbours *n) {
        const char **names;
        size_t n_names;

        if (config_list_stacks(n->arena, n->root, &names, &n_names) < 0)
                return;
        for (size_t i = 0; i < n_names && strcmp(names[i], n->own) < 0; i++)
                if (!config_stack_name_problem(names[i]))
                        names_of_target(n, names[i]);
}

const ContainerName *neighbours_find_name(void *neighbours, const char *name) {
        Neighbours *n = neighbours;
        const ContainerName *found;

        if (!n->names_read)
                (n->dir ? names_of_targets : names_of_models)(n);
        n->names_read = true;
        found = map_get(&n->names, name);
        return found && strcmp(found->stack, n->own) < 0 ? found : NULL;
}
