/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>

#include "generator/base/str.h"
#include "generator/compose/compose.h"
#include "generator/plan/lower.h"

/* Secrets and configs. A file of the host is mounted as it is there, as Compose does. What the Compose files
 * or .env say themselves is no file yet: each service that uses it gets one of its own, with the owner and
 * mode that it asks for. */

/* Of one that says none, as Compose has it: everybody in the container may read. */
enum { MODE_DEFAULT = 0444 };

const Node *lower_file_content(const Node *definition) {
        const Node *content = node_get(definition, "content");

        return node_is_scalar(content) ? content : node_get(definition, SECRET_VALUE_KEY);
}

void draft_refuse_valueless(Draft *d, const Node *use, const char *name, const Node *definition) {
        const Node *variable = node_get(definition, "environment");

        if (node_is_scalar(variable) && variable->text[0]) {
                draft_refuse(d, variable,
                             "'%s' of '%s' is what the variable '%s' says, and .env does not set it", name,
                             d->service->name, escape_for_message(d->lower->arena, variable->text, 80));
                diag_hint(d->lower->diag, "set it there, or name a file with 'file:'");
                return;
        }
        draft_refuse(d, use, "'%s' of '%s' is not a file", name, d->service->name);
        diag_hint(d->lower->diag, "write it to a file that only root can read, and name that with 'file:'");
}

/* ---- files of the host ---- */

static void emit_host_file(Draft *d, const Node *use, const char *name, const char *file,
                           const char *target) {
        static const char *const kept[] = { "uid", "gid", "mode" };

        for (size_t i = 0; i < ELEMENTS(kept); i++)
                if (node_get_text(use, kept[i])) {
                        diag_note(d->lower->diag, use->span, "different",
                                  "the owner and mode of '%s' stay as they are on the host", name);
                        break;
                }
        file = path_normalize(d->lower->arena, file);
        d->unit.span = use->span;
        unit_line(&d->unit, "RequiresMountsFor", ESCAPE_PATH_LIST, file);
        draft_bind(d, use, file, target, BIND_READ_ONLY);
}

/* ---- files of our own ---- */

/* A number of at most `max`, to that base. */
static bool read_number(Draft *d, const Node *use, const char *key, int base, unsigned long max,
                        unsigned long *ret) {
        const char *text = node_get_text(use, key);
        char *end;

        if (!text || !text[0])
                return true;
        errno = 0;
        *ret = strtoul(text, &end, base);
        if (strspn(text, "0123456789") == strlen(text) && !*end && !errno && *ret <= max)
                return true;
        draft_refuse(d, use, "'%s' of '%s' is no %s", key, node_get_text(use, "source") ?: "",
                     base == 8 ? "mode of a file" : "number of a user or group");
        if (base == 10)
                diag_hint(d->lower->diag, "names belong to the image, and are not known before it runs");
        return false;
}

/* IDs of the container are the host's, unless it has others for itself. */
static bool ids_are_the_hosts(Draft *d, const Node *use, const char *name, const FileOwner *owner) {
        const char *mode = node_get_text(d->service->node, "userns_mode") ?: "";

        if (!mode[0] || str_equal(mode, "host") || (!owner->uid && !owner->gid && (owner->mode & 0004)))
                return true;
        draft_refuse(d, use,
                     "'%s' cannot be kept for one user of '%s', whose IDs are others by 'userns_mode'", name,
                     d->service->name);
        diag_hint(d->lower->diag, "leave out 'uid', 'gid' and 'mode' there, or 'userns_mode'");
        return false;
}

/* The second use of the same one by a service has a name of its own: it may ask for another mode. No name in
 * a Compose file has a "+". */
static const char *file_name(Draft *d, const ServiceKey *key, const char *name) {
        Arena *a = d->lower->arena;
        const char *file = arena_printf(a, "%s.%s.%s", d->service->name, key->name, name);
        size_t *uses = map_get(&d->own_files, file);

        if (!uses) {
                uses = arena_new_object(a, size_t);
                *uses = 0;
                map_set(a, &d->own_files, file, uses);
        }
        return ++*uses == 1 ? file : arena_printf(a, "%s+%zu", file, *uses);
}

/* The folder is closed to all but root. /run may well be mounted without programs, and so would be what is
 * mounted from there. */
static void emit_own_file(Draft *d, const ServiceKey *key, const Node *use, const char *text,
                          const char *target) {
        Lower *l = d->lower;
        const char *name = node_get_text(use, "source") ?: "", *file;
        unsigned long uid = 0, gid = 0, mode = MODE_DEFAULT;
        FileOwner owner;

        if (!read_number(d, use, "uid", 10, UINT32_MAX - 1, &uid) ||
            !read_number(d, use, "gid", 10, UINT32_MAX - 1, &gid) ||
            !read_number(d, use, "mode", 8, 07777, &mode))
                return;
        owner = (FileOwner){ .uid = (uid_t) uid, .gid = (gid_t) gid, .mode = (mode_t) mode };
        if (!ids_are_the_hosts(d, use, name, &owner))
                return;
        file = file_name(d, key, name);
        lower_private_of(l, file, use->span, owner, text);
        draft_bind(d, use, arena_printf(l->arena, "%s/%s", l->private_path, file), target,
                   BIND_READ_ONLY | (mode & 0111 ? BIND_EXEC : 0));
}

static void emit_file(Draft *d, const ServiceKey *key, const Node *use) {
        Lower *l = d->lower;
        bool secret = str_equal(key->name, "secrets");
        const char *name = node_get_text(use, "source") ?: "", *target = node_get_text(use, "target");
        const Node *definition = node_get(node_get(l->stack->model, key->name), name);
        const char *file = node_get_text(definition, "file");
        const Node *content = lower_file_content(definition);

        if (!definition) {
                draft_refuse(d, use, "'%s' of '%s' is not defined under '%s'", name, d->service->name,
                             key->name);
                return;
        }
        if (node_get(definition, "template_driver"))
                diag_note(l->diag, node_get(definition, "template_driver")->span, "different",
                          "'template_driver' of '%s' is left out: it is for a Swarm", name);
        target = path_join(l->arena, secret ? "/run/secrets" : "/", target && target[0] ? target : name);
        if (file && file[0] == '/')
                emit_host_file(d, use, name, file, target);
        else if (node_is_scalar(content))
                emit_own_file(d, key, use, content->text, target);
        else
                draft_refuse_valueless(d, use, name, definition);
}

void emit_files(Draft *d, const ServiceKey *key, const Node *value) {
        for (size_t i = 0; value->kind == NODE_SEQUENCE && i < value->n; i++)
                emit_file(d, key, value->items[i]);
}
