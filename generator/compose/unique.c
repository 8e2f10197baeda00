/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "generator/base/str.h"
#include "generator/compose/mount.h"
#include "generator/compose/rules.h"
#include "generator/compose/value.h"

/* Lists in which a later entry takes the place of an earlier one: ports, volumes, environment… */

static const char *text_of(Load *l, const Node *mapping, const char *key, const char *fallback) {
        const Node *value = node_get(mapping, key);

        return value && node_is_scalar(value) ? value_text(l->arena, value) : fallback;
}

static const char *index_name(Load *l, const Node *n) {
        const char *value;

        return node_is_scalar(n) ? value_cut(l, n, '=', &value) : NULL;
}

static const char *index_text(Load *l, const Node *n) {
        return node_is_scalar(n) ? value_text(l->arena, n) : NULL;
}

/* Compose takes 8080 and "8080" for two ports of the host here. */
static const char *published_of(Load *l, const Node *n) {
        const Node *published = node_get(n, "published");

        if (!published || !node_is_scalar(published))
                return "<none>";
        return arena_printf(l->arena, "%s%s", published->kind == NODE_STRING ? "" : "#",
                            value_text(l->arena, published));
}

static const char *index_port(Load *l, const Node *n) {
        if (n->kind != NODE_MAPPING)
                return index_text(l, n);
        if (!node_get(n, "target")) {
                diag_error(l->diag, n->span, "missing-key", "a port lacks its 'target'");
                diag_hint(l->diag, "add the port inside the container as 'target:'");
                return NULL;
        }
        return arena_printf(l->arena, "%s:%s:%s/%s", text_of(l, n, "host_ip", "0.0.0.0"), published_of(l, n),
                            text_of(l, n, "target", ""), text_of(l, n, "protocol", "tcp"));
}

static const char *index_target(Load *l, const Node *n, const char *what) {
        const char *target = node_get_text(n, "target");

        if (!target) {
                diag_error(l->diag, n->span, "missing-key", "a %s lacks its 'target'", what);
                diag_hint(l->diag, "add the path inside the container as 'target:'");
        }
        return target;
}

static const char *index_volume(Load *l, const Node *n) {
        MountSpec mount;

        if (n->kind == NODE_MAPPING)
                return index_target(l, n, "mount");
        if (n->kind != NODE_STRING || !mount_parse(l->arena, n->text, &mount))
                return NULL; /* expansion reports it */
        return mount.target;
}

static const char *index_device(Load *l, const Node *n) {
        const char *second, *end;

        if (n->kind == NODE_MAPPING)
                return index_target(l, n, "device");
        if (n->kind != NODE_STRING)
                return NULL;
        second = strchr(n->text, ':');
        if (!second)
                return n->text;
        end = strchrnul(++second, ':');
        return arena_strndup(l->arena, second, (size_t) (end - second));
}

static const char *index_mounted(Load *l, const Node *n, const char *dir) {
        const char *target = node_get_text(n, "target"), *source = node_get_text(n, "source");

        if (n->kind == NODE_STRING)
                source = n->text;
        if (target)
                return target;
        return source ? arena_printf(l->arena, "%s/%s", dir, source) : NULL;
}

static const char *index_env_file(Load *l, const Node *n) {
        (void) l;
        return n->kind == NODE_STRING ? n->text : node_get_text(n, "path");
}

static const char *index_of(Load *l, IndexRule rule, const Node *n) {
        switch (rule) {
        case INDEX_NAME:
                return index_name(l, n);
        case INDEX_TEXT:
                return index_text(l, n);
        case INDEX_PORT:
                return index_port(l, n);
        case INDEX_VOLUME:
                return index_volume(l, n);
        case INDEX_DEVICE:
                return index_device(l, n);
        case INDEX_SECRET:
                return index_mounted(l, n, "/run/secrets");
        case INDEX_CONFIG:
                return index_mounted(l, n, "");
        case INDEX_ENV_FILE:
                return index_env_file(l, n);
        case INDEX_NONE:
                break;
        }
        return NULL;
}

static void unique_sequence(Load *l, IndexRule rule, Node *n) {
        Map seen = { 0 };
        size_t kept = 0;

        for (size_t i = 0; i < n->n; i++) {
                const char *id = index_of(l, rule, n->items[i]);
                size_t at = id ? (size_t) map_get(&seen, id) : 0;

                if (at > 0) {
                        n->items[at - 1] = n->items[i];
                        continue;
                }
                n->items[kept++] = n->items[i];
                if (id)
                        map_set(l->arena, &seen, id, (void *) kept);
        }
        n->n = kept;
}

static void unique_node(Load *l, const KeyDef *row, Node *n) {
        if (n->kind == NODE_SEQUENCE && row->index != INDEX_NONE)
                unique_sequence(l, row->index, n);
        if (n->kind != NODE_MAPPING)
                return;
        for (size_t i = 0; i < n->n; i++) {
                const KeyDef *child = type_child(row->type, n->pairs[i].key->text);

                if (child)
                        unique_node(l, child, n->pairs[i].value);
        }
}

void unique_apply(Load *l, Node *file) {
        const KeyDef root = { .type = &compose_type };

        unique_node(l, &root, file);
}
