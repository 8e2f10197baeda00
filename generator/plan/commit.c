/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/plan/commit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "generator/facts/handles.h"

/* Nothing is allocated from here on, and every name is looked up below a directory that is held open: a
 * folder that somebody replaced by a link in between leads nowhere else. */

/* Opens (making it if need be) the directory that holds `path`; *ret_name is the last component. */
static int open_parent(int dir_fd, const char *path, mode_t mode, int *ret_fd, const char **ret_name) {
        _cleanup_close_ int fd = fcntl(dir_fd, F_DUPFD_CLOEXEC, 3);
        char component[NAME_MAX + 1];

        if (fd < 0)
                return -errno;
        for (const char *slash; (slash = strchr(path, '/')); path = slash + 1) {
                size_t n = (size_t) (slash - path);
                int next;

                if (n >= sizeof(component))
                        return -ENAMETOOLONG;
                memcpy(component, path, n);
                component[n] = '\0';
                if (mkdirat(fd, component, mode) < 0 && errno != EEXIST)
                        return -errno;
                next = openat(fd, component, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
                if (next < 0)
                        return -errno;
                (void) close(fd);
                fd = next;
        }
        *ret_fd = take_fd(&fd);
        *ret_name = path;
        return 0;
}

static int write_all(int fd, const char *text) {
        for (size_t left = strlen(text); left > 0;) {
                ssize_t n = write(fd, text, left);

                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return -errno;
                text += n;
                left -= (size_t) n;
        }
        return 0;
}

/* The umask is the caller's, the mode is the plan's. Who looks at a plan without being root cannot give files
 * away. */
static int give(int fd, const PlanItem *item) {
        if ((item->uid != 0 || item->gid != 0) && geteuid() == 0 && fchown(fd, item->uid, item->gid) < 0)
                return -errno;
        return fchmod(fd, item->mode) < 0 ? -errno : 0;
}

/* A name beside the place that systemd and quadlet both ignore. */
static void temporary_name(char *ret, size_t size, const char *name) {
        (void) snprintf(ret, size, ".%.200s.unitproof-new", name);
}

/* Makes the finished thing appear under its name: rename() would replace a name that is taken. */
static int publish(int fd, const char *temporary, const char *name, bool replace) {
        int r = 0;

        if (replace)
                return renameat(fd, temporary, fd, name) < 0 ? -errno : 0;
        if (linkat(fd, temporary, fd, name, 0) < 0)
                r = -errno;
        if (unlinkat(fd, temporary, 0) < 0 && r == 0)
                r = -errno;
        return r;
}

static int write_file(int fd, const char *name, const PlanItem *item, bool replace) {
        _cleanup_close_ int file = -1;
        char temporary[NAME_MAX + 1];
        int r;

        temporary_name(temporary, sizeof(temporary), name);
        /* Left by a run that was cut off. */
        if (unlinkat(fd, temporary, 0) < 0 && errno != ENOENT)
                return -errno;
        file = openat(fd, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file < 0)
                return -errno;
        r = give(file, item);
        if (r == 0)
                r = write_all(file, item->text);
        if (r == 0)
                r = publish(fd, temporary, name, replace);
        if (r < 0)
                (void) unlinkat(fd, temporary, 0);
        return r;
}

static int write_link(int fd, const char *name, const PlanItem *item, bool replace) {
        char temporary[NAME_MAX + 1];

        if (!replace)
                return symlinkat(item->target, fd, name) < 0 ? -errno : 0;
        temporary_name(temporary, sizeof(temporary), name);
        if (unlinkat(fd, temporary, 0) < 0 && errno != ENOENT)
                return -errno;
        if (symlinkat(item->target, fd, temporary) < 0)
                return -errno;
        return publish(fd, temporary, name, replace);
}

static int write_item(const PlanItem *item, int dir_fd, bool replace) {
        _cleanup_close_ int fd = -1;
        const char *name;
        int r;

        /* A folder of private files is private as well. */
        r = open_parent(dir_fd, item->path, item->phase == PLAN_PRIVATE ? 0700 : 0755, &fd, &name);
        if (r < 0)
                return r;
        return item->text ? write_file(fd, name, item, replace) : write_link(fd, name, item, replace);
}

int plan_commit(const Plan *p, int dir_fd, PlanPhase first_phase, PlanPhase last_phase, bool replace,
                const PlanItem **ret_failed) {
        for (size_t i = 0; i < p->n_items; i++) {
                const PlanItem *item = p->items + i;
                int r;

                if (item->phase < first_phase || item->phase > last_phase)
                        continue;
                r = write_item(item, dir_fd, replace);
                if (r < 0) {
                        *ret_failed = item;
                        return r;
                }
        }
        return 0;
}
