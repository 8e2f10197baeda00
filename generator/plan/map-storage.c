/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <ctype.h>
#include <stdlib.h>

#include "generator/base/str.h"
#include "generator/compose/compose.h"
#include "generator/plan/lower.h"

/* Mounts. Volume= splits at ":" and quadlet 5.4 makes of its source a RequiresMountsFor= without quotes, so
 * only plain paths go there; others are a --mount, which quadlet does not look at. The unit gets its own,
 * quoted RequiresMountsFor= in both cases. */

static bool path_is_plain(const char *path) {
        return !path[strspn(path, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._@+-")];
}

/* "name=value" as one field of --mount=. */
static void add_field(Buf *b, const char *name, const char *value) {
        buf_printf(b, "%s%s", b->len > 0 ? "," : "",
                   value_csv(b->arena, value ? arena_printf(b->arena, "%s=%s", name, value) : name));
}

/* The name of a single file: Compose would make a directory of that name, which nobody wants. */
static bool path_says_file(const char *path) {
        const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
        bool letter = false;

        if (!dot || dot == name || strlen(dot) > 8 || str_equal(dot, ".d"))
                return false;
        for (const char *p = dot + 1; *p; p++) {
                if (!isalnum((unsigned char) *p))
                        return false;
                letter |= isalpha((unsigned char) *p) != 0;
        }
        return letter;
}

bool plan_creates(const Stack *stack, const char *path) {
        static const char *const system_paths[] = { "/dev", "/etc", "/proc",   "/run",
                                                    "/sys", "/usr", "/var/run" };

        if (path_says_file(path) || str_equal(path, "/"))
                return false;
        if (path_is_within(path, stack->project_dir))
                return true;
        for (size_t i = 0; i < ELEMENTS(system_paths); i++)
                if (path_is_within(path, system_paths[i]))
                        return false;
        return true;
}

static void add_string(Draft *d, const char ***list, size_t *n, size_t *capacity, const char *s) {
        *list = arena_grow(d->lower->arena, *list, sizeof(char *), capacity, *n + 1);
        (*list)[(*n)++] = s;
}

typedef struct Claim {
        const char *what;
        Span span;
} Claim;

/* Compose compares 'volumes' and 'tmpfs' only, and their paths as they are written. */
bool draft_claim(Draft *d, const Node *n, const char *target, const char *what) {
        Arena *a = d->lower->arena;
        Claim *claim;

        target = path_normalize(a, target);
        claim = map_get(&d->targets, target);
        if (!claim) {
                claim = arena_new_object(a, Claim);
                *claim = (Claim){ .what = what, .span = n->span };
                map_set(a, &d->targets, target, claim);
                return true;
        }
        if (str_equal(claim->what, what))
                return true;
        diag_error(d->lower->diag, n->span, "duplicate-mount", "service '%s' mounts '%s' twice",
                   d->service->name, escape_for_message(a, target, 80));
        diag_hint(d->lower->diag, "the other one is at %s", diag_position(d->lower->diag, a, claim->span));
        return false;
}

/* ---- bind mounts ---- */

static bool propagation_is_known(const char *propagation) {
        static const char *const words[] = { "private", "rprivate", "rshared",    "rslave",
                                             "shared",  "slave",    "unbindable", "runbindable" };

        for (size_t i = 0; i < ELEMENTS(words); i++)
                if (str_equal(propagation, words[i]))
                        return true;
        return false;
}

static void refuse_propagation(Draft *d, const Node *mount, const char *propagation) {
        draft_refuse(d, mount, "'%s' is no propagation of a mount",
                     escape_for_message(d->lower->arena, propagation, 80));
        diag_hint(d->lower->diag, "it is one of: private, rprivate, shared, rshared, slave, rslave");
}

void draft_bind(Draft *d, const Node *mount, const char *source, const char *target, unsigned flags) {
        const Node *bind = node_get(mount, "bind");
        const char *propagation = node_get_text(bind, "propagation"),
                   *selinux = node_get_text(bind, "selinux");
        const char *recursive = node_get_text(bind, "recursive");
        bool read_only = flags & BIND_READ_ONLY, exec = flags & BIND_EXEC;
        Arena *a = d->lower->arena;
        Buf b = BUF(a);

        if (recursive && !str_equal(recursive, "enabled")) {
                draft_refuse(d, mount, "'recursive: %s' of a mount has no counterpart in Podman", recursive);
                return;
        }
        if (propagation && !propagation_is_known(propagation)) {
                refuse_propagation(d, mount, propagation);
                return;
        }
        if (strstr(source, "\r\n") || strstr(target, "\r\n")) {
                draft_refuse(d, mount,
                             "a path with a carriage return before a line break cannot be mounted by Podman");
                return;
        }
        if (!draft_claim(d, mount, target, arena_printf(a, "%s%s", read_only ? "ro:" : "rw:", source)))
                return;
        if (path_is_plain(source) && path_is_plain(target)) {
                const char *options = arena_printf(a, "%s%s%s%s%s%s", read_only ? ",ro" : "",
                                                   exec ? ",exec" : "", propagation ? "," : "",
                                                   propagation ?: "", selinux ? "," : "", selinux ?: "");

                draft_line(d, &d->container, "Volume", ESCAPE_QUADLET_LINE, mount,
                           arena_printf(a, "%s:%s%s%s", source, target, options[0] ? ":" : "",
                                        options[0] ? options + 1 : ""));
                return;
        }
        add_field(&b, "type", "bind");
        add_field(&b, "source", source);
        add_field(&b, "destination", target);
        if (read_only)
                add_field(&b, "ro", "true");
        if (exec)
                add_field(&b, "exec", NULL);
        if (propagation)
                add_field(&b, "bind-propagation", propagation);
        if (selinux)
                add_field(&b, "relabel", str_equal(selinux, "z") ? "shared" : "private");
        draft_podman_arg(d, &d->container, "--mount", mount, buf_text(&b));
}

/* "d:/data", of which Compose makes a target; or "d:/data:ro", a source and the target "ro". */
static bool starts_with_drive(const char *text) {
        return text && isalpha((unsigned char) text[0]) && text[1] == ':';
}

static void emit_bind(Draft *d, const Node *mount, const char *target) {
        const char *source = node_get_text(mount, "source");

        if (!source || source[0] != '/') {
                draft_refuse(d, mount, "a bind mount of '%s' has no absolute source", d->service->name);
                if (starts_with_drive(source))
                        diag_hint(d->lower->diag, "that is a path of Windows: name a directory of this host");
                return;
        }
        source = path_normalize(d->lower->arena, source);
        d->unit.span = mount->span;
        unit_line(&d->unit, "RequiresMountsFor", ESCAPE_PATH_LIST, source);
        if (bind_makes_source(mount) && plan_creates(d->lower->stack, source))
                add_string(d, &d->directories, &d->n_directories, &d->directories_capacity, source);
        draft_bind(d, mount, source, target,
                   node_get_bool(mount, "read_only", /* fallback= */ false) ? BIND_READ_ONLY : 0);
}

/* ---- named volumes ---- */

/* "/var/lib/db-1" as "var-lib-db_2d1": a name of its own for each path. */
static const char *path_as_name(Arena *a, const char *path) {
        Buf b = BUF(a);

        for (const char *p = path + strspn(path, "/"); *p; p++)
                if (*p == '/')
                        buf_add(&b, "-");
                else if (isalnum((unsigned char) *p))
                        buf_printf(&b, "%c", *p);
                else
                        buf_printf(&b, "_%02x", (unsigned char) *p);
        return buf_text(&b);
}

/* A volume without a name gets one. The engine would remove it with the container, which a unit makes anew at
 * each start; Compose hands it on to the next container. */
static const char *anonymous_volume(Draft *d, const Node *mount, const char *target) {
        Lower *l = d->lower;
        const char *name =
                arena_printf(l->arena, "%s-anonymous-%s", d->service->name, path_as_name(l->arena, target));

        if (!l->anonymous)
                l->anonymous = node_new(l->arena, NODE_MAPPING, mount->span);
        if (!node_get(l->anonymous, name))
                node_append_pair(l->arena, l->anonymous, node_new_string(l->arena, mount->span, name),
                                 node_new(l->arena, NODE_MAPPING, mount->span));
        return arena_printf(l->arena, "%s-%s.volume", l->stack->name, name);
}

/* What the engine takes for the volume: a file of quadlet's, or a name; NULL if refused. */
static const char *volume_source(Draft *d, const Node *mount, const char *target) {
        Lower *l = d->lower;
        const Node *source = node_get(mount, "source");
        const Node *volume = source ? node_get(node_get(l->stack->model, "volumes"), source->text) : NULL;
        const char *name = node_get_text(volume, "name");

        if (!node_get_bool(volume, "external", /* fallback= */ false)) {
                if (!source || !source->text[0])
                        return anonymous_volume(d, mount, target);
                map_set(l->arena, &l->volumes, source->text, (void *) source);
                return arena_printf(l->arena, "%s-%s.volume", l->stack->name, source->text);
        }
        name = name ?: source->text;
        if (!engine_name_is_valid(name) || str_has_suffix(name, ".volume")) {
                draft_refuse(d, mount, "'%s' is no name that a volume can have here",
                             escape_for_message(l->arena, name, 80));
                return NULL;
        }
        add_string(d, &d->external_volumes, &d->n_external_volumes, &d->external_volumes_capacity, name);
        return name;
}

typedef struct VolumeMount {
        const Node *node;
        const char *source, *target, *subpath; /* subpath: NULL for all of it */
        const char *words[3];                  /* of options, NULL for none */
        bool no_copy;
} VolumeMount;

/* Mount= and --mount have a subpath and take any target, but no nocopy; quadlet reads ".volume" there as
 * well. Podman stays inside the volume. */
static void write_volume_fields(Draft *d, const VolumeMount *m) {
        Buf b = BUF(d->lower->arena);

        if (m->no_copy) {
                draft_refuse(d, m->node,
                             m->subpath ? "Podman has no 'nocopy' for a part of a volume"
                                        : "Podman has no 'nocopy' for a target like this");
                diag_hint(d->lower->diag, "leave out 'nocopy'%s",
                          m->subpath ? "" : ", or mount it elsewhere");
                return;
        }
        if (m->subpath && !path_is_plain(m->subpath)) {
                draft_refuse(d, m->node, "'%s' cannot be a part of a volume",
                             escape_for_message(b.arena, m->subpath, 80));
                return;
        }
        if (strstr(m->target, "\r\n")) {
                draft_refuse(d, m->node,
                             "a path with a carriage return before a line break cannot be mounted by Podman");
                return;
        }
        add_field(&b, "type", "volume");
        add_field(&b, "source", m->source);
        add_field(&b, "destination", m->target);
        if (m->subpath)
                add_field(&b, "subpath", m->subpath);
        for (size_t i = 0; i < ELEMENTS(m->words); i++)
                if (m->words[i])
                        add_field(&b, m->words[i], NULL);
        draft_line(d, &d->container, "Mount", ESCAPE_QUADLET_ARGV, m->node, buf_text(&b));
}

static void write_volume(Draft *d, const VolumeMount *m) {
        Buf b = BUF(d->lower->arena);
        const char *separator = ":";

        buf_printf(&b, "%s:%s", m->source, m->target);
        for (size_t i = 0; i < ELEMENTS(m->words); i++)
                if (m->words[i]) {
                        buf_printf(&b, "%s%s", separator, m->words[i]);
                        separator = ",";
                }
        if (m->no_copy)
                buf_printf(&b, "%snocopy", separator);
        draft_line(d, &d->container, "Volume", ESCAPE_QUADLET_LINE, m->node, buf_text(&b));
}

static void emit_volume(Draft *d, const Node *mount, const char *target) {
        const Node *options = node_get(mount, "volume"), *bind = node_get(mount, "bind");
        const char *propagation = node_get_text(bind, "propagation"),
                   *subpath = node_get_text(options, "subpath");
        VolumeMount m = {
                .node = mount,
                .target = target,
                .subpath = subpath && subpath[0] ? subpath : NULL,
                .words = { node_get_bool(mount, "read_only", /* fallback= */ false) ? "ro" : NULL,
                           node_get_text(bind, "selinux"), propagation },
                .no_copy = node_get_bool(options, "nocopy", /* fallback= */ false),
        };

        if (node_get(options, "labels"))
                diag_note(d->lower->diag, mount->span, "different",
                          "the labels of a mount of '%s' are left out: give them to the volume",
                          d->service->name);
        if (propagation && !propagation_is_known(propagation)) {
                refuse_propagation(d, mount, propagation);
                return;
        }
        m.source = volume_source(d, mount, target);
        if (!m.source || !draft_claim(d, mount, target, m.source))
                return;
        if (m.subpath || !path_is_plain(target))
                write_volume_fields(d, &m);
        else
                write_volume(d, &m);
}

/* Read-only in Docker as well. */
static void emit_image_mount(Draft *d, const Node *mount, const char *target) {
        const char *source = node_get_text(mount, "source"),
                   *subpath = node_get_text(node_get(mount, "image"), "subpath");
        Buf b = BUF(d->lower->arena);

        if (!source || !source[0]) {
                draft_refuse(d, mount, "a mount of an image of '%s' names no image", d->service->name);
                return;
        }
        if (!draft_claim(d, mount, target, source))
                return;
        add_field(&b, "type", "image");
        add_field(&b, "source", image_qualify(d->lower->arena, source));
        add_field(&b, "destination", target);
        if (subpath)
                add_field(&b, "subpath", subpath);
        draft_podman_arg(d, &d->container, "--mount", mount, buf_text(&b));
}

static void refuse_target(Draft *d, const Node *mount, const char *target) {
        const char *source = node_get_text(mount, "source");
        const char *path = starts_with_drive(source) ? source : starts_with_drive(target) ? target : NULL;

        draft_refuse(d, mount, "a mount of '%s' has no absolute target", d->service->name);
        if (path)
                diag_hint(d->lower->diag,
                          "Compose takes '%.2s' for a drive of Windows: give the volume a name of more than "
                          "one letter, or write {type: volume, source: %c, target: %s}",
                          path, path[0], escape_for_message(d->lower->arena, path + 2, 80));
}

void emit_volumes(Draft *d, const ServiceKey *key, const Node *value) {
        (void) key;
        for (size_t i = 0; value->kind == NODE_SEQUENCE && i < value->n; i++) {
                const Node *mount = value->items[i];
                const char *type = node_get_text(mount, "type"), *target = node_get_text(mount, "target");

                if (!target || target[0] != '/') {
                        refuse_target(d, mount, target);
                        continue;
                }
                if (str_equal(type, "bind"))
                        emit_bind(d, mount, target);
                else if (str_equal(type, "volume"))
                        emit_volume(d, mount, target);
                else if (str_equal(type, "tmpfs"))
                        emit_tmpfs_mount(d, mount, target);
                else if (str_equal(type, "image"))
                        emit_image_mount(d, mount, target);
                else
                        draft_refuse(d, mount, "mounts of type '%s' are not supported", type ?: "");
        }
}

/* Podman copies the mounts when the container is made, those of the image included, so the other one has to
 * be there: its unit is waited for, by 'depends_on', which Compose adds by itself. */
void emit_volumes_from(Draft *d, const ServiceKey *key, const Node *value) {
        Lower *l = d->lower;

        for (size_t i = 0; value->kind == NODE_SEQUENCE && i < value->n; i++) {
                const Node *n = value->items[i];
                bool foreign = str_has_prefix(n->text, "container:");
                const char *text = n->text + (foreign ? strlen("container:") : 0), *mode = strchr(text, ':');
                const char *name = mode ? arena_strndup(l->arena, text, (size_t) (mode - text)) : text;
                const Service *other = foreign ? NULL : stack_find(l->stack, name);

                if ((!other && !foreign) || !engine_name_is_valid(name)) {
                        draft_refuse(d, n, "'%s' takes the volumes of '%s', which this stack does not have",
                                     d->service->name, escape_for_message(l->arena, name, 80));
                        continue;
                }
                if (mode && !str_equal(mode, ":ro") && !str_equal(mode, ":rw")) {
                        draft_refuse(d, n, "'%s' is no way to take volumes over", mode + 1);
                        diag_hint(l->diag, "use ro or rw");
                        continue;
                }
                if (other && other->completes) {
                        draft_refuse(d, n, "'%s' has ended when '%s' starts, and its volumes with it",
                                     other->name, d->service->name);
                        diag_hint(l->diag, "name the volumes in both services");
                        continue;
                }
                if (other)
                        map_set(l->arena, &d->uses, other->name, (void *) other);
                draft_podman_arg(d, &d->container, key->name, n,
                                 arena_printf(l->arena, "%s%s", other ? other->container : name, mode ?: ""));
        }
}
