/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/compose/rules.h"
#include "generator/compose/value.h"

/* What Compose adds once the files of a scope are merged. */

static void set_default(Load *l, Node *n, const char *key, const char *text) {
        if (n->kind == NODE_MAPPING && !node_get(n, key))
                node_set(l->arena, n, key, n->span, value_string(l, n, text));
}

void defaults_build(Load *l, Node *n) {
        set_default(l, n, "context", ".");
}

void defaults_secret(Load *l, Node *n) {
        const char *source = node_get_text(n, "source");

        set_default(l, n, "target", arena_printf(l->arena, "/run/secrets/%s", source ? source : ""));
}

void defaults_port(Load *l, Node *n) {
        set_default(l, n, "protocol", "tcp");
        set_default(l, n, "mode", "ingress");
}

void defaults_device_request(Load *l, Node *n) {
        if (!node_get(n, "device_ids"))
                set_default(l, n, "count", "all");
}

static void default_node(Load *l, const KeyDef *row, Node *n) {
        if (row->defaults)
                row->defaults(l, n);
        if (n->kind == NODE_MAPPING)
                for (size_t i = 0; i < n->n; i++) {
                        const KeyDef *child = type_child(row->type, n->pairs[i].key->text);

                        if (child)
                                default_node(l, child, n->pairs[i].value);
                }
        else if (n->kind == NODE_SEQUENCE && row->type->items)
                for (size_t i = 0; i < n->n; i++)
                        default_node(l, row->type->items, n->items[i]);
}

void defaults_apply(Load *l, Node *file) {
        const KeyDef root = { .type = &compose_type };

        default_node(l, &root, file);
}
