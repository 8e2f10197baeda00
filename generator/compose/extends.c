/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "generator/base/buf.h"
#include "generator/base/limits.h"
#include "generator/base/str.h"
#include "generator/compose/value.h"

/* `extends`: a service starts from another one, of the same file or of another file, and its own
 * keys are merged onto it by the rules of override files. */

/* The services of one file, and how far each of them is resolved. */
typedef struct Extended {
        const char *path;
        Node *services;
        Map index; /* name to NodePair of services, by position plus 1 */
        Map done;
} Extended;

/* The way to the service at hand, for the message about a cycle. */
typedef struct Chain {
        const struct Chain *parent;
        const Extended *file;
        const char *service;
        size_t depth;
} Chain;

static Node *service_resolve(Load *l, const Scope *scope, Extended *file, const char *name,
                             const Chain *chain);

static Extended *extended_new(Load *l, const char *path, Node *services) {
        Extended *file = arena_new_object(l->arena, Extended);

        file->path = path;
        file->services = services;
        for (size_t i = 0; i < services->n; i++)
                map_set(l->arena, &file->index, services->pairs[i].key->text, (void *) (i + 1));
        return file;
}

static NodePair *extended_find(const Extended *file, const char *name) {
        size_t at = (size_t) map_get(&file->index, name);

        return at > 0 ? file->services->pairs + at - 1 : NULL;
}

static void report_cycle(Load *l, const Chain *chain, const Extended *file, const char *name, Span span) {
        Buf b = BUF(l->arena);
        const Chain *links[LIMIT_EXTENDS_DEPTH + 1];
        size_t n = 0;

        for (const Chain *c = chain; c && n <= LIMIT_EXTENDS_DEPTH; c = c->parent)
                links[n++] = c;
        while (n > 0)
                buf_printf(&b, "%s -> ", links[--n]->service);
        diag_error(l->diag, span, "extends-cycle", "services extend each other in a circle: %s%s",
                   buf_text(&b), name);
        diag_hint(l->diag, "remove one 'extends' of the circle in %s",
                  sources_shown(l->sources, l->arena, file->path));
}

static bool chain_holds(const Chain *chain, const Extended *file, const char *name) {
        for (; chain; chain = chain->parent)
                if (str_equal(chain->file->path, file->path) && str_equal(chain->service, name))
                        return true;
        return false;
}

/* Another file: parsed, in long forms and with absolute paths, once for each variables and path. */
static Extended *extended_open(Load *l, const Scope *scope, const Node *file) {
        const char *path = path_join(l->arena, scope->dir, file->text);
        const char *id = arena_printf(l->arena, "%p:%s", (const void *) scope->env, path);
        Extended *known = map_get(&l->extended, id);
        Node *doc, *services;

        if (known)
                return known;
        doc = file_parse(l, scope, path, file->span);
        if (!doc)
                return NULL;
        services = node_get(doc, "services");
        if (!services || services->kind != NODE_MAPPING) {
                diag_error(l->diag, file->span, "extends", "%s has no services to extend",
                           sources_shown(l->sources, l->arena, path));
                diag_hint(l->diag, "name a Compose file with a 'services:' section");
                return NULL;
        }
        unique_apply(l, doc);
        expand_apply(l, doc);
        paths_resolve(l, doc, path_parent(l->arena, path));
        services = node_get(doc, "services");
        known = extended_new(l, path, services);
        map_set(l->arena, &l->extended, id, known);
        return known;
}

static void report_missing(Load *l, const Extended *file, const Node *ref, const char *name) {
        const char **names = arena_new_array(l->arena, const char *, file->services->n + 1);
        const char *near;

        for (size_t i = 0; i < file->services->n; i++)
                names[i] = file->services->pairs[i].key->text;
        near = str_nearest(ref->text, names, file->services->n);
        diag_error(l->diag, ref->span, "extends", "service '%s' extends '%s', which is not in %s", name,
                   ref->text, sources_shown(l->sources, l->arena, file->path));
        if (near)
                diag_hint(l->diag, "did you mean '%s'?", near);
        else
                diag_hint(l->diag, "name a service of that file");
}

/* The service that another one starts from, resolved; NULL if there is none or after an error. */
static Node *base_find(Load *l, const Scope *scope, Extended *file, const char *name, const Node *extends,
                       const Chain *chain) {
        const Node *ref = extends, *other = NULL;

        if (extends->kind == NODE_MAPPING) {
                ref = node_get(extends, "service");
                other = node_get(extends, "file");
        }
        if (!ref || ref->kind != NODE_STRING || (other && other->kind != NODE_STRING)) {
                diag_error(l->diag, extends->span, "extends", "service '%s' does not say what it extends",
                           name);
                diag_hint(l->diag, "write 'extends: SERVICE', or 'service:' and 'file:' below it");
                return NULL;
        }
        if (other) {
                file = extended_open(l, scope, other);
                if (!file)
                        return NULL;
        }
        if (!extended_find(file, ref->text)) {
                report_missing(l, file, ref, name);
                return NULL;
        }
        if (chain_holds(chain, file, ref->text)) {
                report_cycle(l, chain, file, ref->text, ref->span);
                return NULL;
        }
        if (chain->depth >= LIMIT_EXTENDS_DEPTH) {
                diag_error(l->diag, ref->span, "extends-depth",
                           "more than %d services extend each other in a row", LIMIT_EXTENDS_DEPTH);
                diag_hint(l->diag, "extend the first one directly");
                return NULL;
        }
        return service_resolve(l, scope, file, ref->text, chain);
}

static Node *service_resolve(Load *l, const Scope *scope, Extended *file, const char *name,
                             const Chain *parent) {
        Chain chain = {
                .parent = parent, .file = file, .service = name, .depth = parent ? parent->depth + 1 : 0
        };
        NodePair *pair = extended_find(file, name);
        Node *service = pair->value, *base;
        const Node *extends = node_get(service, "extends");

        if (!extends || map_get(&file->done, name))
                return service;
        if (extends->kind == NODE_NULL || extends->tag == NODE_TAG_RESET)
                return service;
        base = base_find(l, scope, file, name, extends, &chain);
        (void) node_remove(service, "extends");
        if (!base)
                return service;
        if (base->kind == NODE_MAPPING) {
                base = node_copy(l->arena, base);
                merge_clean(base);
                (void) node_remove(base, "extends");
                pair->value = merge_services(l, base, service);
        }
        map_set(l->arena, &file->done, name, pair->value);
        return pair->value;
}

void extends_apply(Load *l, const Scope *scope, const char *path, Node *doc) {
        Node *services = node_get(doc, "services");
        Extended *file;

        if (!services || services->tag == NODE_TAG_RESET)
                return;
        if (services->kind != NODE_MAPPING) { /* also where other files have services */
                diag_error(l->diag, node_get_pair(doc, "services")->key->span, "wrong-type",
                           "services must be a mapping, not %s", node_kind_name(services->kind));
                diag_hint(l->diag, "give it a service, or remove the key");
                (void) node_remove(doc, "services");
                return;
        }
        file = extended_new(l, path, services);
        for (size_t i = 0; i < services->n; i++)
                if (services->pairs[i].value->kind == NODE_MAPPING)
                        (void) service_resolve(l, scope, file, services->pairs[i].key->text, NULL);
}
