/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "generator/base/buf.h"
#include "generator/base/str.h"
#include "generator/compose/value.h"

/* Services without an active profile leave the model, and so do networks, volumes, secrets and
 * configs that nobody uses then. */

typedef struct Requested {
        const char *name;
        Span span;
        bool known; /* a service has it */
} Requested;

typedef struct Request {
        Requested *items;
        size_t n;
} Request;

static Request request_of_options(const Load *l) {
        const ComposeOptions *o = l->options;
        Request r = { .items = arena_new_array(l->arena, Requested, o->n_profiles) };

        for (size_t i = 0; i < o->n_profiles; i++)
                r.items[r.n++] = (Requested){
                        .name = o->profiles[i],
                        .span = o->profile_spans ? o->profile_spans[i] : (Span){ 0 },
                };
        return r;
}

/* COMPOSE_PROFILES: names between commas, with blanks around them. Without it, one name that is empty, which
 * a service may have. */
static Request request_of_variable(const Load *l) {
        const EnvVar *variable = env_lookup(l->env, "COMPOSE_PROFILES");
        Request r = { 0 };
        size_t capacity = 0;

        for (const char *p = variable ? variable->value : ""; p;) {
                size_t length;

                p += strspn(p, " \t");
                length = strcspn(p, ",");
                while (length > 0 && (p[length - 1] == ' ' || p[length - 1] == '\t'))
                        length--;
                r.items = arena_grow(l->arena, r.items, sizeof(Requested), &capacity, r.n + 1);
                r.items[r.n++] = (Requested){ .name = arena_strndup(l->arena, p, length),
                                              .span = variable ? variable->span : (Span){ 0 } };
                p = strchr(p, ',');
                if (p)
                        p++;
        }
        return r;
}

static bool service_is_active(const Request *r, const Node *service) {
        const Node *profiles = node_get(service, "profiles");
        bool active = !profiles || profiles->n == 0;

        for (size_t i = 0; profiles && i < profiles->n; i++)
                for (size_t j = 0; j < r->n; j++) {
                        bool same = str_equal(r->items[j].name, profiles->items[i]->text);

                        r->items[j].known |= same;
                        active |= same || str_equal(r->items[j].name, "*");
                }
        return active;
}

typedef struct Known {
        const char **names; /* that services have, without repetitions, in the order of the file */
        size_t n, capacity;
        Map seen;
} Known;

static void note_profiles(Arena *a, Known *known, Node *service) {
        const Node *profiles = node_get(service, "profiles");

        for (size_t i = 0; profiles && i < profiles->n; i++) {
                const char *name = profiles->items[i]->text;

                if (map_get(&known->seen, name))
                        continue;
                map_set(a, &known->seen, name, service);
                known->names = arena_grow(a, known->names, sizeof(char *), &known->capacity, known->n + 1);
                known->names[known->n++] = name;
        }
}

/* Docker Compose says nothing, and leaves out what was meant. */
static void warn_unknown(Load *l, const Requested *item, const Known *known) {
        const char *near = str_nearest(item->name, known->names, known->n);
        Buf list = BUF(l->arena);

        for (size_t i = 0; i < known->n; i++)
                buf_printf(&list, "%s%s", i > 0 ? ", " : "", known->names[i]);
        diag_warning(l->diag, item->span, "unknown-profile", "no service has the profile '%s'",
                     str_shorten(l->arena, item->name, 80));
        if (near)
                diag_hint(l->diag, "did you mean '%s'?", near);
        else if (known->n > 0)
                diag_hint(l->diag, "there are: %s", str_shorten(l->arena, buf_text(&list), 200));
        else
                diag_hint(l->diag, "no service has any, so that all of them are active");
}

/* An empty name is none, and "*" is all. */
static bool is_unknown(const Requested *item) {
        return !item->known && item->name[0] && !str_equal(item->name, "*");
}

Map profiles_apply(Load *l, Node *model) {
        Node *services = node_get(model, "services");
        Request request = l->options->n_profiles > 0 ? request_of_options(l) : request_of_variable(l);
        Known known = { 0 };
        Map inactive = { 0 };
        size_t kept = 0;

        for (size_t i = 0; i < services->n; i++) {
                NodePair *pair = services->pairs + i;

                note_profiles(l->arena, &known, pair->value);
                if (service_is_active(&request, pair->value))
                        services->pairs[kept++] = *pair;
                else
                        map_set(l->arena, &inactive, pair->key->text, pair->value);
        }
        services->n = kept;
        for (size_t i = 0; i < request.n; i++)
                if (is_unknown(request.items + i))
                        warn_unknown(l, request.items + i, &known);
        return inactive;
}

static void use(Load *l, Map *used, const char *section, const char *name, Node *by) {
        map_set(l->arena, used, arena_printf(l->arena, "%s.%s", section, name), by);
}

static void use_sources(Load *l, Map *used, const char *section, Node *list) {
        for (size_t i = 0; list && i < list->n; i++) {
                const char *source = node_get_text(list->items[i], "source");

                if (source)
                        use(l, used, section, source, list);
        }
}

static void use_resources(Load *l, Map *used, Node *service) {
        Node *networks = node_get(service, "networks"), *volumes = node_get(service, "volumes");

        for (size_t i = 0; networks && i < networks->n; i++)
                use(l, used, "networks", networks->pairs[i].key->text, service);
        for (size_t i = 0; volumes && i < volumes->n; i++) {
                const char *source = node_get_text(volumes->items[i], "source");

                if (source && str_equal(node_get_text(volumes->items[i], "type"), "volume"))
                        use(l, used, "volumes", source, service);
        }
        use_sources(l, used, "secrets", node_get(service, "secrets"));
        use_sources(l, used, "secrets", node_get(node_get(service, "build"), "secrets"));
        use_sources(l, used, "configs", node_get(service, "configs"));
}

void resources_prune(Load *l, Node *model) {
        static const char *const sections[] = { "networks", "volumes", "secrets", "configs" };
        const Node *services = node_get(model, "services");
        Map used = { 0 };

        for (size_t i = 0; i < services->n; i++)
                use_resources(l, &used, services->pairs[i].value);
        for (size_t i = 0; i < ELEMENTS(sections); i++) {
                Node *section = node_get(model, sections[i]);
                size_t kept = 0;

                for (size_t j = 0; section && j < section->n; j++) {
                        const char *name = section->pairs[j].key->text;

                        if (map_get(&used, arena_printf(l->arena, "%s.%s", sections[i], name)))
                                section->pairs[kept++] = section->pairs[j];
                }
                if (section && kept == 0)
                        (void) node_remove(model, sections[i]);
                else if (section)
                        section->n = kept;
        }
}
