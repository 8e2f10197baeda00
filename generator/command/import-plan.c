/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/command/import-plan.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "generator/base/str.h"
#include "generator/command/output.h"
#include "generator/compose/compose.h"
#include "generator/facts/handles.h"

/* The files that a compile reads have to be under /etc, which is there when generators run. What containers
 * mount is there when they start, wherever it is: directories stay, by their absolute path; small files are
 * copied, since they are part of the configuration. */
enum { COPIED_BYTES_MAX = 64 * 1024 };

#define OVERRIDE_NAME "compose.override.yaml"

static bool is_inside(const Compiled *c, const char *path) {
        return path_is_within(path, c->dir) && !str_equal(path, c->dir);
}

static void add_file(Session *s, ImportPlan *p, ImportFile file) {
        for (size_t i = 0; i < p->n_files; i++)
                if (str_equal(p->files[i].name, file.name))
                        return;
        p->files = arena_grow(s->arena, p->files, sizeof(ImportFile), &p->capacity, p->n_files + 1);
        p->files[p->n_files++] = file;
}

/* ---- what the compile has read ---- */

/* A secret that the file itself spells out. */
static bool holds_secret(const Node *n, uint32_t file) {
        if (n->secret && n->span.file == file && !n->interpolated)
                return true;
        for (size_t i = 0; n->kind == NODE_SEQUENCE && i < n->n; i++)
                if (holds_secret(n->items[i], file))
                        return true;
        for (size_t i = 0; n->kind == NODE_MAPPING && i < n->n; i++)
                if (holds_secret(n->pairs[i].value, file))
                        return true;
        return false;
}

static bool is_compose_file(const char *path) {
        return str_has_suffix(path, ".yaml") || str_has_suffix(path, ".yml");
}

static void plan_sources(Session *s, Compiled *c, ImportPlan *p) {
        for (size_t i = 0; i < c->sources.n_files; i++) {
                const SourceFile *f = c->sources.files + i;
                uint32_t number = (uint32_t) i + 1;
                const Span whole = { .file = number };
                const char *path;

                if (!f->bytes)
                        continue;
                path = path_join(s->arena, c->dir, f->path);
                if (!is_inside(c, path)) {
                        diag_error(&c->diag, whole, "outside",
                                   "%s is part of the stack and lies outside of its directory", path);
                        diag_hint(&c->diag, "move it below %s, so that it can come along", c->dir);
                        continue;
                }
                add_file(
                        s, p,
                        (ImportFile){
                                .name = path + strlen(c->dir) + 1,
                                .from = path,
                                .mode = is_compose_file(path) && !holds_secret(c->node, number) ? 0644 : 0600,
                        });
        }
}

/* ---- what containers use ---- */

/* Plans a copy if it is a small file; true if it has to stay where it is. */
static bool stays(Session *s, const Compiled *c, ImportPlan *p, const char *path) {
        struct stat st;

        if (!path || !is_inside(c, path))
                return path && str_equal(path, c->dir);
        if (stat(path, &st) < 0 || !S_ISREG(st.st_mode) || st.st_size > COPIED_BYTES_MAX)
                return true;
        /* Whoever reads it in a container goes by its mode. */
        add_file(s, p,
                 (ImportFile){ .name = path + strlen(c->dir) + 1,
                               .from = path,
                               .mode = st.st_mode & 0755,
                               .mounted = true });
        return false;
}

static json_t *member(json_t *object, const char *key, json_t *(*make)(void) ) {
        json_t *there = json_object_get(object, key);

        if (!there) {
                there = make();
                json_put(object, key, there);
        }
        return there;
}

static json_t *of_service(ImportPlan *p, const Service *sv) {
        return member(member(p->override, "services", json_object), sv->name, json_object);
}

static void note_kept(Compiled *c, const Node *n, const char *path) {
        diag_note(&c->diag, n->span, "kept",
                  "%s stays where it is: " OVERRIDE_NAME " names it by its absolute path", path);
}

/* A node as JSON, as Compose would print it: "$" doubled. */
static json_t *node_json(Session *s, const Node *n) {
        return json_loads(compose_to_json(s->arena, n), JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
}

static void plan_mounts(Session *s, Compiled *c, ImportPlan *p, const Service *sv) {
        const Node *volumes = node_get(sv->node, "volumes");

        for (size_t i = 0; volumes && i < volumes->n; i++) {
                const Node *mount = volumes->items[i];
                const char *source = node_get_text(mount, "source");

                if (!str_equal(node_get_text(mount, "type"), "bind") || !stays(s, c, p, source))
                        continue;
                (void) json_array_append_new(member(of_service(p, sv), "volumes", json_array),
                                             node_json(s, mount));
                note_kept(c, mount, source);
        }
}

static void plan_build(Session *s, Compiled *c, ImportPlan *p, const Service *sv) {
        const Node *build = node_get(sv->node, "build"), *context = node_get(build, "context"),
                   *more = node_get(build, "additional_contexts");

        if (node_is_scalar(context) && stays(s, c, p, context->text)) {
                json_put(member(of_service(p, sv), "build", json_object), "context", node_json(s, context));
                note_kept(c, context, context->text);
        }
        for (size_t i = 0; more && more->kind == NODE_MAPPING && i < more->n; i++) {
                const Node *value = more->pairs[i].value;

                if (!node_is_scalar(value) || !stays(s, c, p, value->text))
                        continue;
                json_put(member(member(of_service(p, sv), "build", json_object), "additional_contexts",
                                json_object),
                         more->pairs[i].key->text, node_json(s, value));
                note_kept(c, value, value->text);
        }
}

/* Secrets and configs; those that are too large for a copy are named by their place. */
static void plan_definitions(Session *s, Compiled *c, ImportPlan *p, const char *section) {
        const Node *all = node_get(c->node, section);

        for (size_t i = 0; all && all->kind == NODE_MAPPING && i < all->n; i++) {
                const Node *file = node_get(all->pairs[i].value, "file");

                if (!node_is_scalar(file) || !stays(s, c, p, file->text))
                        continue;
                json_put(member(member(p->override, section, json_object), all->pairs[i].key->text,
                                json_object),
                         "file", node_json(s, file));
                note_kept(c, file, file->text);
        }
}

static void plan_volumes(Session *s, Compiled *c, ImportPlan *p) {
        const Node *all = node_get(c->node, "volumes");

        for (size_t i = 0; all && all->kind == NODE_MAPPING && i < all->n; i++) {
                const Node *device = node_get(node_get(all->pairs[i].value, "driver_opts"), "device");

                if (!node_is_scalar(device) || !stays(s, c, p, device->text))
                        continue;
                json_put(member(member(member(p->override, "volumes", json_object), all->pairs[i].key->text,
                                       json_object),
                                "driver_opts", json_object),
                         "device", node_json(s, device));
                note_kept(c, device, device->text);
        }
}

/* Networks and volumes are called after the project, which is called after the directory. */
static void plan_name(Session *s, const Compiled *c, ImportPlan *p) {
        const char *project = node_get_text(c->node, "name"),
                   *derived = compose_name_normalize(s->arena, strrchr(c->dir, '/') + 1);

        if (project && str_equal(project, derived) && !str_equal(project, c->stack))
                json_put(p->override, "name", json_text(s, project));
}

static bool has_override(const ImportPlan *p) {
        static const char *const names[] = { "compose.override.yaml", "compose.override.yml",
                                             "docker-compose.override.yaml", "docker-compose.override.yml" };

        for (size_t i = 0; i < p->n_files; i++)
                for (size_t j = 0; j < ELEMENTS(names); j++)
                        if (str_equal(p->files[i].name, names[j]))
                                return true;
        return false;
}

/* A single file of another name than Compose looks for becomes compose.yaml. */
static void name_main_file(Session *s, const Compiled *c, ImportPlan *p) {
        const char *found[2];
        Sources sources = { .arena = s->arena, .read = c->sources.read, .userdata = c->sources.userdata };

        if (!c->file)
                return;
        if (compose_find_files(s->arena, &sources, NULL, c->dir, found) > 0 &&
            str_equal(path_join(s->arena, c->dir, found[0]), c->file))
                return;
        for (size_t i = 0; i < p->n_files; i++)
                if (str_equal(p->files[i].from, c->file))
                        p->files[i].name = "compose.yaml";
}

static void plan_override(Session *s, Compiled *c, ImportPlan *p) {
        _cleanup_free_ char *json = NULL;
        const char *text;

        if (json_object_size(p->override) == 0)
                return;
        if (has_override(p)) {
                diag_error(&c->diag, (Span){ .file = 1 }, "override-taken",
                           "what is relative would have to be kept in an override file, and the stack has "
                           "one already");
                diag_hint(&c->diag,
                          "make the paths absolute that the notes name, and write 'name:' at the top");
                return;
        }
        json = json_dumps(p->override, JSON_INDENT(2));
        if (!json)
                abort();
        text = arena_printf(s->arena,
                            "# Made by unitproof import: keeps in place what was relative to %s.\n"
                            "# JSON is YAML; edit it as you like.\n%s\n",
                            str_printable(s->arena, c->dir), json);
        add_file(s, p,
                 (ImportFile){ .name = OVERRIDE_NAME, .text = text, .length = strlen(text), .mode = 0600 });
}

void import_plan(Session *s, Compiled *c, ImportPlan *ret) {
        *ret = (ImportPlan){ .override = json_object() };
        plan_sources(s, c, ret);
        for (size_t i = 0; i < c->model->n_services; i++) {
                plan_mounts(s, c, ret, c->model->services + i);
                plan_build(s, c, ret, c->model->services + i);
        }
        plan_definitions(s, c, ret, "secrets");
        plan_definitions(s, c, ret, "configs");
        plan_volumes(s, c, ret);
        plan_name(s, c, ret);
        plan_override(s, c, ret);
        name_main_file(s, c, ret);
}

/* ---- advice ---- */

bool import_client_waits(const Service *sv) {
        for (size_t i = 0; i < sv->n_depends; i++)
                if (sv->depends[i].service == sv->tunnel && sv->depends[i].condition == DEPENDS_HEALTHY)
                        return true;
        return false;
}

void import_advise(Session *s, Compiled *c) {
        (void) s;
        for (size_t i = 0; i < c->model->n_services; i++) {
                const Service *sv = c->model->services + i;

                if (!sv->tunnel || import_client_waits(sv))
                        continue;
                diag_warning(&c->diag, sv->owner_span, "not-gated",
                             "'%s' is behind '%s' and does not wait until that is healthy", sv->name,
                             sv->tunnel->name);
                diag_hint(&c->diag,
                          "its egress proof holds it back in any case; write depends_on: {%s: {condition: "
                          "service_healthy}} for engines that have no proofs",
                          sv->tunnel->name);
        }
}
