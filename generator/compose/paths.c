/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "generator/base/str.h"
#include "generator/compose/rules.h"
#include "generator/compose/value.h"

/* Relative paths to absolute ones, and "~". */

/* A letter and a colon with a slash, or a share: absolute for the engine of a Windows host, so left
 * alone. */
static bool is_windows_path(const char *path) {
        if (path[0] && path[1] == ':' && (path[2] == '/' || path[2] == '\\'))
                return true;
        return (path[0] == '/' || path[0] == '\\') && (path[1] == '/' || path[1] == '\\') && path[2];
}

static const char *path_absolute(Load *l, const char *dir, const Node *n) {
        const char *path = n->text;

        if (path[0] == '~' && l->assumed_home)
                env_warn_assumed(l->diag, n->span, l->home);
        if (path[0] == '~')
                return path_normalize(l->arena, arena_printf(l->arena, "%s/%s", l->home, path + 1));
        if (path[0] == '/' || is_windows_path(path))
                return path;
        return path_join(l->arena, dir, path);
}

static bool is_remote(const char *context) {
        static const char *const prefixes[] = {
                "https://", "http://", "git://", "ssh://", "github.com/", "git@", "service:",
        };

        for (size_t i = 0; i < ELEMENTS(prefixes); i++)
                if (str_has_prefix(context, prefixes[i]))
                        return true;
        return strstr(context, "://") != NULL;
}

static void resolve_text(Load *l, const char *dir, Node *n) {
        if (n->kind == NODE_STRING && *n->text)
                n->text = path_absolute(l, dir, n);
}

static void resolve_mount(Load *l, const char *dir, Node *n) {
        Node *source = node_get(n, "source");

        if (n->kind != NODE_MAPPING || !str_equal(node_get_text(n, "type"), "bind"))
                return;
        if (!source) {
                diag_error(l->diag, n->span, "missing-key", "a bind mount lacks its 'source'");
                diag_hint(l->diag, "add the path on the host as 'source:'");
        } else if (source->kind == NODE_STRING)
                source->text = path_absolute(l, dir, source);
}

/* A local volume with "o: bind" is a bind mount by another name. */
static void resolve_driver(Load *l, const char *dir, Node *n) {
        Node *options = node_get(n, "driver_opts"), *device = node_get(options, "device");

        if (device && device->kind == NODE_STRING && str_equal(node_get_text(n, "driver"), "local") &&
            str_equal(node_get_text(options, "o"), "bind"))
                device->text = path_absolute(l, dir, device); /* of an empty one: the directory */
}

static void resolve_node(Load *l, const KeyDef *row, const char *dir, Node *n) {
        switch (row->path) {
        case PATH_NONE:
                break;
        case PATH_FILE:
                resolve_text(l, dir, n);
                return;
        case PATH_CONTEXT:
                if (n->kind == NODE_STRING && !is_remote(n->text))
                        resolve_text(l, dir, n);
                return;
        case PATH_MOUNT:
                resolve_mount(l, dir, n);
                return;
        case PATH_DRIVER:
                resolve_driver(l, dir, n);
                return;
        }
        if (n->kind == NODE_MAPPING)
                for (size_t i = 0; i < n->n; i++) {
                        const KeyDef *child = type_child(row->type, n->pairs[i].key->text);

                        if (child)
                                resolve_node(l, child, dir, n->pairs[i].value);
                }
        else if (n->kind == NODE_SEQUENCE && row->type->items)
                for (size_t i = 0; i < n->n; i++)
                        resolve_node(l, row->type->items, dir, n->items[i]);
}

void paths_resolve(Load *l, Node *file, const char *dir) {
        const KeyDef root = { .type = &compose_type };

        resolve_node(l, &root, dir, file);
}
