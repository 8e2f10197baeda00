/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/quadlet/apply.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "generator/base/str.h"
#include "generator/facts/handles.h"
#include "generator/plan/commit.h"
#include "generator/quadlet/produce.h"
#include "generator/quadlet/quadlet.h"

/* ---- names that are taken ---- */

const char *unit_source_path(Arena *a, int dir_fd, const char *path) {
        static const char key[] = "\nSourcePath=";
        _cleanup_close_ int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        char text[4096];
        ssize_t n;
        char *p;

        if (fd < 0)
                return NULL;
        n = read(fd, text, sizeof(text) - 1);
        if (n <= 0)
                return NULL;
        text[n] = '\0';
        p = strstr(text, key);
        if (!p)
                return NULL;
        p += strlen(key);
        return str_printable(a, arena_strndup(a, p, strcspn(p, "\n")));
}

static void check_name(Arena *a, Diag *d, const ApplyJob *job, int dir_fd, const char *path, Span origin) {
        const char *source;
        struct stat st;

        if (fstatat(dir_fd, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
                return;
        source = unit_source_path(a, dir_fd, path);
        diag_error(d, origin, "name-taken", "%s is already there: another stack or generator made it%s%s",
                   path, source ? " from " : "", source ? source : "");
        diag_hint(d, "rename the service, or the stack '%s'", job->plan->stack);
}

/* A generator's directory counts more than /usr/lib (systemd.unit(5), "UNIT FILE LOAD PATH"): a unit of the
 * same name would silently take the place of one that a package brought. What stands in /etc is the
 * operator's own word and counts more than ours. */
static void check_vendor(Arena *a, Diag *d, const ApplyJob *job, const char *unit, Span origin) {
        static const char *const dirs[] = { "/usr/lib/systemd/system", "/usr/local/lib/systemd/system" };

        if (strchr(unit, '/'))
                return;
        for (size_t i = 0; i < ELEMENTS(dirs); i++) {
                const char *path = arena_printf(a, "%s%s/%s", job->root ? job->root : "", dirs[i], unit);

                if (faccessat(AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
                        continue;
                diag_error(d, origin, "name-taken", "%s would take the place of %s, which a package brought",
                           unit, path);
                diag_hint(d, "rename the service, or the stack '%s'", job->plan->stack);
        }
}

/* Before the first byte is written, so that the usual case of a clash leaves no trace. */
static bool names_are_free(Arena *a, Diag *d, const ApplyJob *job, int dir_fd) {
        const size_t before = d->n_errors;

        for (size_t i = 0; i < job->plan->n_items; i++) {
                check_name(a, d, job, dir_fd, job->plan->items[i].path, job->plan->items[i].origin);
                check_vendor(a, d, job, job->plan->items[i].path, job->plan->items[i].origin);
        }
        for (size_t i = 0; i < job->plan->n_expected; i++) {
                check_name(a, d, job, dir_fd, job->plan->expected[i].unit, job->plan->expected[i].origin);
                check_vendor(a, d, job, job->plan->expected[i].unit, job->plan->expected[i].origin);
        }
        return d->n_errors == before;
}

/* ---- taking back ---- */

/* Folders that are empty now. One that others use as well is not empty, or is not missed. */
static void remove_parents(Arena *a, int dir_fd, const char *path) {
        for (const char *p = path_parent(a, path); strchr(p, '/') || (p[0] != '\0' && p[0] != '.');
             p = path_parent(a, p))
                if (unlinkat(dir_fd, p, AT_REMOVEDIR) < 0)
                        return;
}

/* What this run wrote: items up to `failed` (or all of the phases up to last), units that came from quadlet.
 */
static void take_back(Arena *a, const ApplyJob *job, int dir_fd, const PlanItem *failed, PlanPhase last,
                      size_t n_units) {
        const Plan *p = job->plan;
        size_t n = 0;

        while (n < p->n_items && p->items + n != failed && p->items[n].phase <= last)
                n++;
        for (size_t i = 0; i < n_units; i++)
                (void) unlinkat(dir_fd, p->expected[i].unit, 0);
        for (size_t i = n; i > 0; i--) {
                (void) unlinkat(dir_fd, p->items[i - 1].path, 0);
                remove_parents(a, dir_fd, p->items[i - 1].path);
        }
}

void plan_remove_own(Arena *a, const Plan *p, const char *dir, const char *source) {
        _cleanup_close_ int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

        for (size_t i = 0; dir_fd >= 0 && i < p->n_items; i++) {
                const char *path = p->items[i].path, *from = unit_source_path(a, dir_fd, path);
                struct stat st;

                if (fstatat(dir_fd, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
                        continue;
                if (S_ISLNK(st.st_mode) || (from && path_is_within(from, source)))
                        (void) unlinkat(dir_fd, path, 0);
        }
}

/* ---- the way ---- */

static int commit(Diag *d, const ApplyJob *job, int dir_fd, PlanPhase first, PlanPhase last,
                  const PlanItem **ret_failed) {
        int r = plan_commit(job->plan, dir_fd, first, last, job->replace, ret_failed);

        if (r == -EEXIST)
                diag_error(d, (*ret_failed)->origin, "name-taken",
                           "%s was made by another generator at the same time", (*ret_failed)->path);
        else if (r < 0)
                diag_error(d, (Span){ 0 }, "write", "cannot write %s/%s: %s", job->dir,
                           *ret_failed ? (*ret_failed)->path : "", strerror(-r));
        if (r == -ENOSPC)
                diag_hint(d, "the file system of %s is full", job->dir);
        return r;
}

static ApplyOutcome apply_phases(Arena *a, Diag *d, const ApplyJob *job, int dir_fd) {
        Produced made = { 0 };
        const PlanItem *failed = NULL;

        if (commit(d, job, dir_fd, PLAN_QUADLET, PLAN_PRIVATE, &failed) < 0) {
                if (!job->replace)
                        take_back(a, job, dir_fd, failed, PLAN_PRIVATE, 0);
                return APPLY_REFUSED;
        }
        if (job->plan->n_expected > 0 && !job->without_quadlet &&
            quadlet_produce(a, d, job, dir_fd, &made) < 0) {
                if (!job->replace)
                        take_back(a, job, dir_fd, NULL, PLAN_PRIVATE, made.n_moved);
                return APPLY_REFUSED;
        }
        if (commit(d, job, dir_fd, PLAN_UNIT, PLAN_ACTIVATE, &failed) < 0) {
                if (!job->replace)
                        take_back(a, job, dir_fd, failed, PLAN_ACTIVATE, made.n_moved);
                return APPLY_REFUSED;
        }
        return made.n_failed > 0 ? APPLY_INCOMPLETE : APPLY_DONE;
}

ApplyOutcome plan_apply(Arena *a, Diag *d, const ApplyJob *job) {
        _cleanup_close_ int dir_fd = -1;

        if (job->plan->n_expected > 0 && !job->without_quadlet && job->quadlet[0] == '\0') {
                diag_error(d, (Span){ 0 }, "no-quadlet",
                           "Podman " QUADLET_VERSION_NEEDED " or newer is needed, and %s",
                           quadlet_absence(a, job->root));
                diag_hint(d, "install Podman " QUADLET_VERSION_NEEDED
                             " or newer, then run: systemctl daemon-reload");
                return APPLY_REFUSED;
        }
        dir_fd = open(job->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (dir_fd < 0) {
                diag_error(d, (Span){ 0 }, "write", "cannot open %s: %s", job->dir, strerror(errno));
                return APPLY_REFUSED;
        }
        if (!job->replace && !names_are_free(a, d, job, dir_fd))
                return APPLY_REFUSED;
        return apply_phases(a, d, job, dir_fd);
}
