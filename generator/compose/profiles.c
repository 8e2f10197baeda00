/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "generator/base/str.h"
#include "generator/compose/value.h"

/* Services without an active profile leave the model, and so do networks, volumes, secrets and
 * configs that nobody uses then. */

static bool profile_is_active(const Load *l, const char *profile) {
        const EnvVar *variable;

        for (size_t i = 0; i < l->options->n_profiles; i++)
                if (str_equal(l->options->profiles[i], "*") || str_equal(l->options->profiles[i], profile))
                        return true;
        variable = l->options->n_profiles == 0 ? env_lookup(l->env, "COMPOSE_PROFILES") : NULL;
        for (const char *p = variable ? variable->value : l->options->n_profiles == 0 ? "" : NULL; p;) {
                size_t length, blanks = strspn(p, " \t");

                p += blanks;
                length = strcspn(p, ",");
                while (length > 0 && (p[length - 1] == ' ' || p[length - 1] == '\t'))
                        length--;
                if ((length == 1 && *p == '*') ||
                    (length == strlen(profile) && strncmp(p, profile, length) == 0))
                        return true;
                p = strchr(p, ',');
                if (p)
                        p++;
        }
        return false;
}

static bool service_is_active(const Load *l, const Node *service) {
        const Node *profiles = node_get(service, "profiles");

        if (!profiles || profiles->n == 0)
                return true;
        for (size_t i = 0; i < profiles->n; i++)
                if (profile_is_active(l, profiles->items[i]->text))
                        return true;
        return false;
}

Map profiles_apply(Load *l, Node *model) {
        Node *services = node_get(model, "services");
        Map inactive = { 0 };
        size_t kept = 0;

        for (size_t i = 0; i < services->n; i++) {
                if (service_is_active(l, services->pairs[i].value))
                        services->pairs[kept++] = services->pairs[i];
                else
                        map_set(l->arena, &inactive, services->pairs[i].key->text, services->pairs[i].value);
        }
        services->n = kept;
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
        for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
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
