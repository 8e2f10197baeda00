/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "generator/base/str.h"
#include "generator/model/stack.h"

/* What another stack of the host says about one of its containers: which unit runs it, and whether it is in a
 * pod. Only the resolved model is looked at, so that a stack can be asked which cannot be built. */

typedef struct Other {
        Arena *arena;
        const char *stack, *project;
        const Node *services;
} Other;

/* The name that a service's container has, if that is the one meant; Compose's own name for it is meant, too.
 */
static const char *runs_as(const Other *o, const NodePair *service, const char *container) {
        const char *own = node_get_text(service->value, "container_name"), *key = service->key->text;

        if (own)
                return str_equal(own, container) ? own : NULL;
        if (str_equal(container, arena_printf(o->arena, "%s-%s", o->stack, key)) ||
            str_equal(container, arena_printf(o->arena, "%s-%s-1", o->project, key)) ||
            str_equal(container, arena_printf(o->arena, "%s_%s_1", o->project, key)))
                return arena_printf(o->arena, "%s-%s", o->stack, key);
        return NULL;
}

static const NodePair *find_container(const Other *o, const char *container, const char **ret_name) {
        for (size_t i = 0; i < o->services->n; i++) {
                const char *name = runs_as(o, o->services->pairs + i, container);

                if (!name)
                        continue;
                *ret_name = name;
                return o->services->pairs + i;
        }
        return NULL;
}

/* The service of the same stack whose network it joins, or NULL. */
static const NodePair *joined_by(const Other *o, const NodePair *service) {
        const char *mode = node_get_text(service->value, "network_mode"), *name;

        if (mode && str_has_prefix(mode, "service:"))
                return node_get_pair(o->services, mode + strlen("service:"));
        if (mode && str_has_prefix(mode, "container:"))
                return find_container(o, mode + strlen("container:"), &name);
        return NULL;
}

static bool has_network(const NodePair *service) {
        const char *mode = node_get_text(service->value, "network_mode");

        return !mode || !mode[0] || str_equal(mode, "bridge") || str_equal(mode, "default");
}

static bool is_in_pod(const Other *o, const NodePair *service) {
        const NodePair *end = service;

        for (size_t steps = 0; steps < o->services->n && joined_by(o, end); steps++)
                end = joined_by(o, end);
        if (!has_network(end))
                return false;
        for (size_t i = 0; end == service && i < o->services->n; i++)
                if (joined_by(o, o->services->pairs + i) == service)
                        return true;
        return end != service;
}

const char *stack_unit_of_container(Arena *a, const Node *model, const char *stack_name,
                                    const char **container, bool *ret_in_pod) {
        const Other o = {
                .arena = a,
                .stack = stack_name,
                .project = node_get_text(model, "name") ?: stack_name,
                .services = node_get(model, "services"),
        };
        const NodePair *service = NULL;
        const char *name;

        if (o.services && o.services->kind == NODE_MAPPING)
                service = find_container(&o, *container, &name);
        if (!service)
                return NULL;
        *container = name;
        *ret_in_pod = is_in_pod(&o, service);
        return arena_printf(a, "%s-%s.service", stack_name, service->key->text);
}
