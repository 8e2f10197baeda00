/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/command/own.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "generator/base/str.h"
#include "generator/facts/handles.h"
#include "generator/quadlet/apply.h"

typedef struct OwnState {
        Session *session;
        const Compiled *compiled;
        const char *quadlets; /* absolute path of the folder of our quadlets */
        int dir_fd;
        const char **paths;
        size_t n, capacity;
} OwnState;

static void add_path(OwnState *st, const char *path) {
        st->paths = arena_grow(st->session->arena, st->paths, sizeof(*st->paths), &st->capacity, st->n + 1);
        st->paths[st->n++] = path;
}

/* All of a folder, one level deep: no folder of ours has another in it. */
static int add_folder(OwnState *st, const char *name) {
        _cleanup_closedir_ DIR *dir = NULL;
        int fd = openat(st->dir_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);

        if (fd < 0)
                return errno == ENOENT || errno == ENOTDIR ? 0 : -errno;
        dir = fdopendir(fd);
        if (!dir) {
                (void) close(fd);
                return -ENOMEM;
        }
        for (struct dirent *e; (e = readdir(dir));)
                if (e->d_name[0] != '.')
                        add_path(st, arena_printf(st->session->arena, "%s/%s", name, e->d_name));
        return 0;
}

static bool unit_is_own(OwnState *st, const char *name) {
        const char *source = unit_source_path(st->session->arena, st->dir_fd, name);

        return source && (path_is_within(source, st->compiled->dir) || path_is_within(source, st->quadlets));
}

/* Drop-ins belong to whom their unit belongs to; the unit may come from quadlet or be gone. */
static bool dropins_are_own(OwnState *st, const char *folder) {
        Arena *a = st->session->arena;
        const char *unit = arena_strndup(a, folder, strlen(folder) - strlen(".d"));

        for (size_t i = 0; i < st->compiled->plan->n_items; i++)
                if (str_equal(path_parent(a, st->compiled->plan->items[i].path), folder))
                        return true;
        return unit_is_own(st, unit);
}

/* Of another's unit, such as a mount, one file may be ours. */
static int look_at_dropins(OwnState *st, const char *folder) {
        const char *file =
                arena_printf(st->session->arena, "%s/50-unitproof-%s.conf", folder, st->compiled->stack);
        struct stat info;

        if (dropins_are_own(st, folder))
                return add_folder(st, folder);
        if (fstatat(st->dir_fd, file, &info, AT_SYMLINK_NOFOLLOW) == 0)
                add_path(st, file);
        return 0;
}

static int look_at(OwnState *st, const struct dirent *e) {
        const char *name = arena_strdup(st->session->arena, e->d_name);
        struct stat info;

        if (name[0] == '.' || fstatat(st->dir_fd, name, &info, AT_SYMLINK_NOFOLLOW) < 0)
                return 0;
        if (S_ISDIR(info.st_mode))
                return str_has_suffix(name, ".d") ? look_at_dropins(st, name) : 0;
        if (S_ISREG(info.st_mode) && unit_is_own(st, name))
                add_path(st, name);
        return 0;
}

static int add_named(OwnState *st) {
        static const struct {
                const char *before, *after;
        } folders[] = {
                { "unitproof-", ".quadlets" },
                { "unitproof-", ".env" },
                { "", ".target.wants" },
                { "", ".target.requires" },
        };
        Arena *a = st->session->arena;
        const char *link = arena_printf(a, "multi-user.target.wants/%s.target", st->compiled->stack);
        struct stat info;

        for (size_t i = 0; i < ELEMENTS(folders); i++) {
                int r = add_folder(st, arena_printf(a, "%s%s%s", folders[i].before, st->compiled->stack,
                                                    folders[i].after));

                if (r < 0)
                        return r;
        }
        if (fstatat(st->dir_fd, link, &info, AT_SYMLINK_NOFOLLOW) == 0)
                add_path(st, link);
        return 0;
}

static int compare_paths(const void *a, const void *b) {
        return strcmp(*(const char *const *) a, *(const char *const *) b);
}

int own_list(Session *s, const Compiled *c, const char *dir, const char ***ret_paths, size_t *ret_n) {
        OwnState st = {
                .session = s,
                .compiled = c,
                .quadlets = arena_printf(s->arena, "%s/unitproof-%s.quadlets", dir, c->stack),
        };
        _cleanup_close_ int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        _cleanup_closedir_ DIR *d = NULL;
        int r, copy;

        if (dir_fd < 0 && errno != ENOENT)
                return -errno;
        if (dir_fd >= 0) {
                st.dir_fd = dir_fd;
                copy = fcntl(dir_fd, F_DUPFD_CLOEXEC, 3);
                d = copy >= 0 ? fdopendir(copy) : NULL;
                if (!d)
                        return -ENOMEM;
                for (struct dirent *e; (e = readdir(d));) {
                        r = look_at(&st, e);
                        if (r < 0)
                                return r;
                }
                r = add_named(&st);
                if (r < 0)
                        return r;
        }
        if (st.n > 0)
                qsort(st.paths, st.n, sizeof(*st.paths), compare_paths);
        *ret_paths = st.paths;
        *ret_n = st.n;
        return 0;
}

bool own_is_made_here(Arena *a, int dir_fd, const char *path, const char *stack) {
        const char *source = unit_source_path(a, dir_fd, path), *folder;
        _cleanup_close_ int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        char head[1024] = "";
        ssize_t n = fd >= 0 ? read(fd, head, sizeof(head) - 1) : 0;

        head[n > 0 ? n : 0] = '\0';
        if (strstr(head, "\n# Made by unitproof;") && str_has_prefix(path, stack) &&
            strchr("-.", path[strlen(stack)]))
                return true;
        folder = arena_printf(a, "/unitproof-%s.quadlets/", stack);
        return source && strstr(source, folder);
}

bool own_is_planned(const Plan *p, const char *path) {
        if (plan_find(p, path))
                return true;
        for (size_t i = 0; i < p->n_expected; i++)
                if (str_equal(p->expected[i].unit, path))
                        return true;
        return false;
}
