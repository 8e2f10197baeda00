/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "generator/base/str.h"
#include "generator/compose/rules.h"
#include "generator/compose/value.h"

/* Short forms to long forms, so that files and services in different forms can be combined. Ports,
 * mounts and devices have a file of their own. A value of a form that the tables do not allow stays
 * as it is: the check names it. */

static void set_text(Load *l, Node *mapping, const char *key, const Node *from, const char *text) {
        node_set(l->arena, mapping, key, from->span, value_string(l, from, text));
}

Node *expand_string_list(Load *l, Node *n) {
        Node *list;

        if (n->kind != NODE_STRING)
                return n;
        list = sequence_new(l, n->span);
        node_append(l->arena, list, n);
        return list;
}

Node *expand_dns(Load *l, Node *n) {
        size_t kept = 0;

        n = expand_string_list(l, n);
        for (size_t i = 0; n->kind == NODE_SEQUENCE && i < n->n; i++)
                if (n->items[i]->kind != NODE_STRING || *n->items[i]->text)
                        n->items[kept++] = n->items[i];
        if (n->kind == NODE_SEQUENCE)
                n->n = kept;
        return n;
}

Node *expand_names(Load *l, Node *n) {
        Node *names;

        if (n->kind != NODE_SEQUENCE)
                return n;
        names = mapping_new(l, n->span);
        for (size_t i = 0; i < n->n; i++)
                if (n->items[i]->kind == NODE_STRING)
                        node_set(l->arena, names, n->items[i]->text, n->items[i]->span,
                                 node_new(l->arena, NODE_NULL, n->items[i]->span));
        return names;
}

Node *expand_pairs(Load *l, Node *n) {
        Node *pairs;

        if (n->kind != NODE_SEQUENCE)
                return n;
        pairs = mapping_new(l, n->span);
        for (size_t i = 0; i < n->n; i++) {
                const char *value, *key;

                if (!node_is_scalar(n->items[i]))
                        continue;
                key = value_cut(l, n->items[i], '=', &value);
                if (!value) {
                        diag_error(l->diag, n->items[i]->span, "bad-value", "'%s' is not NAME=VALUE", key);
                        diag_hint(l->diag, "write '%s=…'", key);
                        continue;
                }
                node_set(l->arena, pairs, key, n->items[i]->span, value_string(l, n->items[i], value));
        }
        return pairs;
}

static void complete_dependency(Load *l, Node *dependency) {
        if (!node_get(dependency, "condition"))
                set_text(l, dependency, "condition", dependency, "service_started");
        if (!node_get(dependency, "required"))
                node_set(l->arena, dependency, "required", dependency->span,
                         node_new_bool(l->arena, dependency->span, true));
}

Node *expand_depends(Load *l, Node *n) {
        Node *depends = n;

        if (n->kind == NODE_SEQUENCE) {
                depends = mapping_new(l, n->span);
                for (size_t i = 0; i < n->n; i++)
                        if (n->items[i]->kind == NODE_STRING)
                                node_set(l->arena, depends, n->items[i]->text, n->items[i]->span,
                                         mapping_new(l, n->items[i]->span));
        }
        for (size_t i = 0; depends->kind == NODE_MAPPING && i < depends->n; i++)
                if (depends->pairs[i].value->kind == NODE_MAPPING)
                        complete_dependency(l, depends->pairs[i].value);
        return depends;
}

Node *expand_env_file(Load *l, Node *n) {
        n = expand_string_list(l, n);
        for (size_t i = 0; n->kind == NODE_SEQUENCE && i < n->n; i++) {
                Node *item = n->items[i], *file = item;

                if (item->kind == NODE_STRING) {
                        file = mapping_new(l, item->span);
                        node_set(l->arena, file, "path", item->span, item);
                }
                if (file->kind == NODE_MAPPING && !node_get(file, "required"))
                        node_set(l->arena, file, "required", item->span,
                                 node_new_bool(l->arena, item->span, true));
                n->items[i] = file;
        }
        return n;
}

Node *expand_gpus(Load *l, Node *n) {
        Node *list, *request;

        if (n->kind != NODE_STRING)
                return n;
        list = sequence_new(l, n->span);
        request = mapping_new(l, n->span);
        set_text(l, request, "count", n, "all");
        node_append(l->arena, list, request);
        return list;
}

Node *expand_build(Load *l, Node *n) {
        Node *build;

        if (n->kind != NODE_STRING)
                return n;
        build = mapping_new(l, n->span);
        node_set(l->arena, build, "context", n->span, n);
        return build;
}

Node *expand_ssh(Load *l, Node *n) {
        Node *keys;

        if (n->kind != NODE_SEQUENCE)
                return n;
        keys = mapping_new(l, n->span);
        for (size_t i = 0; i < n->n; i++) {
                const char *path, *id;

                if (!node_is_scalar(n->items[i]))
                        continue;
                id = value_cut(l, n->items[i], '=', &path);
                if (!path && !str_equal(id, "default")) {
                        diag_error(l->diag, n->items[i]->span, "bad-value", "'%s' is not ID=PATH", id);
                        diag_hint(l->diag, "only 'default' can stand without a path");
                        continue;
                }
                node_set(l->arena, keys, id, n->items[i]->span,
                         path ? value_string(l, n->items[i], path)
                              : node_new(l->arena, NODE_NULL, n->items[i]->span));
        }
        return keys;
}

Node *expand_text(Load *l, Node *n) {
        return n->kind == NODE_BOOL ? value_string(l, n, value_text(l->arena, n)) : n;
}

Node *expand_file_mount(Load *l, Node *n) {
        Node *mount;

        if (n->kind != NODE_STRING)
                return n;
        mount = mapping_new(l, n->span);
        node_set(l->arena, mount, "source", n->span, n);
        return mount;
}

/* external: {name: X} is the old form of external: true with name: X. */
Node *expand_external(Load *l, Node *n) {
        const Node *external = node_get(n, "external"), *name, *old;

        if (!external || external->kind != NODE_MAPPING)
                return n;
        old = node_get(external, "name");
        name = node_get(n, "name");
        node_set(l->arena, n, "external", external->span, node_new_bool(l->arena, external->span, true));
        if (!old)
                return n;
        diag_warning(l->diag, old->span, "deprecated", "external.name is deprecated");
        diag_hint(l->diag, "write 'external: true' and 'name: %s'", old->text);
        if (!name)
                node_set(l->arena, n, "name", old->span, (Node *) old);
        else if (!node_equal(name, old)) {
                diag_error(l->diag, old->span, "bad-value", "name and external.name differ");
                diag_hint(l->diag, "keep 'name' alone");
        }
        return n;
}

static Node *expand_node(Load *l, const KeyDef *row, Node *n) {
        if (row->expand)
                n = row->expand(l, n);
        if (n->kind == NODE_MAPPING)
                for (size_t i = 0; i < n->n; i++) {
                        const KeyDef *child = type_child(row->type, n->pairs[i].key->text);

                        if (child)
                                n->pairs[i].value = expand_node(l, child, n->pairs[i].value);
                }
        else if (n->kind == NODE_SEQUENCE && row->type->items)
                for (size_t i = 0; i < n->n; i++)
                        n->items[i] = expand_node(l, row->type->items, n->items[i]);
        return n;
}

void expand_apply(Load *l, Node *file) {
        const KeyDef root = { .type = &compose_type };

        (void) expand_node(l, &root, file);
}
