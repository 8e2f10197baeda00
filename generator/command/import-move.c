/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "generator/base/buf.h"
#include "generator/base/map.h"
#include "generator/base/str.h"
#include "generator/command/import-plan.h"
#include "generator/command/output.h"
#include "generator/compose/compose.h"
#include "generator/facts/handles.h"

/* What becomes of the model when its files are moved. No table says which keys hold paths: the model is
 * resolved where the files are and once more where they would be, and what differs is kept by the override
 * file. In the end the two have to be the same. */

#define OVERRIDE_NAME "compose.override.yaml"
/* What the override file would say, in the trial without one. */
#define TRIAL_NAME ".import-trial.yaml"

typedef struct Move {
        Session *s;
        Compiled *c;
        ImportPlan *p;
        const char *taken;   /* name of the override file that is there already, or NULL */
        bool is_last;        /* the override file is made: what differs now is an error */
        bool is_whole;       /* lists of mounts are replaced as a whole */
        const Node *kept;    /* the entry of a list that was kept last */
        Map asked;           /* paths that were read where the stack is, or would have been */
        const char *trial;   /* text of TRIAL_NAME, or NULL */
        const char *outside; /* read in the new place, out of its directory */
} Move;

/* Where a value stands in the model. */
typedef struct Place {
        const struct Place *up; /* NULL: top level */
        const char *key;        /* NULL: an entry of a list */
        const Node *list, *item;
} Place;

static Span main_file(Compiled *c) {
        const int file = c->file ? sources_open(&c->sources, c->file) : 1;

        return (Span){ .file = file > 0 ? (uint32_t) file : 0 };
}

/* ---- reading in the new place ---- */

static int read_there(void *userdata, Arena *a, const char *path, char **ret_bytes, size_t *ret_length) {
        Move *m = userdata;
        const ImportFile *f;
        const char *name, *text;

        if (!path_is_within(path, m->p->to) || str_equal(path, m->p->to)) {
                if (!m->outside && !map_get(&m->asked, path))
                        m->outside = arena_strdup(a, path);
                return -ENOENT;
        }
        name = path + strlen(m->p->to) + 1;
        f = import_plan_find(m->p, name);
        if (f && f->from)
                return source_read_file((void *) "", a, f->from, ret_bytes, ret_length);
        text = f ? f->text : m->trial && str_equal(name, TRIAL_NAME) ? m->trial : NULL;
        if (!text)
                return -ENOENT;
        *ret_bytes = arena_strdup(a, text);
        *ret_length = strlen(text);
        return 0;
}

/* Data roots are the one path that is not resolved by what knows Compose. */
static void resolve_data(Arena *a, Node *model, const char *dir) {
        Node *data = node_get(node_get(model, "x-unitproof"), "data");
        const size_t n = !data ? 0 : data->kind == NODE_SEQUENCE ? data->n : 1;

        for (size_t i = 0; i < n; i++) {
                Node *root = data->kind == NODE_SEQUENCE ? data->items[i] : data;
                Node *path = root->kind == NODE_MAPPING ? node_get(root, "path") : root;

                if (node_is_scalar(path))
                        path->text = path_join(a, dir, path->text);
        }
}

static Node *load_there(Move *m) {
        Sources sources = { .arena = m->s->arena, .read = read_there, .userdata = m };
        Diag quiet = { .arena = m->s->arena, .sources = &sources };
        const char *files[3];
        ComposeOptions o = { .project_dir = m->p->to,
                             .files = files,
                             .profiles = import_profiles,
                             .n_profiles = ELEMENTS(import_profiles) };
        Node *model;

        m->outside = NULL;
        o.n_files = compose_find_files(m->s->arena, &sources, NULL, m->p->to, files);
        if (o.n_files > 0 && m->trial)
                files[o.n_files++] = path_join(m->s->arena, m->p->to, TRIAL_NAME);
        model = o.n_files > 0 ? compose_load(m->s->arena, &sources, &quiet, &o) : NULL;
        if (m->outside) {
                diag_error(
                        &m->c->diag, main_file(m->c), "outside",
                        "a file outside of the stack's directory belongs to it if it is there, and would be "
                        "looked for as %s",
                        m->outside);
                diag_hint(&m->c->diag, "name it by its absolute path, or by one below %s", m->c->dir);
                return NULL;
        }
        for (size_t i = 0; !model && i < quiet.n_entries; i++)
                if (quiet.entries[i].level == DIAG_ERROR) {
                        diag_error(&m->c->diag, main_file(m->c), "moves",
                                   "the stack would not compile in %s: %s", m->p->to, quiet.entries[i].text);
                        diag_hint(&m->c->diag, "%s",
                                  quiet.entries[i].hint ?: "call its files as Docker Compose looks for them");
                        return NULL;
                }
        resolve_data(m->s->arena, model, m->p->to);
        return model;
}

/* ---- keeping ---- */

static json_t *member(json_t *object, const char *key, json_t *(*make)(void) ) {
        json_t *there = json_object_get(object, key);

        if (!there) {
                there = make();
                json_put(object, key, there);
        }
        return there;
}

static json_t *holder(Move *m, const Place *at) {
        return at ? member(holder(m, at->up), at->key, json_object) : m->p->override;
}

/* A node as JSON, as Compose would print it: "$" doubled. */
static json_t *node_json(Move *m, const Node *n) {
        return json_loads(compose_to_json(m->s->arena, n), JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, NULL);
}

/* Keys from the top, "*" is any; entries of lists have none. */
static bool place_is(const Place *at, const char *const *keys, size_t n) {
        for (; at && n > 0; at = at->up, n--)
                if (!at->key || (!str_equal(keys[n - 1], "*") && !str_equal(keys[n - 1], at->key)))
                        return false;
        return !at && n == 0;
}

#define PLACE_IS(at, ...)                                                                                    \
        place_is((at), (const char *const[]){ __VA_ARGS__ }, ELEMENTS(((const char *const[]){ __VA_ARGS__ })))

static bool is_mount_source(const Place *at) {
        return at->key && str_equal(at->key, "source") && at->up && at->up->item &&
               PLACE_IS(at->up->up, "services", "*", "volumes");
}

/* Nothing but files that containers read as they are. */
static bool may_be_copied(const Place *at) {
        return is_mount_source(at) || PLACE_IS(at, "secrets", "*", "file") ||
               PLACE_IS(at, "configs", "*", "file");
}

static bool is_copied(const Move *m, const Node *before, const Node *after) {
        const char *dir = m->c->dir, *to = m->p->to;

        return path_is_within(before->text, dir) && path_is_within(after->text, to) &&
               before->text[strlen(dir)] == '/' &&
               str_equal(before->text + strlen(dir), after->text + strlen(to)) &&
               import_plan_find(m->p, before->text + strlen(dir) + 1);
}

/* The line of an env file may hold a secret. */
static void hide_line(Move *m, const Node *n) {
        const SourceFile *f = sources_get(&m->c->sources, n->span.file);

        if (!f || (!str_has_suffix(f->path, ".yaml") && !str_has_suffix(f->path, ".yml")))
                diag_hide_source(&m->c->diag);
}

static void report(Move *m, const Node *before, const Node *after) {
        const bool shown =
                node_is_scalar(before) && node_is_scalar(after) && !before->secret && !after->secret;
        Diag *d = &m->c->diag;

        if (shown)
                diag_error(d, before->span, "moves", "this would be '%s' in %s, no longer '%s'", after->text,
                           m->p->to, before->text);
        else
                diag_error(d, before->span, "moves", "this would be something else in %s", m->p->to);
        diag_hint(d, "write what does not depend on the directory of the file, such as an absolute path");
        hide_line(m, before);
}

static void report_taken(Move *m, const Node *before) {
        Diag *d = &m->c->diag;

        diag_error(d, before->span, "override-taken",
                   "this depends on the directory of the file, and the override file that would keep it is "
                   "there already: %s",
                   m->taken);
        if (before->secret)
                diag_hint(d, "write here what it stands for");
        else
                diag_hint(d, "write here: %s", before->text);
        hide_line(m, before);
}

static void note_kept(Move *m, const Place *at, const Node *before) {
        if (before->text[0] == '/' && !before->secret)
                diag_note(&m->c->diag, before->span, "kept",
                          "%s stays where it is: " OVERRIDE_NAME " names it by its absolute path",
                          before->text);
        else
                diag_note(&m->c->diag, before->span, "kept",
                          "'%s' stays as it was: " OVERRIDE_NAME " says so", at->key ?: "this");
        hide_line(m, before);
}

/* The whole list, with what is copied where the copy will be. */
static json_t *mounts_json(Move *m, const Node *mounts) {
        json_t *list = json_array();

        for (size_t i = 0; i < mounts->n; i++) {
                json_t *mount = node_json(m, mounts->items[i]);
                const char *source = json_string_value(json_object_get(mount, "source")), *copy;

                copy = source && path_is_within(source, m->c->dir) ? source + strlen(m->c->dir) : "";
                if (*copy == '/' && import_plan_find(m->p, copy + 1))
                        json_put(mount, "source", json_text(m->s, arena_printf(m->s->arena, ".%s", copy)));
                (void) json_array_append_new(list, mount);
        }
        return list;
}

/* Mounts are merged by their target, so that an entry replaces one; a list of another kind would grow. */
static bool keep_in_list(Move *m, const Place *entry) {
        json_t *list;

        if (PLACE_IS(entry->up, "services", "*", "volumes")) {
                if (m->is_whole) {
                        json_put(holder(m, entry->up->up), "volumes", mounts_json(m, entry->list));
                        return true;
                }
                list = member(holder(m, entry->up->up), "volumes", json_array);
                if (m->kept != entry->item)
                        (void) json_array_append_new(list, node_json(m, entry->item));
                m->kept = entry->item;
                return true;
        }
        if (!PLACE_IS(entry->up, "services", "*", "develop", "watch") &&
            !PLACE_IS(entry->up, "x-unitproof", "data"))
                return false;
        json_put(holder(m, entry->up->up), entry->up->key, node_json(m, entry->list));
        return true;
}

static void settle(Move *m, const Place *at, const Node *before, const Node *after) {
        const Place *entry = NULL;

        if (is_copied(m, before, after))
                return;
        if (m->is_last || str_equal(at->key, SECRET_VALUE_KEY)) {
                report(m, before, after);
                return;
        }
        if (may_be_copied(at) && import_plan_copy(m->s, m->c, m->p, before->text) &&
            is_copied(m, before, after))
                return;
        if (m->taken) {
                report_taken(m, before);
                return;
        }
        for (const Place *p = at; p; p = p->up)
                if (!p->key)
                        entry = p;
        if (entry && !keep_in_list(m, entry)) {
                report(m, before, after);
                return;
        }
        if (!entry)
                json_put(holder(m, at->up), at->key, node_json(m, before));
        note_kept(m, at, before);
}

static void compare(Move *m, const Place *at, const Node *before, const Node *after) {
        if (before->kind != after->kind || (!node_is_scalar(before) && before->n != after->n)) {
                report(m, before, after);
                return;
        }
        if (before->kind == NODE_MAPPING)
                for (size_t i = 0; i < before->n; i++) {
                        const NodePair *pair = before->pairs + i;
                        const Place in = { .up = at, .key = pair->key->text };
                        const Node *there = node_get(after, in.key);

                        if (there)
                                compare(m, &in, pair->value, there);
                        else
                                report(m, pair->value, after);
                }
        else if (before->kind == NODE_SEQUENCE)
                for (size_t i = 0; i < before->n; i++) {
                        const Place in = { .up = at, .list = before, .item = before->items[i] };

                        compare(m, &in, before->items[i], after->items[i]);
                }
        else if (before->kind != NODE_NULL && !str_equal(before->text, after->text))
                settle(m, at, before, after);
}

/* ---- the override file ---- */

static const char *find_override(const ImportPlan *p) {
        static const char *const names[] = { "compose.override.yml", "compose.override.yaml",
                                             "docker-compose.override.yml", "docker-compose.override.yaml" };

        for (size_t i = 0; i < ELEMENTS(names); i++)
                if (import_plan_find(p, names[i]))
                        return names[i];
        return NULL;
}

/* Lists replace those of the stack's files, where they would be merged with themselves. Within a text the
 * quotes would be escaped. */
static const char *tag_lists(Move *m, const char *json, const char *key) {
        const char *mark = arena_printf(m->s->arena, "\"%s\": [", key);
        Buf b = BUF(m->s->arena);

        for (const char *at; (at = strstr(json, mark)); json = at + strlen(mark)) {
                buf_add_mem(&b, json, (size_t) (at - json));
                buf_printf(&b, "\"%s\": !override [", key);
        }
        buf_add(&b, json);
        return buf_text(&b);
}

static const char *override_text(Move *m) {
        _cleanup_free_ char *json = json_dumps(m->p->override, JSON_INDENT(2));
        const char *text;

        if (!json)
                abort();
        text = tag_lists(m, tag_lists(m, json, "watch"), "data");
        if (m->is_whole)
                text = tag_lists(m, text, "volumes");
        return arena_printf(m->s->arena,
                            "# Made by unitproof import: keeps in place what was relative to %s.\n"
                            "# JSON is YAML; edit it as you like.\n%s\n",
                            str_printable(m->s->arena, m->c->dir), text);
}

/* Networks and volumes are called after the project, which may be called after the directory. */
static void keep_name(Move *m, const Node *there) {
        const char *project = node_get_text(m->p->before, "name");

        if (!project || str_equal(project, node_get_text(there, "name")))
                return;
        json_put(m->p->override, "name", json_text(m->s, project));
        if (!m->taken)
                return;
        diag_error(
                &m->c->diag, main_file(m->c), "override-taken",
                "the project is called '%s' after its directory, would be called '%s', and the override file "
                "that would keep its name is there already: %s",
                project, m->c->stack, m->taken);
        diag_hint(&m->c->diag, "write 'name: %s' at the top, or import it with --name %s", project, project);
}

/* What is looked for where the stack is, whether it is there or not. */
static int read_asked(void *userdata, Arena *a, const char *path, char **ret_bytes, size_t *ret_length) {
        map_set(a, &((Move *) userdata)->asked, arena_strdup(a, path), userdata);
        return source_read_file((void *) "", a, path, ret_bytes, ret_length);
}

static void note_asked(Move *m) {
        Sources sources = { .arena = m->s->arena, .read = read_asked, .userdata = m };
        Diag quiet = { .arena = m->s->arena, .sources = &sources };
        const CompileInput input = { .stack = m->c->stack,
                                     .dir = m->c->dir,
                                     .file = m->c->file,
                                     .profiles = import_profiles,
                                     .n_profiles = ELEMENTS(import_profiles) };

        (void) compile_model(m->s->arena, &sources, &quiet, &input);
}

/* True if the override file is made, whether it does what it should or not. */
static bool keep(Move *m) {
        ImportPlan *p = m->p;
        const char *text = NULL;
        Node *there;

        m->trial = NULL;
        m->is_last = false;
        m->kept = NULL;
        there = load_there(m);
        if (there)
                keep_name(m, there);
        if (json_object_size(p->override) > 0) {
                m->trial = override_text(m);
                there = load_there(m);
        }
        if (there)
                compare(m, NULL, p->before, there);
        if (m->c->diag.n_errors > 0)
                return false;
        if (json_object_size(p->override) > 0)
                text = override_text(m);
        if (text)
                import_plan_add(
                        m->s, p,
                        (ImportFile){
                                .name = OVERRIDE_NAME, .text = text, .length = strlen(text), .mode = 0600 });
        m->trial = NULL;
        m->is_last = true;
        there = load_there(m);
        if (there)
                compare(m, NULL, p->before, there);
        return true;
}

void import_move(Session *s, Compiled *c, ImportPlan *p) {
        Move m = { .s = s, .c = c, .p = p, .taken = find_override(p) };
        const Diag before = c->diag;

        note_asked(&m);
        resolve_data(s->arena, p->before, c->dir);
        if (!keep(&m) || c->diag.n_errors == 0 || m.taken || json_object_size(p->override) == 0)
                return;
        /* A target that is written otherwise than it is resolved, "/data/" for one, has no match. */
        c->diag = before;
        p->n_files--;
        json_object_clear(p->override);
        m.is_whole = true;
        (void) keep(&m);
}
