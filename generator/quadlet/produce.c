/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/quadlet/produce.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "generator/facts/handles.h"
#include "generator/plan/commit.h"
#include "generator/quadlet/quadlet.h"

enum { FOLDER_DEPTH_MAX = 8, VERSION_TIMEOUT_MS = 1000 };

static void remove_entries(int fd, unsigned depth) {
        _cleanup_closedir_ DIR *dir = NULL;
        int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);

        dir = copy >= 0 ? fdopendir(copy) : NULL;
        if (!dir)
                return;
        for (struct dirent *e; (e = readdir(dir));) {
                _cleanup_close_ int sub = -1;

                if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
                        continue;
                if (unlinkat(fd, e->d_name, 0) == 0 || depth == FOLDER_DEPTH_MAX)
                        continue;
                sub = openat(fd, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
                if (sub < 0)
                        continue;
                remove_entries(sub, depth + 1);
                (void) unlinkat(fd, e->d_name, AT_REMOVEDIR);
        }
}

void remove_folder(int dir_fd, const char *name) {
        _cleanup_close_ int fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

        if (fd < 0)
                return;
        remove_entries(fd, 0);
        (void) unlinkat(dir_fd, name, AT_REMOVEDIR);
}

/* Moves without ever replacing what another generator made. renameat2(2) says so in one step; where the file
 * system has no such flag, a look beforehand is the best there is. */
static int move_unit(int from_fd, int to_fd, const char *unit, bool replace) {
        struct stat st;

        if (replace)
                return renameat(from_fd, unit, to_fd, unit) < 0 ? -errno : 0;
        if (renameat2(from_fd, unit, to_fd, unit, RENAME_NOREPLACE) == 0)
                return 0;
        if (errno != EINVAL && errno != ENOSYS)
                return -errno;
        if (fstatat(to_fd, unit, &st, AT_SYMLINK_NOFOLLOW) == 0)
                return -EEXIST;
        return renameat(from_fd, unit, to_fd, unit) < 0 ? -errno : 0;
}

/* Quadlet's os.Create() and a full disk leave an empty file. */
static bool unit_came_out(int staging_fd, const char *unit) {
        struct stat st;

        return fstatat(staging_fd, unit, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
               st.st_size > 0;
}

static int write_failed_unit(Arena *a, Diag *d, const ApplyJob *job, int dir_fd, const PlanExpected *e,
                             const char *message) {
        Plan *p = plan_failed_unit(a, job->plan->stack, e->unit, diag_origin(d, a, e->origin), message);
        const PlanItem *failed;

        return plan_commit(p, dir_fd, PLAN_QUADLET, PLAN_ACTIVATE, job->replace, &failed);
}

static void hint_version(Arena *a, Diag *d, const ApplyJob *job) {
        const char *version = quadlet_version(a, job->quadlet, VERSION_TIMEOUT_MS);

        if (quadlet_version_is_old(version))
                diag_hint(d, "%s is version %s; " QUADLET_VERSION_NEEDED " or newer is needed", job->quadlet,
                          version);
}

static int place_units(Arena *a, Diag *d, const ApplyJob *job, int dir_fd, int staging_fd,
                       const char *input_dir, const QuadletResult *q, Produced *ret) {
        for (size_t i = 0; i < job->plan->n_expected; i++) {
                const PlanExpected *e = job->plan->expected + i;
                int r;

                if (unit_came_out(staging_fd, e->unit))
                        r = move_unit(staging_fd, dir_fd, e->unit, job->replace);
                else {
                        const char *message = quadlet_message(a, q, input_dir, e->quadlet);

                        diag_error(d, e->origin, "quadlet", "quadlet made no %s: %s", e->unit, message);
                        if (ret->n_failed == 0)
                                hint_version(a, d, job);
                        r = write_failed_unit(a, d, job, dir_fd, e, message);
                        ret->n_failed++;
                }
                if (r < 0) {
                        diag_error(d, e->origin, r == -EEXIST ? "name-taken" : "write", "cannot write %s: %s",
                                   e->unit, strerror(-r));
                        return r;
                }
                ret->n_moved = i + 1;
        }
        return 0;
}

int quadlet_produce(Arena *a, Diag *d, const ApplyJob *job, int dir_fd, Produced *ret) {
        const char *staging = arena_printf(a, "unitproof-%s.staging", job->plan->stack);
        const char *input_dir = arena_printf(a, "%s/unitproof-%s.quadlets", job->dir, job->plan->stack);
        _cleanup_close_ int staging_fd = -1;
        QuadletResult q;
        int r;

        *ret = (Produced){ 0 };
        if (strchr(input_dir, ':')) {
                /* QUADLET_UNIT_DIRS is a list with ":" between its entries. */
                diag_error(d, (Span){ 0 }, "quadlet",
                           "quadlet cannot be given the directory %s, since it holds a \":\"", input_dir);
                return -EINVAL;
        }
        remove_folder(dir_fd, staging);
        if (mkdirat(dir_fd, staging, 0700) < 0) {
                r = -errno;
                diag_error(d, (Span){ 0 }, "write", "cannot make %s/%s: %s", job->dir, staging, strerror(-r));
                return r;
        }
        staging_fd = openat(dir_fd, staging, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (staging_fd < 0)
                return -errno;

        quadlet_run(a, job->quadlet, input_dir, arena_printf(a, "%s/%s", job->dir, staging), job->timeout_ms,
                    &q);
        r = place_units(a, d, job, dir_fd, staging_fd, input_dir, &q, ret);
        remove_folder(dir_fd, staging);
        return r;
}
