/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "generator/base/buf.h"
#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* Memory as a directory, by "tmpfs" or by a mount of that type. Docker mounts it empty, with noexec, nosuid
 * and nodev unless it is told otherwise; Podman would let programs run there and copy into it what the image
 * has at that place. */

typedef enum Fate {
        FATE_KEPT,
        FATE_LEFT_OUT, /* about times of access and the like: nothing that a service could notice */
        FATE_UID,
        FATE_GID,
} Fate;

/* What has a value ends with "=". */
static const struct {
        const char *name;
        Fate fate;
} options[] = {
        { "dev", FATE_KEPT },
        { "exec", FATE_KEPT },
        { "mode=", FATE_KEPT },
        { "noatime", FATE_LEFT_OUT },
        { "nodev", FATE_KEPT },
        { "noexec", FATE_KEPT },
        { "nosuid", FATE_KEPT },
        { "noswap", FATE_KEPT },
        { "notmpcopyup", FATE_KEPT },
        { "private", FATE_KEPT },
        { "ro", FATE_KEPT },
        { "rprivate", FATE_KEPT },
        { "rshared", FATE_KEPT },
        { "rslave", FATE_KEPT },
        { "runbindable", FATE_KEPT },
        { "rw", FATE_KEPT },
        { "shared", FATE_KEPT },
        { "size=", FATE_KEPT },
        { "slave", FATE_KEPT },
        { "suid", FATE_KEPT },
        { "tmpcopyup", FATE_KEPT },
        { "unbindable", FATE_KEPT },
        { "U", FATE_KEPT },
        { "async", FATE_LEFT_OUT },
        { "atime", FATE_LEFT_OUT },
        { "defaults", FATE_LEFT_OUT },
        { "diratime", FATE_LEFT_OUT },
        { "dirsync", FATE_LEFT_OUT },
        { "mand", FATE_LEFT_OUT },
        { "nodiratime", FATE_LEFT_OUT },
        { "nomand", FATE_LEFT_OUT },
        { "norelatime", FATE_LEFT_OUT },
        { "nostrictatime", FATE_LEFT_OUT },
        { "relatime", FATE_LEFT_OUT },
        { "strictatime", FATE_LEFT_OUT },
        { "sync", FATE_LEFT_OUT },
        { "gid=", FATE_GID },
        { "uid=", FATE_UID },
};

typedef struct Tmpfs {
        Draft *draft;
        const Node *node;
        Buf words;
        const char *uid, *gid; /* NULL: not asked for */
        bool says_exec, says_copy;
} Tmpfs;

static bool option_fits(const char *name, const char *word) {
        size_t n = strlen(name);

        return name[n - 1] == '=' ? str_has_prefix(word, name) && word[n] : str_equal(name, word);
}

static void add_word(Tmpfs *t, const char *word) {
        buf_printf(&t->words, "%s%s", t->words.len > 0 ? "," : "", word);
}

static bool take_word(Tmpfs *t, const char *word) {
        for (size_t i = 0; i < ELEMENTS(options); i++) {
                if (!option_fits(options[i].name, word))
                        continue;
                if (options[i].fate == FATE_UID)
                        t->uid = word + strlen("uid=");
                else if (options[i].fate == FATE_GID)
                        t->gid = word + strlen("gid=");
                else if (options[i].fate == FATE_KEPT)
                        add_word(t, word);
                t->says_exec |= str_equal(word, "exec") || str_equal(word, "noexec");
                t->says_copy |= str_equal(word, "tmpcopyup") || str_equal(word, "notmpcopyup");
                return true;
        }
        draft_refuse(t->draft, t->node, "Podman has no option '%s' for a tmpfs",
                     escape_for_message(t->draft->lower->arena, word, 80));
        return false;
}

static bool take_words(Tmpfs *t, const char *text) {
        for (const char *p = text; *p; p += *p == ',') {
                size_t n = strcspn(p, ",");

                if (n > 0 && !take_word(t, arena_strndup(t->draft->lower->arena, p, n)))
                        return false;
                p += n;
        }
        return true;
}

static bool id_is(const char *asked, const char *id) {
        return !asked || str_equal(asked, id);
}

/* Podman gives it to root, or ("U") to the user of the container, and to nobody else. */
static bool take_owner(Tmpfs *t) {
        const char *user = node_get_text(t->draft->service->node, "user") ?: "", *colon = strchr(user, ':');
        const char *uid = colon ? arena_strndup(t->draft->lower->arena, user, (size_t) (colon - user)) : user;

        if (id_is(t->uid, "0") && id_is(t->gid, "0"))
                return true;
        if (t->uid && str_equal(t->uid, uid) && id_is(t->gid, colon ? colon + 1 : "0")) {
                add_word(t, "U");
                return true;
        }
        draft_refuse(t->draft, t->node,
                     "Podman gives a tmpfs to root or to the user of the container, not to %s:%s",
                     t->uid ?: "0", t->gid ?: "0");
        diag_hint(t->draft->lower->diag,
                  "say the same under 'user', or let everybody write there with mode=1777");
        return false;
}

static void write_tmpfs(Tmpfs *t, const char *path) {
        if (!take_owner(t))
                return;
        if (!t->says_exec)
                add_word(t, "noexec");
        if (!t->says_copy)
                add_word(t, "notmpcopyup");
        if (draft_claim(t->draft, t->node, path, buf_text(&t->words)))
                draft_line(t->draft, &t->draft->container, "Tmpfs", ESCAPE_QUADLET_LINE, t->node,
                           arena_printf(t->draft->lower->arena, "%s:%s", path, buf_text(&t->words)));
}

static void emit_one(Draft *d, const Node *n) {
        Tmpfs t = { .draft = d, .node = n, .words = BUF(d->lower->arena) };
        const char *colon = strchr(n->text, ':');

        if (n->text[0] != '/') {
                draft_refuse(d, n, "a tmpfs of '%s' has no absolute path", d->service->name);
                return;
        }
        if (take_words(&t, colon ? colon + 1 : ""))
                write_tmpfs(&t, colon ? arena_strndup(d->lower->arena, n->text, (size_t) (colon - n->text))
                                      : n->text);
}

void emit_tmpfs(Draft *d, const ServiceKey *key, const Node *value) {
        (void) key;
        for (size_t i = 0; value->kind == NODE_SEQUENCE && i < value->n; i++)
                emit_one(d, value->items[i]);
}

void emit_tmpfs_mount(Draft *d, const Node *mount, const char *target) {
        Tmpfs t = { .draft = d, .node = mount, .words = BUF(d->lower->arena) };
        const Node *own = node_get(mount, "tmpfs");
        const char *size = node_get_text(own, "size"), *mode = node_get_text(own, "mode");

        if (size && !str_equal(size, "0"))
                add_word(&t, arena_printf(d->lower->arena, "size=%s", size));
        if (mode && !str_equal(mode, "0"))
                /* A number, as the model has it; mount(8) reads octal. */
                add_word(&t, arena_printf(d->lower->arena, "mode=%lo", strtoul(mode, NULL, 10)));
        if (node_get_bool(mount, "read_only", /* fallback= */ false))
                add_word(&t, "ro");
        write_tmpfs(&t, target);
}
