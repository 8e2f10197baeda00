/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <string.h>

#include "generator/base/buf.h"
#include "generator/base/limits.h"
#include "generator/base/str.h"
#include "generator/compose/value.h"

/* `include`: other Compose files with a project directory and variables of their own, resolved by
 * themselves and then added. What two files define differently is an error. */

typedef struct Include {
        const char **paths;
        size_t n_paths;
        const char *dir;
        EnvTable env;
        Span span;
} Include;

/* A string or a list of strings; false after an error. */
static bool string_list(Load *l, const Node *n, const char *what, const Node ***ret, size_t *ret_n) {
        const Node **items;
        size_t count = n->kind == NODE_SEQUENCE ? n->n : 1;

        items = arena_new_array(l->arena, const Node *, count + 1);
        for (size_t i = 0; i < count; i++) {
                items[i] = n->kind == NODE_SEQUENCE ? n->items[i] : n;
                if (items[i]->kind != NODE_STRING || !*items[i]->text) {
                        diag_error(l->diag, items[i]->span, "include", "the %s of an include must be a path",
                                   what);
                        diag_hint(l->diag, "write a path or a list of paths");
                        return false;
                }
        }
        *ret = items;
        *ret_n = count;
        return true;
}

static bool is_remote_resource(const char *path) {
        return strstr(path, "://") || str_has_prefix(path, "git@") || str_has_prefix(path, "github.com/");
}

static bool include_paths(Load *l, const Scope *scope, const Node *path, Include *in) {
        const Node **items;

        if (!string_list(l, path, "path", &items, &in->n_paths))
                return false;
        in->paths = arena_new_array(l->arena, const char *, in->n_paths + 1);
        for (size_t i = 0; i < in->n_paths; i++) {
                if (is_remote_resource(items[i]->text)) {
                        diag_error(l->diag, items[i]->span, "include", "'%s' is not on this host",
                                   items[i]->text);
                        diag_hint(l->diag, "copy the file beside this one and include the copy");
                        return false;
                }
                in->paths[i] = path_join(l->arena, scope->dir, items[i]->text);
        }
        if (in->n_paths > 0)
                return true;
        diag_error(l->diag, path->span, "include", "an include lacks its path");
        diag_hint(l->diag, "write a path, or 'path:' below it");
        return false;
}

/* What the including scope knows already counts more. */
static void add_variables(Load *l, const Scope *scope, const EnvTable *from, EnvTable *to) {
        for (size_t i = 0; i < from->n; i++)
                if (!env_lookup(scope->env, from->vars[i].name))
                        env_set(l->arena, to, from->vars[i]);
}

static bool include_env(Load *l, const Scope *scope, const Node *env_file, Include *in) {
        EnvTable table = { .parent = scope->env };
        const Node **items = NULL;
        size_t n = 0;

        in->env.parent = scope->env;
        if (!env_file || (env_file->kind == NODE_SEQUENCE && env_file->n == 0)) {
                int file = sources_open(l->sources, path_join(l->arena, in->dir, ".env"));

                if (file > 0)
                        env_parse(l->arena, l->diag, &table, l->sources, (uint32_t) file);
                else if (file != -ENOENT) {
                        diag_unreadable(l->diag, in->span, "unreadable", path_join(l->arena, in->dir, ".env"),
                                        file, NULL);
                        return false;
                }
        } else if (!string_list(l, env_file, "env_file", &items, &n))
                return false;
        for (size_t i = 0; i < n; i++) {
                const char *path = path_join(l->arena, scope->dir, items[i]->text);
                int file = sources_open(l->sources, path);

                if (file < 0) {
                        diag_unreadable(l->diag, items[i]->span, "unreadable", path, file,
                                        "create the file, or remove it from 'env_file:'");
                        return false;
                }
                env_parse(l->arena, l->diag, &table, l->sources, (uint32_t) file);
        }
        add_variables(l, scope, &table, &in->env);
        return true;
}

static bool include_parse(Load *l, const Scope *scope, const Node *n, Include *ret) {
        static const char *const keys[] = { "path", "project_directory", "env_file" };
        const Node *path = n, *dir = NULL, *env_file = NULL;
        Include in = { .span = n->span };

        if (n->kind == NODE_MAPPING) {
                for (size_t i = 0; i < n->n; i++) {
                        const Node *key = n->pairs[i].key;
                        const char *near;

                        if (str_equal(key->text, "path") || str_equal(key->text, "project_directory") ||
                            str_equal(key->text, "env_file") || is_extension(key->text))
                                continue;
                        near = str_nearest(key->text, keys, 3);
                        diag_error(l->diag, key->span, "unknown-key", "unknown key '%s' in include",
                                   key->text);
                        diag_hint(l->diag, near ? "did you mean '%s'?" : "remove it", near);
                }
                path = node_get(n, "path");
                dir = node_get(n, "project_directory");
                env_file = node_get(n, "env_file");
        }
        if (!path || (dir && dir->kind != NODE_STRING)) {
                diag_error(l->diag, n->span, "include", "an include lacks its path");
                diag_hint(l->diag, "write a path, or 'path:' below it");
                return false;
        }
        if (!include_paths(l, scope, path, &in))
                return false;
        in.dir = dir && *dir->text ? path_join(l->arena, scope->dir, dir->text)
                                   : path_parent(l->arena, in.paths[0]);
        if (!include_env(l, scope, env_file, &in))
                return false;
        *ret = in;
        return true;
}

/* True if this include would lead back, or too far. */
static bool is_endless(Load *l, const Scope *scope, const Include *in) {
        Buf b = BUF(l->arena);
        size_t depth = 0;

        for (const Scope *s = scope; s; s = s->parent) {
                buf_printf(&b, "%s%s", depth++ > 0 ? " <- " : "",
                           sources_shown(l->sources, l->arena, s->file));
                if (!str_equal(s->file, in->paths[0]))
                        continue;
                diag_error(l->diag, in->span, "include-cycle",
                           "files include each other in a circle: %s <- %s",
                           sources_shown(l->sources, l->arena, in->paths[0]), buf_text(&b));
                diag_hint(l->diag, "remove one 'include' of the circle");
                return true;
        }
        if (depth < LIMIT_INCLUDE_DEPTH)
                return false;
        diag_error(l->diag, in->span, "include-depth", "more than %d files include each other in a row",
                   LIMIT_INCLUDE_DEPTH);
        diag_hint(l->diag, "include the last one directly");
        return true;
}

static void add_section(Load *l, Node *file, const Node *included, const char *name) {
        Node *from = node_get(included, name), *to = node_get(file, name);
        Map known = { 0 };

        if (!from || from->kind != NODE_MAPPING)
                return;
        if (!to || to->kind == NODE_NULL) {
                to = mapping_new(l, from->span);
                node_set(l->arena, file, name, from->span, to);
        }
        if (to->kind != NODE_MAPPING)
                return;
        for (size_t i = 0; i < to->n; i++)
                map_set(l->arena, &known, to->pairs[i].key->text, to->pairs[i].value);
        for (size_t i = 0; i < from->n; i++) {
                const NodePair pair = from->pairs[i];
                const Node *there = map_get(&known, pair.key->text);

                if (!there)
                        mapping_add(l, to, pair.key, pair.value);
                else if (!node_equal(there, pair.value)) {
                        diag_error(l->diag, pair.key->span, "include-conflict",
                                   "%s.%s is defined here and, differently, at %s", name, pair.key->text,
                                   diag_position(l->diag, l->arena, there->span));
                        diag_hint(l->diag, "rename one of the two, or list both files in one 'path:'");
                }
        }
}

void include_apply(Load *l, const Scope *scope, Node *file) {
        static const char *const sections[] = { "services", "volumes", "networks", "secrets", "configs" };
        Node *list = node_get(file, "include");

        if (!list)
                return;
        (void) node_remove(file, "include");
        if (list->kind == NODE_NULL)
                return;
        if (list->kind != NODE_SEQUENCE) {
                diag_error(l->diag, list->span, "wrong-type", "include must be a list, not %s",
                           node_kind_name(list->kind));
                diag_hint(l->diag, "write '- PATH' for each file");
                return;
        }
        for (size_t i = 0; i < list->n; i++) {
                Include *in = arena_new_object(l->arena, Include);
                Scope *inner = arena_new_object(l->arena, Scope);
                Node *included;

                if (!include_parse(l, scope, list->items[i], in) || is_endless(l, scope, in))
                        continue;
                *inner = (Scope){ .dir = in->dir, .env = &in->env, .parent = scope, .file = in->paths[0] };
                included = scope_load(l, inner, in->paths, in->n_paths, in->span);
                for (size_t j = 0; included && j < ELEMENTS(sections); j++)
                        add_section(l, file, included, sections[j]);
        }
}
