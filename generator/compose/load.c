/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <string.h>

#include "generator/base/str.h"
#include "generator/compose/project.h"
#include "generator/compose/value.h"
#include "generator/front/doc.h"
#include "generator/front/interpolate.h"

/* From files to the resolved model. The order of the steps is Compose's, since it shows: a variable
 * is replaced before files are merged, a service is extended before it is included, short forms are
 * expanded after each file. */

static Node *doc_read(Load *l, const char *path, Span origin) {
        int file = sources_open(l->sources, path);
        Node *doc;

        if (file < 0) {
                diag_unreadable(l->diag, origin, "unreadable", path, file,
                                file == -ENOENT ? "create the file, or correct the path" : NULL);
                return NULL;
        }
        doc = doc_parse(l->arena, l->diag, l->sources, (uint32_t) file);
        if (!doc)
                return NULL;
        if (doc->kind != NODE_MAPPING) {
                diag_error(l->diag, doc->span.line > 0 ? doc->span : (Span){ .file = (uint32_t) file },
                           "wrong-type", "a Compose file must be a mapping, not %s",
                           node_kind_name(doc->kind));
                diag_hint(l->diag, "start with 'services:'");
                return NULL;
        }
        return doc;
}

/* Compose never types a value anew after a variable was replaced in it: "user: ${UID}" is a string.
 */
static void hold_strings(Node *n) {
        if (n->kind == NODE_STRING)
                n->quoted = true;
        else if (n->kind == NODE_SEQUENCE)
                for (size_t i = 0; i < n->n; i++)
                        hold_strings(n->items[i]);
        else if (n->kind == NODE_MAPPING)
                for (size_t i = 0; i < n->n; i++)
                        hold_strings(n->pairs[i].value);
}

Node *file_parse(Load *l, const Scope *scope, const char *path, Span origin) {
        NodePair *held = map_get(&l->parsed, path);
        size_t n_errors = l->diag->n_errors;
        Node *doc = NULL;

        if (held) {
                doc = held->value;
                held->value = NULL; /* it is changed from here on: a second user parses anew */
        }
        if (!doc)
                doc = doc_read(l, path, origin);
        if (!doc)
                return NULL;
        hold_strings(doc);
        interpolate_tree(l->arena, l->diag, scope->env, doc);
        cast_apply(l, doc);
        return l->diag->n_errors > n_errors ? NULL : doc;
}

static void drop_version(Load *l, Node *file) {
        const NodePair *version = node_get_pair(file, "version");

        if (!version)
                return;
        diag_warning(l->diag, version->key->span, "obsolete-version",
                     "'version' is obsolete and has no effect");
        diag_hint(l->diag, "remove the line");
        (void) node_remove(file, "version");
}

static void refuse_models(Load *l, Node *file) {
        const NodePair *models = node_get_pair(file, "models");

        if (!models)
                return;
        diag_error(l->diag, models->key->span, "unsupported", "'models' is not supported");
        diag_hint(l->diag, "run the model in a service of its own");
        (void) node_remove(file, "models");
}

Node *scope_load(Load *l, const Scope *scope, const char *const *files, size_t n_files, Span origin) {
        Node *model = mapping_new(l, origin);

        for (size_t i = 0; i < n_files; i++) {
                Node *file = file_parse(l, scope, files[i], origin);

                if (!file)
                        return NULL;
                extends_apply(l, scope, files[i], file);
                include_apply(l, scope, file);
                refuse_models(l, file);
                model = merge_files(l, model, file);
                merge_clean(model);
                unique_apply(l, model);
                check_file(l, model);
                if (load_failed(l))
                        return NULL;
                drop_version(l, model);
                expand_apply(l, model);
                unique_apply(l, model);
                if (load_failed(l))
                        return NULL;
        }
        defaults_apply(l, model);
        validate_file(l, model);
        paths_resolve(l, model, scope->dir);
        environment_expand_names(l, model, scope->env);
        return load_failed(l) ? NULL : model;
}

/* The files are read once more by scope_load(), but parsed only here. */
static bool project_files_parse(Load *l, const Node **ret_name) {
        const Node *name = NULL;

        for (size_t i = 0; i < l->options->n_files; i++) {
                const char *path = path_join(l->arena, l->options->project_dir, l->options->files[i]);
                NodePair *held = arena_new_object(l->arena, NodePair);
                const Node *said;

                held->value = doc_read(l, path, (Span){ 0 });
                if (!held->value)
                        continue;
                map_set(l->arena, &l->parsed, path, held);
                said = node_get(held->value, "name");
                if (said && said->kind == NODE_STRING && *said->text)
                        name = said;
        }
        *ret_name = name;
        return !load_failed(l);
}

static Node *project_resolve(Load *l) {
        const ComposeOptions *o = l->options;
        const char **files = arena_new_array(l->arena, const char *, o->n_files);
        Scope scope = { .dir = o->project_dir, .env = l->env };
        Node *written, *model;
        Map inactive;

        for (size_t i = 0; i < o->n_files; i++)
                files[i] = path_join(l->arena, o->project_dir, o->files[i]);
        scope.file = files[0];
        written = scope_load(l, &scope, files, o->n_files, (Span){ 0 });
        if (!written)
                return NULL;
        if (written->n == 0) {
                diag_error(l->diag, (Span){ .file = (uint32_t) sources_open(l->sources, files[0]) }, "empty",
                           "the Compose file is empty");
                diag_hint(l->diag, "start with 'services:'");
                return NULL;
        }
        check_merged(l, written);
        if (load_failed(l))
                return NULL;
        normalize_file(l, written);
        model = finish_file(l, written);
        if (load_failed(l))
                return NULL;
        inactive = profiles_apply(l, model);
        consistency_check(l, model, written, &inactive);
        environment_resolve(l, model);
        resources_prune(l, model);
        return load_failed(l) ? NULL : model;
}

Node *compose_load(Arena *a, Sources *s, Diag *d, const ComposeOptions *o) {
        EnvTable env = { 0 };
        Load load = {
                .arena = a,
                .sources = s,
                .diag = d,
                .options = o,
                .env = &env,
                .n_errors = d->n_errors,
                .home = o->home ? o->home : "/root",
                .assumed_home = !o->home,
        };
        const Node *name;

        if (!project_env_read(&load) || !project_files_parse(&load, &name) || !project_name_find(&load, name))
                return NULL;
        return project_resolve(&load);
}
