/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "generator/base/buf.h"
#include "generator/base/str.h"
#include "generator/command/output.h"
#include "generator/command/own.h"
#include "generator/command/run.h"
#include "generator/facts/handles.h"
#include "generator/facts/root.h"
#include "generator/quadlet/program.h"

/* What a reload would change: the plan against what the output directory holds. Units that quadlet makes are
 * not compared, since the order of their arguments is another at each run; what they are made from is. */
enum { DIFF_TIMEOUT_MS = 10 * 1000, FILE_MAX = 4 * 1024 * 1024 };

typedef struct DiffState {
        Session *session;
        const Compiled *compiled;
        const char *dir, *where; /* as the system and as the operator sees it */
        json_t *changes;
        size_t n;
} DiffState;

/* ---- what is there ---- */

/* Text of a file or target of a link; NULL if there is nothing. *ret_problem is set if it cannot be read. */
static const char *read_there(DiffState *st, const char *path, bool link, const char **ret_problem) {
        const char *full = arena_printf(st->session->arena, "%s/%s", st->dir, path);
        _cleanup_close_ int fd = -1;
        char target[PATH_MAX];
        struct stat info;
        Buf b = BUF(st->session->arena);
        char chunk[8192];
        ssize_t n;

        if (lstat(full, &info) < 0) {
                if (errno != ENOENT && errno != ENOTDIR)
                        *ret_problem = arena_strdup(st->session->arena, strerror(errno));
                return NULL;
        }
        if (S_ISLNK(info.st_mode)) {
                n = readlink(full, target, sizeof(target) - 1);
                target[n > 0 ? n : 0] = '\0';
                return link ? arena_strdup(st->session->arena, target)
                            : arena_printf(st->session->arena, "link to %s\n", target);
        }
        fd = open(full, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        while (fd >= 0 && (n = read(fd, chunk, sizeof(chunk))) > 0 && b.len < FILE_MAX)
                buf_add_mem(&b, chunk, (size_t) n);
        if (fd < 0 || n < 0)
                *ret_problem = arena_strdup(st->session->arena, strerror(errno));
        return buf_text(&b);
}

/* ---- what differs ---- */

static int text_fd(const char *name, const char *text) {
        _cleanup_close_ int fd = memfd_create(name, 0);
        size_t n = strlen(text);

        if (fd < 0 || write(fd, text, n) != (ssize_t) n || lseek(fd, 0, SEEK_SET) < 0)
                return -1;
        return take_fd(&fd);
}

/* diff(1) on two descriptors, so that no copy of a unit lies around in /tmp. NULL if there is no diff on this
 * host. */
static const char *unified(DiffState *st, const char *path, const char *old, const char *new) {
        Arena *a = st->session->arena;
        const char *program = run_find(st->session, "diff");
        _cleanup_close_ int old_fd = text_fd("old", old ? old : ""), new_fd = text_fd("new", new ? new : "");
        ProgramResult r;

        if (!program || old_fd < 0 || new_fd < 0)
                return NULL;

        const char *const argv[] = {
                "diff",
                "-u",
                "--label",
                old ? arena_printf(a, "%s/%s", st->where, path) : "/dev/null",
                "--label",
                new ? arena_printf(a, "%s/%s", st->where, path) : "/dev/null",
                arena_printf(a, "/dev/fd/%d", old_fd),
                arena_printf(a, "/dev/fd/%d", new_fd),
                NULL,
        };
        const char *const env[] = { "LC_ALL=C.UTF-8", NULL };
        const ProgramJob job = {
                .program = program, .argv = argv, .env = env, .timeout_ms = DIFF_TIMEOUT_MS
        };

        program_run(a, &job, &r);
        if (r.outcome != PROGRAM_EXITED || r.status != 1)
                return NULL;
        return r.cut ? arena_printf(a, "%s\n(the rest of this difference is too long to show)\n", r.said)
                     : r.said;
}

static void print_unified(const Session *s, const char *text) {
        for (const char *line = text; *line;) {
                size_t n = strcspn(line, "\n");
                const char *code = str_has_prefix(line, "+")   ? "\033[32m"
                                   : str_has_prefix(line, "-") ? "\033[31m"
                                   : str_has_prefix(line, "@") ? "\033[36m"
                                                               : "";

                if (s->color_out && code[0])
                        printf("%s%.*s\033[0m\n", code, (int) n, line);
                else
                        printf("%.*s\n", (int) n, line);
                line += n + (line[n] == '\n');
        }
}

static void add_change(DiffState *st, const char *path, const char *change, const char *note,
                       const char *text) {
        st->n++;
        if (st->session->json) {
                json_t *o = json_object();

                json_put(o, "path", json_text(st->session, path));
                json_put(o, "change", json_text(st->session, change));
                json_put(o, "note", json_text(st->session, note));
                json_put(o, "diff", text ? json_lines(st->session, text) : json_null());
                (void) json_array_append_new(st->changes, o);
        } else if (text)
                print_unified(st->session, text);
        else
                printf("%s %s/%s%s%s\n", change, st->where, path, note ? ": " : "", note ? note : "");
}

/* Of private files: who may read a secret is a part of what was asked for. NULL if it is as it should be. */
static const char *other_owner(DiffState *st, const PlanItem *item) {
        Arena *a = st->session->arena;
        struct stat info;

        if (item->phase != PLAN_PRIVATE || lstat(arena_printf(a, "%s/%s", st->dir, item->path), &info) < 0)
                return NULL;
        /* Who is not root could not give them away. */
        if ((info.st_mode & 07777) == item->mode &&
            (geteuid() != 0 || (info.st_uid == item->uid && info.st_gid == item->gid)))
                return NULL;
        return arena_printf(a, "mode %04o of %u:%u, was %04o of %u:%u", (unsigned) item->mode, item->uid,
                            item->gid, (unsigned) info.st_mode & 07777, info.st_uid, info.st_gid);
}

static void compare_file(DiffState *st, const PlanItem *item) {
        const char *problem = NULL, *there = read_there(st, item->path, false, &problem), *change;

        if (problem) {
                add_change(st, item->path, "unreadable", problem, NULL);
                return;
        }
        if (str_equal(there, item->text)) {
                change = other_owner(st, item);
                if (change)
                        add_change(st, item->path, "changed", change, NULL);
                return;
        }
        change = there ? "changed" : "added";
        if (item->phase == PLAN_PRIVATE)
                add_change(st, item->path, change, "its values are not shown", NULL);
        else
                add_change(st, item->path, change, NULL, unified(st, item->path, there, item->text));
}

static void compare_link(DiffState *st, const PlanItem *item) {
        const char *problem = NULL, *there = read_there(st, item->path, true, &problem);
        Arena *a = st->session->arena;

        if (problem)
                add_change(st, item->path, "unreadable", problem, NULL);
        else if (!there)
                add_change(st, item->path, "added", arena_printf(a, "link to %s", item->target), NULL);
        else if (!str_equal(there, item->target))
                add_change(st, item->path, "changed",
                           arena_printf(a, "link to %s, was %s", item->target, there), NULL);
}

static void compare_removed(DiffState *st, const char *path) {
        const char *problem = NULL, *there = read_there(st, path, false, &problem);
        const char *private = arena_printf(st->session->arena, "unitproof-%s.env/", st->compiled->stack);

        if (problem || !there)
                add_change(st, path, problem ? "unreadable" : "removed", problem, NULL);
        else if (str_has_prefix(path, private))
                add_change(st, path, "removed", "its values are not shown", NULL);
        else if (str_has_prefix(there, "link to ") || strstr(path, ".wants/"))
                add_change(st, path, "removed", NULL, NULL);
        else
                add_change(st, path, "removed", NULL, unified(st, path, there, NULL));
}

static int compare_stack(DiffState *st) {
        const Plan *p = st->compiled->plan;
        const char **paths;
        size_t n;
        int r;

        r = own_list(st->session, st->compiled, st->dir, &paths, &n);
        if (r < 0)
                return command_fail(st->session, STATUS_FAILED, "unreadable", "cannot read %s: %s", st->dir,
                                    strerror(-r));
        for (size_t i = 0; i < p->n_items; i++)
                (p->items[i].text ? compare_file : compare_link)(st, p->items + i);
        for (size_t i = 0; i < n; i++)
                if (!own_is_planned(p, paths[i]))
                        compare_removed(st, paths[i]);
        return STATUS_GOOD;
}

static int diff_one(Session *s, const char *what, json_t *changes, bool *ret_differs) {
        const char *dir = s->options.text[OPTION_OUTPUT];
        Compiled *c = arena_new_object(s->arena, Compiled);
        DiffState st = { .session = s, .compiled = c, .changes = changes };
        _cleanup_free_ char *absolute = NULL;
        int r;

        /* The plan names its own place: units refer to the files of their environment by path. */
        absolute = dir ? realpath(dir, NULL) : NULL;
        st.where = absolute ? arena_strdup(s->arena, absolute) : dir ? dir : LOADED_DIR;
        st.dir = dir ? st.where : arena_printf(s->arena, "%s%s", s->root, st.where);
        r = session_need_place(s, what);
        if (r == STATUS_GOOD)
                r = session_compile_report(s, what, st.where, c);
        if (r == STATUS_GOOD)
                r = compare_stack(&st);
        if (r == STATUS_GOOD && st.n > 0)
                *ret_differs = true;
        return r;
}

int command_diff(Session *s, int argc, char **argv) {
        json_t *changes = json_array();
        int status = session_config_status(s);
        bool differs = false;

        json_put(s->answer, "changes", changes);
        for (int i = 0; i < argc; i++) {
                int r = diff_one(s, argv[i], changes, &differs);

                status = r > status ? r : status;
        }
        if (argc == 0) {
                StackList stacks;
                int r = session_stacks(s, &stacks);

                if (r != STATUS_GOOD)
                        return r;
                r = session_say_strays(s, &stacks);
                status = r > status ? r : status;
                for (size_t i = 0; i < stacks.n; i++) {
                        int one = diff_one(s, stacks.names[i], changes, &differs);

                        status = one > status ? one : status;
                }
        }
        return status == STATUS_GOOD && differs ? STATUS_FAILED : status;
}
