/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "generator/base/str.h"
#include "generator/plan/commit.h"

typedef struct Case {
        Arena *arena;
        Plan plan;
        char dir[32];
        int fd;
} Case;

static int begin(void **state) {
        Case *c = calloc(1, sizeof(*c));

        strcpy(c->dir, "/tmp/test-commit-XXXXXX");
        if (!mkdtemp(c->dir))
                return -1;
        c->fd = open(c->dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        c->arena = arena_new(1 << 20);
        c->plan = (Plan){ .arena = c->arena, .stack = "s" };
        plan_add(&c->plan, (PlanItem){ .phase = PLAN_QUADLET,
                                       .path = "unitproof-s.quadlets/s-a.container",
                                       .mode = 0644,
                                       .text = "Q\n" });
        plan_add(&c->plan, (PlanItem){ .phase = PLAN_PRIVATE,
                                       .path = "unitproof-s.env/a.env",
                                       .mode = 0600,
                                       .text = "SECRET=1\n" });
        plan_add(&c->plan,
                 (PlanItem){ .phase = PLAN_UNIT, .path = "s.target", .mode = 0644, .text = "[Unit]\n" });
        plan_add(&c->plan, (PlanItem){ .phase = PLAN_ACTIVATE,
                                       .path = "multi-user.target.wants/s.target",
                                       .target = "../s.target" });
        plan_sort(&c->plan);
        *state = c;
        return 0;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw) {
        (void) st;
        (void) type;
        (void) ftw;
        return remove(path);
}

static int end(void **state) {
        Case *c = *state;

        (void) close(c->fd);
        (void) nftw(c->dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
        arena_free(c->arena);
        free(c);
        return 0;
}

static bool exists(Case *c, const char *path) {
        struct stat st;

        return fstatat(c->fd, path, &st, AT_SYMLINK_NOFOLLOW) == 0;
}

static void assert_mode(Case *c, const char *path, mode_t mode) {
        struct stat st;

        assert_int_equal(fstatat(c->fd, path, &st, AT_SYMLINK_NOFOLLOW), 0);
        assert_int_equal(st.st_mode & 07777, mode);
}

static int commit_all(Case *c, bool replace, const PlanItem **ret_failed) {
        return plan_commit(&c->plan, c->fd, PLAN_QUADLET, PLAN_ACTIVATE, replace, ret_failed);
}

static void test_writes(void **state) {
        Case *c = *state;
        const PlanItem *failed = NULL;
        char target[64] = "";
        mode_t mask = umask(0077);

        assert_int_equal(commit_all(c, false, &failed), 0);
        umask(mask);
        /* Whatever the umask was. */
        assert_mode(c, "s.target", 0644);
        assert_mode(c, "unitproof-s.env/a.env", 0600);
        assert_mode(c, "unitproof-s.env", 0700);
        assert_true(readlinkat(c->fd, "multi-user.target.wants/s.target", target, sizeof(target) - 1) > 0);
        assert_string_equal(target, "../s.target");
}

static void test_phases(void **state) {
        Case *c = *state;
        const PlanItem *failed = NULL;

        assert_int_equal(plan_commit(&c->plan, c->fd, PLAN_QUADLET, PLAN_PRIVATE, false, &failed), 0);
        assert_true(exists(c, "unitproof-s.quadlets/s-a.container"));
        assert_false(exists(c, "s.target"));
        assert_int_equal(plan_commit(&c->plan, c->fd, PLAN_UNIT, PLAN_ACTIVATE, false, &failed), 0);
        assert_true(exists(c, "multi-user.target.wants/s.target"));
}

/* A name that somebody else has taken: not overwritten, and nothing becomes active. */
static void test_taken(void **state) {
        Case *c = *state;
        const PlanItem *failed = NULL;
        int fd = openat(c->fd, "s.target", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

        assert_true(fd >= 0);
        assert_int_equal(write(fd, "other\n", 6), 6);
        close(fd);
        assert_int_equal(commit_all(c, false, &failed), -EEXIST);
        assert_string_equal(failed->path, "s.target");
        assert_false(exists(c, "multi-user.target.wants/s.target"));
        assert_false(exists(c, ".s.target.unitproof-new"));

        assert_int_equal(commit_all(c, true, &failed), 0);
        assert_mode(c, "s.target", 0644);
        assert_int_equal(commit_all(c, true, &failed), 0);
        assert_true(exists(c, "multi-user.target.wants/s.target"));
}

/* A folder that is a link leads nowhere. */
static void test_link(void **state) {
        Case *c = *state;
        const PlanItem *failed = NULL;

        assert_int_equal(symlinkat("/tmp", c->fd, "unitproof-s.env"), 0);
        assert_true(commit_all(c, true, &failed) < 0);
        assert_string_equal(failed->path, "unitproof-s.env/a.env");
        assert_false(exists(c, "multi-user.target.wants/s.target"));
}

static void test_left_over(void **state) {
        Case *c = *state;
        const PlanItem *failed = NULL;
        int fd = openat(c->fd, ".s.target.unitproof-new", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);

        assert_true(fd >= 0);
        close(fd);
        assert_int_equal(commit_all(c, false, &failed), 0);
        assert_false(exists(c, ".s.target.unitproof-new"));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test_setup_teardown(test_writes, begin, end),
                cmocka_unit_test_setup_teardown(test_phases, begin, end),
                cmocka_unit_test_setup_teardown(test_taken, begin, end),
                cmocka_unit_test_setup_teardown(test_link, begin, end),
                cmocka_unit_test_setup_teardown(test_left_over, begin, end),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
