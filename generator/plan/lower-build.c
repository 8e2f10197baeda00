/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <ctype.h>

#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* "build": a .build file for each service that has one. The unit runs podman build once for each start of the
 * stack; where nothing changed that is a look at the cache. Its containers want it and wait for it, but do
 * not require it: what was built before runs on if a build fails, as with Compose, which builds only what is
 * not there. Arguments go by a file that only root reads (decision 0004). */

/* ---- names ---- */

const char *lower_image_name(Lower *l, const Service *s) {
        const char *image = node_get_text(s->node, "image");
        char *name;

        if (image && image[0])
                return image;
        name = (char *) arena_printf(l->arena, "%s-%s", l->stack->project, s->name);
        for (char *p = name; *p; p++)
                *p = (char) tolower((unsigned char) *p);
        return name;
}

void lower_read_builds(Lower *l) {
        Map by_image = { 0 };

        for (size_t i = 0; i < l->stack->n_services; i++) {
                const Service *s = l->stack->services + i;

                if (node_is_null(node_get(s->node, "build")))
                        continue;
                l->builders[i] = s;
                if (!map_get(&by_image, lower_image_name(l, s)))
                        map_set(l->arena, &by_image, lower_image_name(l, s), (void *) s);
        }
        /* An image that one service builds and others only name is not pulled (mustPull() of Compose). */
        for (size_t i = 0; i < l->stack->n_services; i++)
                if (!l->builders[i])
                        l->builders[i] = map_get(&by_image, lower_image_name(l, l->stack->services + i));
}

/* Podman's own rule for what it builds: a name without a registry is this host's. */
const char *lower_built_name(Lower *l, const Service *s) {
        const char *image = lower_image_name(l, s);
        size_t n = strcspn(image, "/");

        if (image[n] == '/' && (memchr(image, '.', n) || memchr(image, ':', n) ||
                                (n == strlen("localhost") && str_has_prefix(image, "localhost"))))
                return image;
        return arena_printf(l->arena, "localhost/%s", image);
}

const char *lower_build_unit(Lower *l, const Service *s) {
        return arena_printf(l->arena, "%s-%s-build.service", l->stack->name, s->name);
}

static bool is_image_name(const char *name) {
        return name[0] && name[0] != '-' && !strpbrk(name, " \t\n") && !str_has_suffix(name, ".build") &&
               !str_has_suffix(name, ".image");
}

/* ---- where from ---- */

/* TempDirForURL() of buildah. */
static bool is_url(const char *context) {
        static const char *const prefixes[] = { "http://", "https://", "git://", "github.com/" };

        for (size_t i = 0; i < ELEMENTS(prefixes); i++)
                if (str_has_prefix(context, prefixes[i]))
                        return true;
        return false;
}

static void write_mounts_for(Draft *d, const Node *n, const char *path) {
        d->unit.span = n->span;
        unit_line(&d->unit, "RequiresMountsFor", ESCAPE_PATH_LIST, path_normalize(d->lower->arena, path));
}

static void write_dockerfile(Draft *d, const Node *build, const char *context) {
        const Node *file = node_get(build, "dockerfile"), *text = node_get(build, "dockerfile_inline");
        Lower *l = d->lower;

        if (node_is_scalar(text)) {
                const char *name = arena_printf(l->arena, "%s.containerfile", d->service->name);

                lower_private(l, name, text->span, 0600, text->text);
                unit_line(&d->container, "File", ESCAPE_QUADLET_SCALAR,
                          arena_printf(l->arena, "%s/%s", l->private_path, name));
        } else if (node_is_scalar(file) && file->text[0]) {
                const char *path = context[0] == '/' ? path_join(l->arena, context, file->text) : file->text;

                draft_line(d, &d->container, "File", ESCAPE_QUADLET_SCALAR, file, path);
                if (path[0] == '/' && !path_is_within(path, context))
                        write_mounts_for(d, file, path);
        }
}

static void write_context(Draft *d, const Node *build) {
        const Node *context = node_get(build, "context");
        const char *text = node_is_scalar(context) ? context->text : d->lower->stack->project_dir;

        if (node_is_scalar(context) && context->secret) {
                draft_refuse(d, context,
                             "the place that '%s' is built from holds a secret, and it would stand in "
                             "a unit",
                             d->service->name);
                diag_hint(d->lower->diag, "clone it beside the Compose file, and name the directory");
                return;
        }
        if (text[0] != '/' && !is_url(text)) {
                draft_refuse(d, context, "Podman cannot build '%s' from '%s'", d->service->name,
                             escape_for_message(d->lower->arena, text, 80));
                diag_hint(d->lower->diag, "name a directory, or a URL of http, https or git");
                return;
        }
        d->container.span = build->span;
        unit_line(&d->container, "SetWorkingDirectory", ESCAPE_QUADLET_SCALAR, text);
        if (text[0] == '/')
                write_mounts_for(d, node_is_scalar(context) ? context : build, text);
        write_dockerfile(d, build, text);
}

static void write_more_context(Draft *d, const NodePair *p) {
        static const char *const known[] = { "docker-image://", "docker://", "container-image://", "http://",
                                             "https://" };
        Lower *l = d->lower;
        const char *text = node_is_scalar(p->value) ? p->value->text : "", *value = NULL;

        if (str_has_prefix(text, "service:")) {
                const Service *other = stack_find(l->stack, text + strlen("service:"));

                if (!other) {
                        draft_refuse(d, p->value,
                                     "'%s' is built from the image of '%s', which this stack does not have",
                                     d->service->name, text + strlen("service:"));
                        return;
                }
                other = l->builders[lower_index(l, other)];
                if (!other) {
                        draft_refuse(d, p->value,
                                     "'%s' is built from the image of '%s', which is not built here",
                                     d->service->name, text + strlen("service:"));
                        return;
                }
                value = arena_printf(l->arena, "container-image://%s", lower_built_name(l, other));
                deps_add(l->arena, &d->deps, DEP_REQUIRES, lower_build_unit(l, other));
                deps_add(l->arena, &d->deps, DEP_AFTER, lower_build_unit(l, other));
        } else if (text[0] == '/') {
                value = text;
                write_mounts_for(d, p->value, text);
        }
        for (size_t i = 0; !value && i < ELEMENTS(known); i++)
                if (str_has_prefix(text, known[i]))
                        value = text;
        if (value)
                draft_podman_arg(d, &d->container, "--build-context", p->value,
                                 arena_printf(l->arena, "%s=%s", p->key->text, value));
        else
                draft_refuse(d, p->value, "Podman cannot take '%s' as a build context",
                             escape_for_message(l->arena, text, 80));
}

/* ---- what with ---- */

static void write_argument(Draft *d, Buf *file, const NodePair *p) {
        const char *name = p->key->text, *value = node_is_scalar(p->value) ? p->value->text : "";

        if (!name[0] || name[0] == '#' || strpbrk(name, "=\n")) {
                draft_refuse(d, p->key, "'%s' is no name of a build argument",
                             escape_for_message(d->lower->arena, name, 80));
                return;
        }
        if (p->value->secret) {
                diag_warning(d->lower->diag, p->value->span, "secret-visible",
                             "the build argument '%s' of '%s' holds a secret, and it stays in the history of "
                             "the image",
                             name, d->service->name);
                diag_hint(d->lower->diag, "hand it over with 'secrets' of 'build'");
        }
        if (!strchr(value, '\n'))
                buf_printf(file, "%s=%s\n", name, value);
        else if (p->value->secret)
                draft_refuse(d, p->value, "a secret of several lines cannot be a build argument");
        else
                draft_podman_arg(d, &d->container, "--build-arg", p->value,
                                 arena_printf(d->lower->arena, "%s=%s", name, value));
}

static void write_arguments(Draft *d, const Node *args) {
        Lower *l = d->lower;
        const char *name = arena_printf(l->arena, "%s.build-args", d->service->name);
        Buf file = BUF(l->arena);

        for (size_t i = 0; args && args->kind == NODE_MAPPING && i < args->n; i++)
                write_argument(d, &file, args->pairs + i);
        if (file.len == 0)
                return;
        lower_private(l, name, args->span, 0600, buf_text(&file));
        d->container.span = args->span;
        unit_line(&d->container, "PodmanArgs", ESCAPE_QUADLET_ARGV,
                  arena_printf(l->arena, "--build-arg-file=%s/%s", l->private_path, name));
}

static void write_secret(Draft *d, const Node *use) {
        Lower *l = d->lower;
        const char *source = node_get_text(use, "source") ?: "", *target = node_get_text(use, "target");
        const Node *definition = node_get(node_get(l->stack->model, "secrets"), source);
        const char *id = target && target[0] ? target : source, *file = node_get_text(definition, "file");
        const Node *content = lower_file_content(definition);

        if (content && (!file || file[0] != '/')) {
                const char *name = arena_printf(l->arena, "%s.build-secrets.%s", d->service->name, source);

                lower_private(l, name, use->span, 0600, content->text);
                file = arena_printf(l->arena, "%s/%s", l->private_path, name);
        } else if (file && file[0] == '/')
                write_mounts_for(d, use, file);
        if (!file || file[0] != '/') {
                draft_refuse_valueless(d, use, source, definition);
                return;
        }
        draft_line(d, &d->container, "Secret", ESCAPE_QUADLET_ARGV, use,
                   arena_printf(l->arena, "%s,%s", value_csv(l->arena, arena_printf(l->arena, "id=%s", id)),
                                value_csv(l->arena, arena_printf(l->arena, "src=%s", file))));
}

static void write_ssh(Draft *d, const Node *use) {
        const char *path = strchr(use->text, '=');

        if (!path || path[1] != '/') {
                draft_refuse(d, use,
                             "no SSH agent runs where units do, so that '%s' cannot be built with '%s'",
                             d->service->name, escape_for_message(d->lower->arena, use->text, 80));
                diag_hint(d->lower->diag, "name a key or a socket by its path: default=/path");
                return;
        }
        draft_podman_arg(d, &d->container, "--ssh", use, use->text);
}

static void write_network(Draft *d, const Node *network) {
        const char *text = node_is_scalar(network) ? network->text : "default";

        if (str_equal(text, "host") || str_equal(text, "none"))
                draft_line(d, &d->container, "Network", ESCAPE_WORD, network, text);
        else if (text[0] && !str_equal(text, "default")) {
                draft_refuse(d, network, "'%s' cannot be built in the network '%s'", d->service->name,
                             escape_for_message(d->lower->arena, text, 80));
                diag_hint(d->lower->diag, "BuildKit knows host, none and default, and so do we");
        }
}

/* Compose builds for the service's platform, else for the host's, whatever others the list has. */
static void write_platform(Draft *d, const Node *build) {
        const Node *own = node_get(d->service->node, "platform"), *all = node_get(build, "platforms");

        if (node_is_scalar(own) && own->text[0])
                draft_podman_arg(d, &d->container, "--platform", own, own->text);
        else if (all && all->kind == NODE_SEQUENCE && all->n == 1)
                draft_podman_arg(d, &d->container, "--platform", all->items[0], all->items[0]->text);
        else if (all && all->kind == NODE_SEQUENCE && all->n > 1)
                diag_note(d->lower->diag, all->span, "different",
                          "the image of '%s' is built for this host's platform alone", d->service->name);
}

static void write_list(Draft *d, const Node *list, void (*write)(Draft *d, const Node *n)) {
        for (size_t i = 0; list && list->kind == NODE_SEQUENCE && i < list->n; i++)
                write(d, list->items[i]);
}

static void write_tag(Draft *d, const Node *tag) {
        if (is_image_name(tag->text))
                draft_line(d, &d->container, "ImageTag", ESCAPE_QUADLET_LINE, tag, tag->text);
        else
                draft_refuse(d, tag, "'%s' is no name of an image",
                             escape_for_message(d->lower->arena, tag->text, 80));
}

static void write_label(Draft *d, const NodePair *p) {
        draft_line(d, &d->container, "Label", ESCAPE_QUADLET_KEYVAL, p->value,
                   arena_printf(d->lower->arena, "%s=%s", p->key->text,
                                node_is_scalar(p->value) ? p->value->text : ""));
}

static void write_pairs(Draft *d, const Node *map, void (*write)(Draft *d, const NodePair *p)) {
        for (size_t i = 0; map && map->kind == NODE_MAPPING && i < map->n; i++)
                write(d, map->pairs + i);
}

static void write_host(Draft *d, const Node *n) {
        size_t at = strcspn(n->text, "=:");
        const char *address = n->text[at] ? n->text + at + 1 : "";
        size_t length = strlen(address);

        if (length > 1 && address[0] == '[' && address[length - 1] == ']')
                address = arena_strndup(d->lower->arena, address + 1, length - 2);
        draft_podman_arg(d, &d->container, "--add-host", n,
                         arena_printf(d->lower->arena, "%.*s:%s", (int) at, n->text, address));
}

/* What is left out: it makes a build quicker or signs it, and changes nothing in the image. */
static void note_left_out(Draft *d, const Node *build) {
        static const char *const keys[] = { "cache_from", "cache_to", "provenance", "sbom", "entitlements" };

        for (size_t i = 0; i < ELEMENTS(keys); i++) {
                const NodePair *p = node_get_pair(build, keys[i]);

                if (p && !node_is_null(p->value) && (node_is_scalar(p->value) || p->value->n > 0))
                        diag_note(d->lower->diag, p->key->span, "different",
                                  "build.%s of '%s' is left out: it is BuildKit's, and Podman has a cache of "
                                  "its own",
                                  keys[i], d->service->name);
        }
}

static void refuse_rights(Draft *d, const Node *build) {
        const Node *privileged = node_get(build, "privileged"), *isolation = node_get(build, "isolation");

        if (node_is_scalar(privileged) && value_is_true(privileged))
                draft_refuse(d, privileged, "a build with the rights of the host is not done for '%s'",
                             d->service->name);
        if (node_is_scalar(isolation) && isolation->text[0] && !str_equal(isolation->text, "default"))
                draft_refuse(d, isolation, "'isolation' of a build is a choice of Windows containers");
}

static void write_build(Draft *d, const Node *build) {
        const Node *target = node_get(build, "target"), *pull = node_get(build, "pull"),
                   *no_cache = node_get(build, "no_cache"), *shm = node_get(build, "shm_size");
        UnitWriter *w = &d->container;

        write_context(d, build);
        write_list(d, node_get(build, "tags"), write_tag);
        if (node_is_scalar(target) && target->text[0])
                draft_line(d, w, "Target", ESCAPE_QUADLET_SCALAR, target, target->text);
        write_arguments(d, node_get(build, "args"));
        write_pairs(d, node_get(build, "labels"), write_label);
        write_pairs(d, node_get(build, "additional_contexts"), write_more_context);
        write_network(d, node_get(build, "network"));
        write_list(d, node_get(build, "secrets"), write_secret);
        write_list(d, node_get(build, "ssh"), write_ssh);
        write_list(d, node_get(build, "extra_hosts"), write_host);
        write_platform(d, build);
        if (node_is_scalar(pull) && value_is_true(pull))
                draft_line(d, w, "Pull", ESCAPE_WORD, pull, "always");
        if (node_is_scalar(no_cache) && value_is_true(no_cache))
                unit_line(w, "PodmanArgs", ESCAPE_QUADLET_ARGV, "--no-cache");
        if (node_is_scalar(shm) && !str_equal(shm->text, "0"))
                draft_podman_arg(d, w, "--shm-size", shm, shm->text);
        draft_build_ulimits(d, node_get(build, "ulimits"));
        note_left_out(d, build);
        refuse_rights(d, build);
}

static void lower_build(Lower *l, const Service *s, const Node *build) {
        Draft d = {
                .lower = l,
                .service = s,
                .key = "build",
                .container = unit_writer(l->arena, l->diag),
                .unit = unit_writer(l->arena, l->diag),
                .lines = unit_writer(l->arena, l->diag),
                .words = BUF(l->arena),
                .words_name = arena_printf(l->arena, "%s.build-words", s->name),
        };
        const Node *image = node_get(s->node, "image");
        const char *name = lower_built_name(l, s),
                   *file = arena_printf(l->arena, "%s-%s.build", l->stack->name, s->name);
        UnitWriter unit = unit_writer(l->arena, l->diag);

        d.network = &d.container;
        if (!is_image_name(name) || (node_is_scalar(image) && image->secret)) {
                draft_refuse(&d, node_is_scalar(image) ? image : build,
                             "'%s' is no name for an image that is built here",
                             node_is_scalar(image) && image->secret ? "a secret"
                                                                    : escape_for_message(l->arena, name, 80));
                return;
        }
        d.container.span = d.lines.span = build->span;
        unit_line(&d.container, "ImageTag", ESCAPE_QUADLET_LINE, name);
        write_build(&d, build);
        draft_write_words(&d);
        deps_add(l->arena, &d.deps, DEP_PART_OF, l->target);
        if (l->engine)
                deps_add(l->arena, &d.deps, DEP_AFTER, proof_unit_name(l->arena, l->stack, l->engine));
        deps_write(&d.deps, &unit);
        buf_add(&unit.buf, unit_writer_text(&d.unit));

        const TemplateValue values[] = {
                { TOKEN_NOTE, lower_note(l, build->span, "The image of service '%s' of stack '%s'", s->name,
                                         l->stack->name) },
                { TOKEN_DESCRIPTION, arena_printf(l->arena, "%s: image of %s", l->stack->name, s->name) },
                { TOKEN_UNIT_LINES, unit_writer_text(&unit) },
                { TOKEN_LINES, unit_writer_text(&d.container) },
                { TOKEN_SERVICE_LINES, unit_writer_text(&d.lines) },
        };

        lower_quadlet(
                l, file, lower_build_unit(l, s), build->span,
                template_fill(l->arena, l->diag, build->span, &template_build, values, ELEMENTS(values)));
}

void lower_builds(Lower *l) {
        for (size_t i = 0; i < l->stack->n_services; i++) {
                const Service *s = l->stack->services + i;

                if (l->builders[i] == s)
                        lower_build(l, s, node_get(s->node, "build"));
        }
}

/* The container's side. */
void draft_built_image(Draft *d) {
        Lower *l = d->lower;
        const Service *builder = l->builders[lower_index(l, d->service)];
        const char *unit;

        if (!builder)
                return;
        unit = lower_build_unit(l, builder);
        unit_line(&d->container, "Image", ESCAPE_QUADLET_SCALAR, lower_built_name(l, builder));
        unit_line(&d->container, "Pull", ESCAPE_WORD, "never");
        deps_add(l->arena, &d->deps, DEP_WANTS, unit);
        deps_add(l->arena, &d->deps, DEP_AFTER, unit);
}
