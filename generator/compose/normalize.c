/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "generator/base/str.h"
#include "generator/compose/value.h"

/* What is implied becomes explicit: the default network, dependencies that follow from other keys,
 * names of networks and volumes. Works on the merged tree in long forms. */

static Node *section_of(Node *file, const char *name) {
        Node *section = node_get(file, name);

        return section && section->kind == NODE_MAPPING ? section : NULL;
}

static void set_text(Load *l, Node *mapping, const char *key, Span span, const char *text) {
        node_set(l->arena, mapping, key, span, node_new_string(l->arena, span, text));
}

static bool uses_default_network(Load *l, Node *service) {
        Node *networks = node_get(service, "networks");

        if (node_get(service, "provider") || node_get(service, "network_mode"))
                return false;
        if (networks && networks->n > 0)
                return node_get(networks, "default") != NULL;
        networks = mapping_new(l, service->span);
        node_set(l->arena, networks, "default", service->span, node_new(l->arena, NODE_NULL, service->span));
        node_set(l->arena, service, "networks", service->span, networks);
        return true;
}

static void add_default_network(Load *l, Node *file, const Node *services) {
        Node *networks = section_of(file, "networks");
        bool used = false;

        for (size_t i = 0; services && i < services->n; i++)
                if (uses_default_network(l, services->pairs[i].value))
                        used = true;
        if (!used)
                return;
        if (!networks) {
                networks = mapping_new(l, file->span);
                node_set(l->arena, file, "networks", file->span, networks);
        }
        if (!node_get(networks, "default"))
                node_set(l->arena, networks, "default", file->span,
                         node_new(l->arena, NODE_NULL, file->span));
}

static void complete_build(Load *l, Node *service) {
        Node *build = node_get(service, "build");

        if (!build || build->kind != NODE_MAPPING)
                return;
        if (!node_get(build, "context"))
                set_text(l, build, "context", build->span, ".");
        if (!node_get(build, "dockerfile") && !node_get(build, "dockerfile_inline"))
                set_text(l, build, "dockerfile", build->span, "Dockerfile");
}

static void add_dependency(Load *l, Node *service, const char *name, Span span, bool restart) {
        Node *depends = node_get(service, "depends_on"), *dependency;

        if (!depends) {
                depends = mapping_new(l, span);
                node_set(l->arena, service, "depends_on", span, depends);
        }
        if (node_get(depends, name))
                return;
        dependency = mapping_new(l, span);
        set_text(l, dependency, "condition", span, "service_started");
        node_set(l->arena, dependency, "restart", span, node_new_bool(l->arena, span, restart));
        node_set(l->arena, dependency, "required", span, node_new_bool(l->arena, span, true));
        node_set(l->arena, depends, name, span, dependency);
}

/* The part of a text before a colon. */
static const char *before_colon(Load *l, const char *text) {
        return arena_strndup(l->arena, text, strcspn(text, ":"));
}

static void add_dependencies(Load *l, Node *service) {
        static const char *const namespaces[] = { "network_mode", "ipc", "pid", "uts", "cgroup" };
        const Node *links = node_get(service, "links"), *from = node_get(service, "volumes_from");

        for (size_t i = 0; links && links->kind == NODE_SEQUENCE && i < links->n; i++) {
                const char *text = links->items[i]->text, *first = strchr(text, ':');

                /* More than one colon: the whole text is a name, and no service has it. */
                add_dependency(l, service, first && !strchr(first + 1, ':') ? before_colon(l, text) : text,
                               links->items[i]->span, /* restart= */ true);
        }
        for (size_t i = 0; i < ELEMENTS(namespaces); i++) {
                const Node *mode = node_get(service, namespaces[i]);

                if (mode && mode->kind == NODE_STRING && str_has_prefix(mode->text, "service:"))
                        add_dependency(l, service, mode->text + strlen("service:"), mode->span,
                                       /* restart= */ true);
        }
        for (size_t i = 0; from && from->kind == NODE_SEQUENCE && i < from->n; i++)
                if (!str_has_prefix(from->items[i]->text, "container:"))
                        add_dependency(l, service, before_colon(l, from->items[i]->text),
                                       from->items[i]->span,
                                       /* restart= */ false);
}

static void normalize_service(Load *l, Node *service) {
        Node *policy = node_get(service, "pull_policy"), *volumes = node_get(service, "volumes");

        if (policy && str_equal(policy->text, "if_not_present"))
                policy->text = "missing";
        complete_build(l, service);
        environment_expand_nulls(l, service);
        add_dependencies(l, service);
        for (size_t i = 0; volumes && volumes->kind == NODE_SEQUENCE && i < volumes->n; i++) {
                Node *target = node_get(volumes->items[i], "target");

                if (target && target->kind == NODE_STRING)
                        target->text = path_normalize(l->arena, target->text);
        }
}

static void name_resources(Load *l, Node *section) {
        for (size_t i = 0; section && i < section->n; i++) {
                NodePair *pair = section->pairs + i;
                const Node *external;
                bool is_external = false;

                if (pair->value->kind == NODE_NULL)
                        pair->value = mapping_new(l, pair->key->span);
                if (pair->value->kind != NODE_MAPPING || node_get(pair->value, "name"))
                        continue;
                external = node_get(pair->value, "external");
                if (node_is_scalar(external))
                        (void) value_parse_bool(external->text, &is_external);
                set_text(l, pair->value, "name", pair->key->span,
                         is_external ? pair->key->text
                                     : arena_printf(l->arena, "%s_%s", l->name, pair->key->text));
        }
}

void normalize_file(Load *l, Node *file) {
        static const char *const sections[] = { "networks", "volumes", "configs", "secrets" };
        Node *services = section_of(file, "services");

        set_text(l, file, "name", file->span, l->name);
        add_default_network(l, file, services);
        for (size_t i = 0; services && i < services->n; i++)
                normalize_service(l, services->pairs[i].value);
        for (size_t i = 0; i < ELEMENTS(sections); i++)
                name_resources(l, section_of(file, sections[i]));
}
