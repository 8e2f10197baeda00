/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/model/build.h"

/* "data" of x-unitproof: directories on the host that services share, in the operator's words. An entry is a
 * path, or a mapping that says more. */

const char *const data_root_keys[] = { "downloader", "downloads", "importers", "library",
                                       "mount",      "path",      "proof" };
const size_t n_data_root_keys = ELEMENTS(data_root_keys);

/* A path on the host; relative ones start at base. NULL after an error. */
static const char *read_path(Build *b, const Node *n, const char *base, const char *what) {
        if (!node_is_scalar(n) || n->text[0] == '\0' || str_has_control(n->text)) {
                diag_error(b->diag, n->span, "wrong-type", "%s has to be a path", what);
                return NULL;
        }
        return path_join(b->arena, base, n->text);
}

/* A directory of the root: relative to it, or an absolute path below it. */
static const char *read_inside(Build *b, const Node *n, const DataRoot *root, const char *what) {
        const char *path = read_path(b, n, root->path, what);

        if (path && !path_is_within(path, root->path)) {
                diag_error(b->diag, n->span, "wrong-value", "%s is outside of the data root %s", what,
                           root->path);
                return NULL;
        }
        return path;
}

static void read_library(Build *b, const Node *value, DataRoot *root) {
        size_t n = value->kind == NODE_SEQUENCE ? value->n : 1;

        root->library = arena_new_array(b->arena, const char *, n);
        root->library_spans = arena_new_array(b->arena, Span, n);
        for (size_t i = 0; i < n; i++) {
                const Node *item = value->kind == NODE_SEQUENCE ? value->items[i] : value;
                const char *path = read_inside(b, item, root, "an entry of 'library'");

                if (!path)
                        continue;
                root->library[root->n_library] = path;
                root->library_spans[root->n_library++] = item->span;
        }
}

static void read_importers(Build *b, const Node *value, DataRoot *root) {
        const char **names = NULL;
        Span *spans;
        size_t n = option_strings(b, value, "'importers'", &names, &spans);

        root->importers = arena_new_array(b->arena, Service *, n + 1);
        root->importer_spans = spans;
        for (size_t i = 0; i < n; i++) {
                Service *s = service_by_name(b, names[i], spans[i], "unknown-service", "'importers'");

                if (!s)
                        continue;
                root->importer_spans[root->n_importers] = spans[i];
                root->importers[root->n_importers++] = s;
        }
}

static void read_mount(Build *b, const Node *value, DataRoot *root) {
        bool on;

        if (!option_is_true(value, &on)) {
                diag_error(b->diag, value->span, "wrong-type", "'mount' has to be true or false");
                return;
        }
        if (on && str_equal(root->path, "/")) {
                diag_error(b->diag, value->span, "wrong-value", "/ is always mounted");
                return;
        }
        root->is_mount = on;
        root->mount_span = value->span;
}

static void read_root(Build *b, const Node *mapping, DataRoot *root) {
        const Node *value;
        bool on;

        for (size_t i = 0; i < mapping->n; i++) {
                const Node *key = mapping->pairs[i].key;
                bool known = false;

                for (size_t j = 0; j < n_data_root_keys; j++)
                        known = known || str_equal(key->text, data_root_keys[j]);
                if (!known)
                        option_unknown(b, key, "an entry of 'data'", data_root_keys, n_data_root_keys);
        }

        value = node_get(mapping, "downloads");
        if (value)
                root->downloads = read_inside(b, value, root, "'downloads'") ?: root->path;
        value = node_get(mapping, "library");
        if (value)
                read_library(b, value, root);
        value = node_get(mapping, "importers");
        if (value)
                read_importers(b, value, root);
        value = node_get(mapping, "downloader");
        if (value && node_is_scalar(value))
                root->downloader =
                        service_by_name(b, value->text, value->span, "unknown-service", "'downloader'");
        else if (value)
                diag_error(b->diag, value->span, "wrong-type",
                           "'downloader' has to be the name of a service");
        value = node_get(mapping, "mount");
        if (value)
                read_mount(b, value, root);
        value = node_get(mapping, "proof");
        if (value && !option_is_true(value, &on))
                diag_error(b->diag, value->span, "wrong-type", "'proof' has to be true or false");
        else if (value && !on) {
                root->off = true;
                root->off_span = value->span;
        }
}

void options_read_data(Build *b, const Node *value, Service *service) {
        size_t n = value->kind == NODE_SEQUENCE ? value->n : 1;
        Options *o = &b->options;

        (void) service;
        o->data = arena_new_array(b->arena, DataRoot, n);
        for (size_t i = 0; i < n; i++) {
                const Node *item = value->kind == NODE_SEQUENCE ? value->items[i] : value;
                const Node *path = item->kind == NODE_MAPPING ? node_get(item, "path") : item;
                DataRoot root = { .span = item->span };

                if (!path) {
                        diag_error(b->diag, item->span, "missing-key",
                                   "an entry of 'data' has to say its 'path'");
                        continue;
                }
                root.path = read_path(b, path, b->stack->project_dir ?: "/", "an entry of 'data'");
                if (!root.path)
                        continue;
                root.span = path->span;
                root.downloads = root.path;
                if (item->kind == NODE_MAPPING)
                        read_root(b, item, &root);
                o->data[o->n_data++] = root;
        }
}
