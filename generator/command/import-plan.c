/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/command/import-plan.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "generator/base/str.h"
#include "generator/compose/compose.h"
#include "generator/config/config.h"
#include "generator/facts/handles.h"

/* The files that a compile reads have to be under /etc, which is there when generators run. What containers
 * mount is there when they start, wherever it is: directories stay, by their absolute path; small files are
 * copied, since they are part of the configuration. */
enum { COPIED_BYTES_MAX = 64 * 1024 };

static bool is_inside(const Compiled *c, const char *path) {
        return path_is_within(path, c->dir) && !str_equal(path, c->dir);
}

void import_plan_add(Session *s, ImportPlan *p, ImportFile file) {
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
                import_plan_add(s, p,
                                (ImportFile){
                                        .name = path + strlen(c->dir) + 1,
                                        .from = path,
                                        .mode = is_compose_file(path) && !holds_secret(p->before, number)
                                                        ? 0644
                                                        : 0600,
                                });
        }
}

/* ---- what containers use ---- */

bool import_plan_copy(Session *s, const Compiled *c, ImportPlan *p, const char *path) {
        struct stat st;

        if (!is_inside(c, path) || stat(path, &st) < 0 || !S_ISREG(st.st_mode) ||
            st.st_size > COPIED_BYTES_MAX)
                return false;
        /* Whoever reads it in a container goes by its mode. */
        import_plan_add(s, p,
                        (ImportFile){ .name = path + strlen(c->dir) + 1,
                                      .from = path,
                                      .mode = st.st_mode & 0755,
                                      .uid = st.st_uid,
                                      .mounted = true });
        return true;
}

const ImportFile *import_plan_find(const ImportPlan *p, const char *name) {
        for (size_t i = 0; i < p->n_files; i++)
                if (str_equal(p->files[i].name, name))
                        return p->files + i;
        return NULL;
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

/* ---- secrets ---- */

static bool has_item(const Node *list, const char *source) {
        for (size_t i = 0; list && list->kind == NODE_SEQUENCE && i < list->n; i++)
                if (str_equal(node_get_text(list->items[i], "source"), source))
                        return true;
        return false;
}

static size_t count_text(const Node *n, const char *text) {
        size_t count = node_is_scalar(n) && str_equal(n->text, text) ? 1 : 0;

        for (size_t i = 0; n->kind == NODE_SEQUENCE && i < n->n; i++)
                count += count_text(n->items[i], text);
        for (size_t i = 0; n->kind == NODE_MAPPING && i < n->n; i++)
                count += count_text(n->pairs[i].value, text);
        return count;
}

/* Its owner in the container, as far as the stack says: an image may choose any user. */
static bool runs_as(const Node *service, uid_t uid) {
        const char *user = node_get_text(service, "user");
        char *end;

        if (!user || node_get(service, "userns_mode"))
                return false;
        if (str_equal(user, "root") || str_has_prefix(user, "root:"))
                return uid == 0;
        if (*user < '0' || *user > '9')
                return false;
        return strtoul(user, &end, 10) == uid && (*end == '\0' || *end == ':');
}

/* The first service that might read the secret otherwise than as its owner. */
static const char *other_reader(const Node *model, const char *secret, uid_t uid) {
        const Node *services = node_get(model, "services");

        for (size_t i = 0; services && i < services->n; i++)
                if (has_item(node_get(services->pairs[i].value, "secrets"), secret) &&
                    !runs_as(services->pairs[i].value, uid))
                        return services->pairs[i].key->text;
        return NULL;
}

/* A secret is its owner's alone, unless that might take it away from who reads it in a container. */
static void plan_secrets(Compiled *c, ImportPlan *p) {
        const Node *all = node_get(p->before, "secrets");

        for (size_t i = 0; all && all->kind == NODE_MAPPING && i < all->n; i++) {
                const Node *path = node_get(all->pairs[i].value, "file");
                const char *reader;
                ImportFile *f;

                if (!node_is_scalar(path) || !is_inside(c, path->text))
                        continue;
                f = (ImportFile *) import_plan_find(p, path->text + strlen(c->dir) + 1);
                if (!f || !f->mounted || (f->mode & 0077) == 0)
                        continue;
                reader = other_reader(p->before, all->pairs[i].key->text, f->uid);
                if (!reader && count_text(p->before, path->text) == 1) {
                        f->mode &= 0700;
                        continue;
                }
                if ((f->mode & 0007) == 0)
                        continue;
                diag_warning(&c->diag, path->span, "secret-readable",
                             "everybody on this host may read the copy of %s: its mode is %04o, as before",
                             path->text, (unsigned) f->mode);
                if (reader)
                        diag_hint(&c->diag,
                                  "chmod 0600 it, and chown it to the user that '%s' reads it as; if 'user:' "
                                  "says "
                                  "that number, import does it",
                                  reader);
                else
                        diag_hint(&c->diag,
                                  "it is used as something else, too: give the secret a file of its own");
        }
}

const char *const import_profiles[1] = { "*" };

/* The stack with the services of all profiles, since those that sleep move along. */
static Node *load_before(Session *s, Compiled *c) {
        const CompileInput input = {
                .stack = c->stack,
                .dir = c->dir,
                .file = c->file,
                .profiles = import_profiles,
                .n_profiles = ELEMENTS(import_profiles),
        };
        Diag quiet = { .arena = s->arena, .sources = &c->sources };
        Node *model = compile_model(s->arena, &c->sources, &quiet, &input);
        const DiagEntry *first = NULL;

        for (size_t i = 0; !first && i < quiet.n_entries; i++)
                if (quiet.entries[i].level == DIAG_ERROR)
                        first = quiet.entries + i;
        if (!model) {
                diag_error(
                        &c->diag, first ? first->span : (Span){ 0 }, "profiles-unread",
                        "a service of a profile that is not active would move along, and cannot be read: %s",
                        first ? first->text : "no reason is known");
                diag_hint(&c->diag, "correct it, or take it out of the file");
                if (first && first->hide_source)
                        diag_hide_source(&c->diag);
        }
        return model;
}

void import_plan(Session *s, Compiled *c, ImportPlan *ret) {
        *ret = (ImportPlan){ .override = json_object(),
                             .to = arena_printf(s->arena, CONFIG_DIR "/%s", c->stack) };
        ret->before = load_before(s, c);
        if (!ret->before)
                return;
        plan_sources(s, c, ret);
        name_main_file(s, c, ret);
        if (c->diag.n_errors == 0)
                import_move(s, c, ret);
        plan_secrets(c, ret);
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
