/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <string.h>

#include "generator/base/str.h"
#include "generator/compose/value.h"

/* The environment and the labels of services: names without a value, env_file and label_file.
 * Values whose variable has the name of a secret are marked as secret, whatever file they come
 * from. */

static Node *variable_node(Load *l, const Node *from, const EnvVar *var) {
        Node *value = value_string(l, from, var->value ? var->value : "");

        if (var->assumed)
                env_warn_assumed(l->diag, from->span, var->value);
        value->secret = var->secret || env_name_is_secret(var->name);
        return value;
}

/* "NAME" in a list takes the value of the scope that the list stands in. */
static void expand_list(Load *l, Node *list, const EnvTable *env) {
        for (size_t i = 0; i < list->n; i++) {
                Node *item = list->items[i];
                const EnvVar *var;
                Node *value;

                if (!node_is_scalar(item) || strchr(item->text, '='))
                        continue;
                var = env_lookup(env, item->text);
                if (!var)
                        continue;
                value = variable_node(l, item, var);
                value->text = arena_printf(l->arena, "%s=%s", item->text, value->text);
                list->items[i] = value;
        }
}

void environment_expand_names(Load *l, Node *file, const EnvTable *env) {
        Node *services = node_get(file, "services");

        for (size_t i = 0; services && i < services->n; i++) {
                Node *list = node_get(services->pairs[i].value, "environment");

                if (list && list->kind == NODE_SEQUENCE)
                        expand_list(l, list, env);
        }
}

static void expand_map(Load *l, Node *map) {
        for (size_t i = 0; i < map->n; i++) {
                const EnvVar *var;

                if (map->pairs[i].value->kind != NODE_NULL)
                        continue;
                var = env_lookup(l->env, map->pairs[i].key->text);
                if (var)
                        map->pairs[i].value = variable_node(l, map->pairs[i].value, var);
        }
}

static void expand_any(Load *l, Node *n) {
        if (n && n->kind == NODE_SEQUENCE)
                expand_list(l, n, l->env);
        else if (n && n->kind == NODE_MAPPING)
                expand_map(l, n);
}

/* A build argument without a value anywhere is none. */
static void drop_unset(Node *args) {
        size_t kept = 0;

        if (args && args->kind == NODE_MAPPING) {
                for (size_t i = 0; i < args->n; i++)
                        if (args->pairs[i].value->kind != NODE_NULL)
                                args->pairs[kept++] = args->pairs[i];
                args->n = kept;
        } else if (args && args->kind == NODE_SEQUENCE) {
                for (size_t i = 0; i < args->n; i++)
                        if (node_is_scalar(args->items[i]) && strchr(args->items[i]->text, '='))
                                args->items[kept++] = args->items[i];
                args->n = kept;
        }
}

void environment_expand_nulls(Load *l, Node *service) {
        Node *args = node_get(node_get(service, "build"), "args");

        expand_any(l, node_get(service, "environment"));
        expand_any(l, args);
        drop_unset(args);
}

/* Opens a file that a service names: its number, 0 if it is absent and may be, or -1 after an
 * error. */
static int named_file_open(Load *l, const Node *path, bool required, const char *what) {
        int file = *path->text ? sources_open(l->sources, path->text) : -ENOENT;

        if (file > 0)
                return file;
        if (!required && (file == -ENOENT || file == -ENOTDIR || file == -ENOLINK))
                return 0;
        if (!*path->text) {
                diag_error(l->diag, path->span, "missing-file", "the path of %s is empty", what);
                diag_hint(l->diag, "give the path of a file, or remove the entry");
                return -1;
        }
        diag_unreadable(
                l->diag, path->span, file == -ENOENT ? "missing-file" : "unreadable",
                arena_printf(l->arena, "%s %s", what, sources_shown(l->sources, l->arena, path->text)), file,
                str_equal(what, "env_file") ? "create the file, or write 'required: false' beside its 'path:'"
                                            : "create the file");
        return -1;
}

/* The given values as variables, so that a file can refer to them. */
static EnvTable table_of(Load *l, const Node *given) {
        EnvTable table = { 0 };

        for (size_t i = 0; given && i < given->n; i++) {
                const Node *value = given->pairs[i].value;

                if (value->kind == NODE_STRING)
                        env_set(l->arena, &table,
                                (EnvVar){ .name = given->pairs[i].key->text,
                                          .value = value->text,
                                          .span = value->span,
                                          .secret = value->secret });
        }
        return table;
}

/* What the files say, under what the service itself says. */
static Node *overlay(Load *l, const EnvTable *files, const Node *given, Span span) {
        Node *map = mapping_new(l, span);

        for (size_t i = 0; i < files->n; i++) {
                const EnvVar *var = files->vars + i;
                const Node at = { .span = var->span };

                if (!var->no_value && !mapping_find(given, var->name))
                        mapping_add(l, map, key_new(l, var->span, var->name), variable_node(l, &at, var));
        }
        for (size_t i = 0; given && i < given->n; i++)
                mapping_add(l, map, given->pairs[i].key, given->pairs[i].value);
        mapping_sort(map);
        return map;
}

/* The files' key leaves; it stands where the map has to stand if there was none. */
static void replace(Load *l, Node *service, const char *key, const char *files_key, Node *map) {
        NodePair *files = (NodePair *) node_get_pair(service, files_key);

        if (node_get(service, key)) {
                node_set(l->arena, service, key, map->span, map);
                (void) node_remove(service, files_key);
        } else if (map->n > 0)
                *files = (NodePair){ .key = key_new(l, files->key->span, key), .value = map };
        else
                (void) node_remove(service, files_key);
}

/* Variables in an env_file: those of the project count most, then those of the service, then the
 * files' own. */
static void resolve_env_files(Load *l, Node *service) {
        const Node *files = node_get(service, "env_file"), *given = node_get(service, "environment");
        EnvTable own = table_of(l, given), project = *l->env, table = { .parent = &project };

        if (!files)
                return;
        project.parent = &own;
        for (size_t i = 0; i < files->n; i++) {
                const Node unnamed = { .span = files->items[i]->span, .text = "" };
                const Node *path = node_get(files->items[i], "path"), /* "" has left by now */
                        *format = node_get(files->items[i], "format");
                int file = named_file_open(l, path ? path : &unnamed,
                                           node_get_bool(files->items[i], "required", true), "env_file");

                if (file <= 0)
                        continue;
                if (format && !str_equal(format->text, "raw")) {
                        diag_error(l->diag, format->span, "bad-value", "unknown format '%s' of an env_file",
                                   format->text);
                        diag_hint(l->diag, "write 'raw', or remove the key");
                } else if (format)
                        env_parse_raw(l->arena, l->diag, &table, l->sources, (uint32_t) file);
                else
                        env_parse(l->arena, l->diag, &table, l->sources, (uint32_t) file);
        }
        replace(l, service, "environment", "env_file", overlay(l, &table, given, files->span));
}

static void resolve_label_files(Load *l, Node *service) {
        const Node *files = node_get(service, "label_file");
        EnvTable table = { 0 };

        if (!files)
                return;
        for (size_t i = 0; i < files->n; i++) {
                int file = named_file_open(l, files->items[i], /* required= */ true, "label_file");
                /* "$" stands for what an earlier file said before it stands for the file's own. */
                EnvTable earlier = table, own = { .parent = &earlier };

                if (file > 0)
                        env_parse(l->arena, l->diag, &own, l->sources, (uint32_t) file);
                for (size_t j = 0; j < own.n; j++)
                        env_set(l->arena, &table, own.vars[j]);
        }
        replace(l, service, "labels", "label_file",
                overlay(l, &table, node_get(service, "labels"), files->span));
}

static void mark_secrets(Node *environment) {
        for (size_t i = 0; environment && i < environment->n; i++)
                if (environment->pairs[i].value->kind == NODE_STRING &&
                    env_name_is_secret(environment->pairs[i].key->text))
                        environment->pairs[i].value->secret = true;
}

/* What a secret or config with 'environment' holds, for those who lower it; Compose's output has the name
 * alone. */
static void resolve_values(Load *l, const Node *section) {
        for (size_t i = 0; section && section->kind == NODE_MAPPING && i < section->n; i++) {
                Node *definition = section->pairs[i].value;
                const Node *name = node_get(definition, "environment");
                const EnvVar *var = node_is_scalar(name) ? env_lookup(l->env, name->text) : NULL;
                Node *value;

                if (definition->kind != NODE_MAPPING)
                        continue;
                (void) node_remove(definition, SECRET_VALUE_KEY);
                if (!var || !var->value)
                        continue;
                value = value_string(l, name, var->value);
                value->secret = true;
                node_set(l->arena, definition, SECRET_VALUE_KEY, name->span, value);
        }
}

void environment_resolve(Load *l, Node *model) {
        Node *services = node_get(model, "services");

        for (size_t i = 0; services && i < services->n; i++) {
                Node *service = services->pairs[i].value;

                resolve_env_files(l, service);
                resolve_label_files(l, service);
                mark_secrets(node_get(service, "environment"));
        }
        resolve_values(l, node_get(model, "secrets"));
        resolve_values(l, node_get(model, "configs"));
}
