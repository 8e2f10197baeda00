/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "generator/base/buf.h"
#include "generator/base/str.h"
#include "generator/compose/consistency.h"
#include "generator/compose/value.h"

/* What one part of the model says about another: names that must exist, keys that exclude each
 * other. */

const char *nearest_key(Load *l, const Node *mapping, const char *name) {
        size_t n = mapping && mapping->kind == NODE_MAPPING ? mapping->n : 0;
        const char **names = arena_new_array(l->arena, const char *, n + 1);

        for (size_t i = 0; i < n; i++)
                names[i] = mapping->pairs[i].key->text;
        return str_nearest(name, names, n);
}

static void hint_section(Load *l, const Node *section, const char *title, const char *name) {
        const char *near = nearest_key(l, section, name);

        if (near)
                diag_hint(l->diag, "did you mean '%s'?", near);
        else
                diag_hint(l->diag, "add '%s:' under the top-level '%s:'", name, title);
}

static void check_resource(const Check *c, const char *section, const char *what, const Node *at,
                           const char *name) {
        const Node *known = node_get(c->model, section);

        if (mapping_find(known, name))
                return;
        diag_error(c->load->diag, at->span, arena_printf(c->load->arena, "undefined-%s", what),
                   "service '%s' refers to the undefined %s '%s'", c->name, what, name);
        hint_section(c->load, known, section, name);
}

static void check_sources(const Check *c, const Node *list, const char *section, const char *what) {
        for (size_t i = 0; list && i < list->n; i++) {
                const Node *source = node_get(list->items[i], "source");

                if (source) {
                        check_resource(c, section, what, source, source->text);
                        continue;
                }
                diag_error(c->load->diag, list->items[i]->span, "missing-key",
                           "a %s of service '%s' lacks its 'source'", what, c->name);
                diag_hint(c->load->diag, "name one of the top-level '%s:'", section);
        }
}

static void check_networks(const Check *c) {
        const NodePair *networks = node_get_pair(c->service, "networks");
        const NodePair *mode = node_get_pair(c->service, "network_mode");

        if (networks && mode && networks->value->n > 0) {
                diag_error(c->load->diag, mode->key->span, "exclusive",
                           "service '%s' has both 'network_mode' and 'networks'", c->name);
                diag_hint(c->load->diag, "remove one of the two");
                return;
        }
        for (size_t i = 0; networks && i < networks->value->n; i++)
                check_resource(c, "networks", "network", networks->value->pairs[i].key,
                               networks->value->pairs[i].key->text);
}

static void check_volumes(const Check *c) {
        const Node *volumes = node_get(c->service, "volumes");

        for (size_t i = 0; volumes && i < volumes->n; i++) {
                const Node *source = node_get(volumes->items[i], "source");

                if (source && str_equal(node_get_text(volumes->items[i], "type"), "volume"))
                        check_resource(c, "volumes", "volume", source, source->text);
        }
}

static void check_mount_targets(const Check *c) {
        const Node *tmpfs = node_get(c->service, "tmpfs"), *volumes = node_get(c->service, "volumes");
        size_t n = (tmpfs ? tmpfs->n : 0) + (volumes ? volumes->n : 0);
        Map seen = { 0 };

        for (size_t i = 0; i < n; i++) {
                const Node *entry =
                        tmpfs && i < tmpfs->n ? tmpfs->items[i] : volumes->items[i - (tmpfs ? tmpfs->n : 0)];
                const char *target, *options;
                const Node *first;

                target = entry->kind == NODE_STRING ? value_cut(c->load, entry, ':', &options)
                                                    : node_get_text(entry, "target");
                first = target ? map_get(&seen, target) : NULL;
                if (first) {
                        diag_error(c->load->diag, entry->span, "duplicate-mount",
                                   "service '%s' mounts '%s' twice", c->name, target);
                        diag_hint(c->load->diag, "the other one is at %s",
                                  diag_position(c->load->diag, c->load->arena, first->span));
                } else if (target)
                        map_set(c->load->arena, &seen, target, (void *) entry);
        }
}

static void report_missing_service(const Check *c, const Node *at, const char *name, const char *verb) {
        const Node *inactive = map_get(c->inactive, name);
        const char *near = nearest_key(c->load, c->services, name);

        diag_error(c->load->diag, at->span, inactive ? "inactive-service" : "undefined-service",
                   "service '%s' %s '%s', which %s", c->name, verb, name,
                   inactive ? "has no active profile" : "is no service of this project");
        if (inactive)
                diag_hint(c->load->diag, "activate one of its profiles, or write 'required: false' for it");
        else if (near)
                diag_hint(c->load->diag, "did you mean '%s'?", near);
        else
                diag_hint(c->load->diag, "define the service, or remove the reference");
}

static void check_dependencies(const Check *c) {
        const Node *depends = node_get(c->service, "depends_on"),
                   *mode = node_get(c->service, "network_mode");
        const char *joined = mode && str_has_prefix(mode->text, "service:") ? mode->text + 8 : NULL;

        if (joined && !mapping_find(c->services, joined))
                report_missing_service(c, mode, joined, "joins the network of");
        for (size_t i = 0; depends && i < depends->n; i++) {
                const NodePair *pair = depends->pairs + i;
                bool required = node_get_bool(pair->value, "required", true);

                if (mapping_find(c->services, pair->key->text) || str_equal(pair->key->text, joined))
                        continue;
                if (!required && map_get(c->inactive, pair->key->text))
                        continue;
                report_missing_service(c, pair->key, pair->key->text, "depends on");
        }
}

static void check_health(const Check *c) {
        const Node *test = node_get(node_get(c->service, "healthcheck"), "test");
        const char *first = test && test->n > 0 ? test->items[0]->text : "NONE";

        if (str_equal(first, "CMD") || str_equal(first, "CMD-SHELL") || str_equal(first, "NONE"))
                return;
        diag_error(c->load->diag, test->items[0]->span, "bad-value",
                   "the test of a health check starts with CMD, CMD-SHELL or NONE, not '%s'", first);
        diag_hint(c->load->diag, "write [CMD, %s, …]", first);
}

static void check_image(const Check *c) {
        const Node *image = node_get(c->written, "image");

        if (node_get(c->service, "image") || node_get(c->service, "build") ||
            node_get(c->service, "provider"))
                return;
        if (node_is_scalar(image)) {
                diag_error(c->load->diag, image->span, "no-image", "the image of service '%s' is empty",
                           c->name);
                diag_hint(c->load->diag, image->interpolated ? "set the variables that it is made of"
                                                             : "give the name of an image");
                return;
        }
        diag_error(c->load->diag, c->key->span, "no-image", "service '%s' has neither an image nor a build",
                   c->name);
        diag_hint(c->load->diag, "add 'image:'");
}

static void check_build(const Check *c) {
        const Node *build = node_get(c->service, "build"), *contexts = node_get(build, "additional_contexts");
        const Node *platforms = node_get(build, "platforms"), *platform = node_get(c->service, "platform");
        bool found = !platforms || !platform;

        if (node_get(build, "dockerfile") && node_get(build, "dockerfile_inline"))
                diag_error(c->load->diag, build->span, "exclusive",
                           "service '%s' has both 'dockerfile' and 'dockerfile_inline'", c->name);
        for (size_t i = 0; contexts && i < contexts->n; i++) {
                const Node *context = contexts->pairs[i].value;

                if (!str_has_prefix(context->text, "service:"))
                        continue;
                if (!mapping_find(c->services, context->text + 8))
                        report_missing_service(c, context, context->text + 8, "builds from");
                else if (!node_get(mapping_find(c->services, context->text + 8), "build"))
                        diag_error(c->load->diag, context->span, "bad-value",
                                   "service '%s' builds from '%s', which is not built here", c->name,
                                   context->text + 8);
        }
        for (size_t i = 0; !found && i < platforms->n; i++)
                found = str_equal(platforms->items[i]->text, platform->text);
        if (!found)
                diag_error(c->load->diag, platform->span, "bad-value", "the platforms of the build lack '%s'",
                           platform->text);
        check_sources(c, node_get(build, "secrets"), "secrets", "secret");
}

static void check_watch(const Check *c) {
        const Node *watch = node_get(node_get(c->service, "develop"), "watch");

        for (size_t i = 0; watch && i < watch->n; i++) {
                const char *action = node_get_text(watch->items[i], "action");

                if (node_get(watch->items[i], "target") || str_equal(action, "rebuild") ||
                    str_equal(action, "restart"))
                        continue;
                diag_error(c->load->diag, watch->items[i]->span, "missing-key", "a watch lacks its 'target'");
                diag_hint(c->load->diag, "add the path inside the container as 'target:'");
        }
}

static void check_container_names(Load *l, const Node *services) {
        Map names = { 0 };

        for (size_t i = 0; i < services->n; i++) {
                Node *name = node_get(services->pairs[i].value, "container_name"), *other;

                if (!name)
                        continue;
                other = map_get(&names, name->text);
                if (other) {
                        diag_error(l->diag, name->span, "duplicate-container-name",
                                   "two services have the container name '%s'", name->text);
                        diag_hint(l->diag, "the other one is at %s",
                                  diag_position(l->diag, l->arena, other->span));
                } else
                        map_set(l->arena, &names, name->text, name);
        }
}

static void check_secrets(Load *l, const Node *secrets) {
        for (size_t i = 0; secrets && i < secrets->n; i++) {
                const NodePair *pair = secrets->pairs + i;

                if (node_get(pair->value, "external") || node_get(pair->value, "file") ||
                    node_get(pair->value, "environment"))
                        continue;
                diag_error(l->diag, pair->key->span, "missing-key", "secret '%s' has no content",
                           pair->key->text);
                diag_hint(l->diag, "give 'file:' or 'environment:'");
        }
}

void consistency_check(Load *l, const Node *model, const Node *written, const Map *inactive) {
        const Node *services = node_get(model, "services");

        for (size_t i = 0; i < services->n; i++) {
                Check c = {
                        .load = l,
                        .model = model,
                        .services = services,
                        .inactive = inactive,
                        .key = services->pairs[i].key,
                        .name = services->pairs[i].key->text,
                        .service = services->pairs[i].value,
                        .written = node_get(node_get(written, "services"), services->pairs[i].key->text),
                };

                check_image(&c);
                check_build(&c);
                check_networks(&c);
                check_health(&c);
                check_dependencies(&c);
                check_volumes(&c);
                check_sources(&c, node_get(c.service, "configs"), "configs", "config");
                check_sources(&c, node_get(c.service, "secrets"), "secrets", "secret");
                check_limits(&c);
                check_watch(&c);
                check_mount_targets(&c);
        }
        check_secrets(l, node_get(model, "secrets"));
        check_container_names(l, services);
        check_cycles(l, services);
}
