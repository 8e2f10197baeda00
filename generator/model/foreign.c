/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "generator/base/str.h"
#include "generator/model/stack.h"

/* What another stack of the host says about its containers: what they are called, which unit runs one, and
 * whether it is in a pod. Only the resolved model is looked at, so that a stack can be asked which cannot be
 * built. */

typedef struct Other {
        Arena *arena;
        const char *stack, *project;
        const Node *services;
} Other;

static const char *container_name(const Other *o, const NodePair *service) {
        return node_get_text(service->value, "container_name")
                       ?: arena_printf(o->arena, "%s-%s", o->stack, service->key->text);
}

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

/* Others of the stack live in its network, which is a pod then. */
static bool owns_pod(const Other *o, const NodePair *service) {
        if (joined_by(o, service) || !has_network(service))
                return false;
        for (size_t i = 0; i < o->services->n; i++)
                if (joined_by(o, o->services->pairs + i) == service)
                        return true;
        return false;
}

static bool is_in_pod(const Other *o, const NodePair *service) {
        const NodePair *end = service;

        for (size_t steps = 0; steps < o->services->n && joined_by(o, end); steps++)
                end = joined_by(o, end);
        return end == service ? owns_pod(o, service) : has_network(end);
}

static bool read_other(Arena *a, const Node *model, const char *stack, Other *ret) {
        *ret = (Other){
                .arena = a,
                .stack = stack,
                .project = node_get_text(model, "name") ?: stack,
                .services = node_get(model, "services"),
        };
        return ret->services && ret->services->kind == NODE_MAPPING;
}

size_t stack_container_names(Arena *a, const Node *model, const char *stack_name, ContainerName **ret) {
        ContainerName *names;
        size_t n = 0;
        Other o;

        if (!read_other(a, model, stack_name, &o))
                return 0;
        names = arena_new_array(a, ContainerName, 2 * o.services->n + 1);
        for (size_t i = 0; i < o.services->n; i++) {
                const NodePair *service = o.services->pairs + i;
                const char *stem = arena_printf(a, "%s-%s", stack_name, service->key->text);

                if (service_without_replicas(service->value))
                        continue;
                names[n++] = (ContainerName){ container_name(&o, service),
                                              arena_printf(a, "%s.service", stem), stack_name };
                if (owns_pod(&o, service))
                        names[n++] = (ContainerName){ arena_printf(a, "%s-pod", stem),
                                                      arena_printf(a, "%s-pod.service", stem), stack_name };
        }
        *ret = names;
        return n;
}

const char *stack_unit_of_container(Arena *a, const Node *model, const char *stack_name,
                                    const char **container, bool *ret_in_pod) {
        const NodePair *service = NULL;
        const char *name;
        Other o;

        if (read_other(a, model, stack_name, &o))
                service = find_container(&o, *container, &name);
        if (!service)
                return NULL;
        *container = name;
        *ret_in_pod = is_in_pod(&o, service);
        return arena_printf(a, "%s-%s.service", stack_name, service->key->text);
}
