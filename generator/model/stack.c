/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/model/stack.h"

#include <stdlib.h>

#include "generator/model/build.h"

/* The stack: services of the resolved model, and then one step after the other, each in its own file. Steps
 * that follow edges from service to service run only when the edges before them are sound. */

static int compare_services(const void *a, const void *b) {
        return strcmp(((const Service *) a)->name, ((const Service *) b)->name);
}

static int compare_name(const void *name, const void *service) {
        return strcmp(name, ((const Service *) service)->name);
}

Service *stack_find(const Stack *s, const char *service) {
        if (s->n_services == 0)
                return NULL;
        return bsearch(service, s->services, s->n_services, sizeof(Service), compare_name);
}

const char *other_position(const Build *b, Span span) {
        const char *position = diag_position(b->diag, b->arena, span);

        return position[0] ? arena_printf(b->arena, " (%s)", position) : "";
}

Service *service_by_name(Build *b, const char *name, Span span, const char *code, const char *who) {
        Service *found = map_get(&b->by_name, name);
        const char **names;
        const char *near;

        if (found)
                return found;
        if (node_get(node_get(b->stack->model, "services"), name)) {
                diag_error(b->diag, span, code, "%s names the service '%s', which has no replicas", who,
                           name);
                diag_hint(b->diag, "give it one, or do without it here as well");
                return NULL;
        }
        diag_error(b->diag, span, code, "%s names the service '%s', and there is none", who, name);
        names = arena_new_array(b->arena, const char *, b->stack->n_services + 1);
        for (size_t i = 0; i < b->stack->n_services; i++)
                names[i] = b->stack->services[i].name;
        near = str_nearest(name, names, b->stack->n_services);
        if (near)
                diag_hint(b->diag, "did you mean '%s'?", near);
        return NULL;
}

/* `docker compose up` makes no container for it either. */
const Node *service_without_replicas(const Node *service) {
        const Node *counts[] = { node_get(service, "scale"),
                                 node_get(node_get(service, "deploy"), "replicas") };

        for (size_t i = 0; i < ELEMENTS(counts); i++)
                if (node_is_scalar(counts[i]) && str_equal(counts[i]->text, "0"))
                        return counts[i];
        return NULL;
}

static bool services_read(Build *b) {
        const Node *services = node_get(b->stack->model, "services");
        Stack *s = b->stack;

        if (services && services->kind == NODE_MAPPING && services->n == 0) {
                diag_warning(b->diag, services->span, "no-services",
                             "no service of this stack is to be started");
                diag_hint(b->diag, "name one under 'services:', or activate what profiles leave out with "
                                   "'x-unitproof: {profiles: [NAME]}'");
        } else if (!services || services->kind != NODE_MAPPING) {
                diag_error(b->diag, services ? services->span : s->model->span, "no-services",
                           "this stack has no services");
                diag_hint(b->diag, "name them under 'services:'");
                return false;
        }
        s->services = arena_new_array(b->arena, Service, services->n);
        for (size_t i = 0; i < services->n; i++) {
                const NodePair *pair = &services->pairs[i];
                const Node *nothing = service_without_replicas(pair->value);

                if (pair->value->kind != NODE_MAPPING) {
                        diag_error(b->diag, pair->value->span, "wrong-type",
                                   "service '%s' has to be a mapping, not %s", pair->key->text,
                                   node_kind_name(pair->value->kind));
                        continue;
                }
                if (nothing) {
                        diag_note(b->diag, nothing->span, "no-replicas",
                                  "'%s' is left out, since it has no replicas", pair->key->text);
                        continue;
                }
                s->services[s->n_services++] = (Service){
                        .name = pair->key->text,
                        .node = pair->value,
                        .span = pair->key->span,
                };
        }
        qsort(s->services, s->n_services, sizeof(Service), compare_services);
        b->extras = arena_new_array(b->arena, Extra, s->n_services);
        for (size_t i = 0; i < s->n_services; i++) {
                map_set(b->arena, &b->by_name, s->services[i].name, &s->services[i]);
                b->extras[i].role = role_of_service(&s->services[i]);
        }
        return true;
}

Stack *stack_build(Arena *a, Diag *d, const Node *model, const char *stack_name, const char *source_path,
                   const char *project_dir, const Config *config) {
        static void (*const steps[])(Build * b) = {
                options_read, names_assign, owners_resolve, tunnels_infer,
                depends_read, mounts_read,  ports_check,
        };
        Stack *s = arena_new_object(a, Stack);
        Build b = { .arena = a, .diag = d, .stack = s, .config = config };
        size_t n_errors = d->n_errors;

        *s = (Stack){
                .name = stack_name,
                .project = node_get_text(model, "name") ?: stack_name,
                .project_dir = project_dir,
                .source = source_path,
                .model = model,
        };
        if (!services_read(&b))
                return NULL;
        for (size_t i = 0; i < ELEMENTS(steps); i++)
                steps[i](&b);
        if (d->n_errors > n_errors)
                return NULL;
        order_compute(&b);
        if (d->n_errors > n_errors)
                return NULL;
        mount_points_build(&b);
        guards_build(&b);
        proofs_build(&b);
        names_check(&b);
        return d->n_errors > n_errors ? NULL : s;
}
