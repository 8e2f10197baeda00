/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "generator/base/str.h"
#include "generator/command/import-plan.h"
#include "generator/command/output.h"
#include "generator/config/config.h"
#include "generator/facts/handles.h"
#include "generator/facts/root.h"

/* Takes a stack over into /etc/unitproof: first all beside it, under a name that no generator looks at, then
 * the one rename that never replaces. */

/* ---- writing ---- */

static int write_all(int fd, const char *bytes, size_t n) {
        while (n > 0) {
                ssize_t written = write(fd, bytes, n);

                if (written < 0 && errno == EINTR)
                        continue;
                if (written < 0)
                        return -errno;
                bytes += written;
                n -= (size_t) written;
        }
        return 0;
}

/* Who reads it in a container goes by its owner, too. */
static int copy_owner(int fd, const char *from) {
        struct stat st;

        if (stat(from, &st) < 0)
                return -errno;
        if (geteuid() == 0 && fchown(fd, st.st_uid, st.st_gid) < 0)
                return -errno;
        return 0;
}

static int write_file(Session *s, int dir, const ImportFile *f) {
        const char *bytes = f->text;
        size_t length = f->length;
        _cleanup_close_ int fd = -1;
        int r;

        if (f->from) {
                char *read_bytes;

                r = source_read_file((void *) "", s->arena, f->from, &read_bytes, &length);
                if (r < 0)
                        return r;
                bytes = read_bytes;
        }
        for (const char *slash = strchr(f->name, '/'); slash; slash = strchr(slash + 1, '/'))
                if (mkdirat(dir, arena_strndup(s->arena, f->name, (size_t) (slash - f->name)), 0755) < 0 &&
                    errno != EEXIST)
                        return -errno;
        fd = openat(dir, f->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0)
                return -errno;
        r = write_all(fd, bytes, length);
        /* What only the compile reads is root's. */
        if (r >= 0 && f->mounted)
                r = copy_owner(fd, f->from);
        if (r >= 0 && (fchmod(fd, f->mode) < 0 || fsync(fd) < 0))
                r = -errno;
        return r;
}

/* What was begun goes again; only what the plan made is touched. */
static void remove_copy(Session *s, int parent, const char *name, const ImportPlan *p) {
        for (size_t i = 0; i < p->n_files; i++)
                (void) unlinkat(parent, arena_printf(s->arena, "%s/%s", name, p->files[i].name), 0);
        for (size_t i = 0; i < p->n_files; i++)
                for (const char *path = path_parent(s->arena, p->files[i].name);
                     !str_equal(path, ".") && path[0]; path = path_parent(s->arena, path))
                        (void) unlinkat(parent, arena_printf(s->arena, "%s/%s", name, path), AT_REMOVEDIR);
        (void) unlinkat(parent, name, AT_REMOVEDIR);
}

static int open_config_dir(Session *s) {
        int fd = root_open(s->root, CONFIG_DIR, O_RDONLY | O_DIRECTORY);
        _cleanup_close_ int etc = -1;

        if (fd != -ENOENT)
                return fd;
        etc = root_open(s->root, "/etc", O_RDONLY | O_DIRECTORY);
        if (etc == -ENOENT) {
                _cleanup_close_ int top = root_open(s->root, "/", O_RDONLY | O_DIRECTORY);

                if (top < 0)
                        return top;
                if (mkdirat(top, "etc", 0755) < 0 && errno != EEXIST)
                        return -errno;
                etc = root_open(s->root, "/etc", O_RDONLY | O_DIRECTORY);
        }
        if (etc < 0)
                return etc;
        if (mkdirat(etc, strrchr(CONFIG_DIR, '/') + 1, 0755) < 0 && errno != EEXIST)
                return -errno;
        return root_open(s->root, CONFIG_DIR, O_RDONLY | O_DIRECTORY);
}

static int copy(Session *s, const Compiled *c, const ImportPlan *p) {
        const char *beside = arena_printf(s->arena, ".import-%s", c->stack);
        _cleanup_close_ int parent = open_config_dir(s), dir = -1;
        int r = 0;

        if (parent < 0)
                return command_fail(s, STATUS_FAILED, "write", "cannot open %s" CONFIG_DIR ": %s", s->root,
                                    strerror(-parent));
        if (mkdirat(parent, beside, 0700) < 0)
                return command_fail(s, STATUS_FAILED, "write", "cannot make %s" CONFIG_DIR "/%s: %m", s->root,
                                    beside);
        dir = openat(parent, beside, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (dir < 0)
                r = -errno;
        for (size_t i = 0; r >= 0 && i < p->n_files; i++) {
                r = write_file(s, dir, p->files + i);
                if (r < 0)
                        (void) command_fail(s, STATUS_FAILED, "write", "cannot copy %s: %s", p->files[i].name,
                                            strerror(-r));
        }
        if (r >= 0 &&
            (fchmod(dir, 0755) < 0 || renameat2(parent, beside, parent, c->stack, RENAME_NOREPLACE) < 0)) {
                r = -errno;
                (void) command_fail(s, STATUS_FAILED, "write", "cannot make %s" CONFIG_DIR "/%s: %s", s->root,
                                    c->stack, strerror(-r));
        }
        if (r < 0)
                remove_copy(s, parent, beside, p);
        return r < 0 ? STATUS_FAILED : STATUS_GOOD;
}

/* ---- saying ---- */

static const char *mode_text(Session *s, mode_t mode) {
        return arena_printf(s->arena, "%04o", (unsigned) mode);
}

static json_t *service_names(Session *s, const Stack *m, bool (*fits)(const Service *)) {
        json_t *list = json_array();

        for (size_t i = 0; i < m->n_services; i++)
                if (fits(m->services + i))
                        (void) json_array_append_new(list, json_text(s, m->services[i].name));
        return list;
}

static bool is_tunnel(const Service *sv) {
        return sv->is_tunnel;
}

static json_t *inferred_json(Session *s, const Stack *m) {
        json_t *o = json_object(), *clients = json_array(), *proofs = json_array();

        json_put(o, "tunnels", service_names(s, m, is_tunnel));
        for (size_t i = 0; i < m->n_services; i++) {
                const Service *sv = m->services + i;
                json_t *client;

                if (!sv->tunnel)
                        continue;
                client = json_object();
                json_put(client, "service", json_text(s, sv->name));
                json_put(client, "tunnel", json_text(s, sv->tunnel->name));
                json_put(client, "waits_for_health", json_boolean(import_client_waits(sv)));
                (void) json_array_append_new(clients, client);
        }
        for (size_t i = 0; i < m->n_proofs; i++) {
                const Proof *p = m->proofs + i;
                json_t *proof = json_object();

                json_put(proof, "kind", json_text(s, proof_kind_name(p->kind)));
                json_put(proof, "subject", json_text(s, p->subject));
                json_put(proof, "why", json_text(s, p->why));
                json_put(proof, "off", json_boolean(p->off));
                (void) json_array_append_new(proofs, proof);
        }
        json_put(o, "clients", clients);
        json_put(o, "proofs", proofs);
        return o;
}

static void answer(Session *s, const Compiled *c, const ImportPlan *p, bool dry) {
        json_t *files = json_array();

        for (size_t i = 0; i < p->n_files; i++) {
                json_t *o = json_object();

                json_put(o, "name", json_text(s, p->files[i].name));
                json_put(o, "from", json_text(s, p->files[i].from));
                json_put(o, "mode", json_text(s, mode_text(s, p->files[i].mode)));
                (void) json_array_append_new(files, o);
        }
        json_put(s->answer, "stack", json_text(s, c->stack));
        json_put(s->answer, "from", json_text(s, c->dir));
        json_put(s->answer, "to",
                 json_text(s, arena_printf(s->arena, "%s" CONFIG_DIR "/%s", s->root, c->stack)));
        json_put(s->answer, "imported", json_boolean(!dry));
        json_put(s->answer, "files", files);
        json_put(s->answer, "inferred", inferred_json(s, c->model));
}

static void print(Session *s, const Compiled *c, const ImportPlan *p, bool dry) {
        const char *to = arena_printf(s->arena, "%s" CONFIG_DIR "/%s", s->root, c->stack);

        printf("%s: %s %s\n", c->stack, dry ? "would be imported into" : "imported into",
               str_printable(s->arena, to));
        for (size_t i = 0; i < p->n_files; i++)
                printf("  %s  %s%s\n", mode_text(s, p->files[i].mode),
                       str_printable(s->arena, p->files[i].name), p->files[i].from ? "" : "  (new)");
        for (size_t i = 0; i < c->model->n_services; i++) {
                const Service *sv = c->model->services + i;

                if (sv->is_tunnel)
                        printf("  tunnel   %s\n", sv->name);
                if (sv->tunnel)
                        printf("  client   %s, behind %s%s\n", sv->name, sv->tunnel->name,
                               import_client_waits(sv) ? ", waits for its health" : "");
        }
        for (size_t i = 0; i < c->model->n_proofs; i++)
                printf("  proof    %s%s: %s\n", proof_kind_name(c->model->proofs[i].kind),
                       c->model->proofs[i].off ? " (off)" : "",
                       str_printable(s->arena, c->model->proofs[i].why));
        printf(dry ? "Nothing was written.\n"
                   : "Look at it with 'unitproof check %s', then: systemctl daemon-reload; unitproof up %s\n",
               c->stack, c->stack);
}

static int check_free(Session *s, const Compiled *c) {
        _cleanup_close_ int fd =
                root_open(s->root, arena_printf(s->arena, CONFIG_DIR "/%s", c->stack), O_PATH | O_NOFOLLOW);

        if (fd < 0)
                return STATUS_GOOD;
        return command_fail(s, STATUS_BAD_INPUT, "taken",
                            "there is a %s" CONFIG_DIR "/%s already; choose another name with "
                            "--name, or remove it",
                            s->root, c->stack);
}

int command_import(Session *s, int argc, char **argv) {
        Compiled *c = arena_new_object(s->arena, Compiled);
        const bool dry = s->options.given[OPTION_DRY_RUN];
        ImportPlan plan;
        int r;

        (void) argc;
        *c = (Compiled){ 0 };
        r = session_need_place(s, argv[0]);
        if (r != STATUS_GOOD)
                return r;
        r = session_compile(s, argv[0], LOADED_DIR, c);
        c->diag.sources = &c->sources;
        if (r == STATUS_GOOD && str_equal(c->root, s->root) && path_is_within(c->dir, CONFIG_DIR))
                r = command_fail(s, STATUS_BAD_INPUT, "imported", "%s is a stack of this host already",
                                 c->dir);
        else if (r == STATUS_GOOD)
                r = check_free(s, c);
        if (r != STATUS_GOOD) {
                output_diag(s, &c->diag);
                return r;
        }
        import_plan(s, c, &plan);
        import_advise(s, c);
        output_diag(s, &c->diag);
        r = c->diag.n_errors > 0 ? STATUS_BAD_INPUT : STATUS_GOOD;
        if (r == STATUS_GOOD && !dry)
                r = copy(s, c, &plan);
        if (r == STATUS_GOOD && s->json)
                answer(s, c, &plan, dry);
        else if (r == STATUS_GOOD)
                print(s, c, &plan, dry);
        json_decref(plan.override);
        return r;
}
