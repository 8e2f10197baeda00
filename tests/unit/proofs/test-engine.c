/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "case.h"
#include "engines/payload.h"
#include "engines/run.h"
#include "proofs/handles.h"
#include "proofs/util.h"

/* A directory tree that looks like a unit's control group. */
typedef struct Tree {
        char path[64];
} Tree;

static void tree_add(const Tree *tree, const char *group, const char *pids) {
        CLEANUP(handle_free) char *directory = text_format("%s/%s", tree->path, group);
        CLEANUP(handle_free) char *file = text_format("%s/cgroup.procs", directory);
        CLEANUP(handle_fclose) FILE *stream = NULL;

        assert_true(mkdir(directory, 0755) == 0 || errno == EEXIST);
        stream = fopen(file, "we");
        assert_non_null(stream);
        assert_true(fputs(pids, stream) >= 0);
}

static int tree_set_up(void **state) {
        static Tree tree;

        (void) snprintf(tree.path, sizeof(tree.path), "/tmp/unitproof-test-XXXXXX");
        if (!mkdtemp(tree.path))
                return -1;
        *state = &tree;
        tree_add(&tree, ".", "1\n");
        tree_add(&tree, "runtime", "2\n");
        tree_add(&tree, "libpod-payload-abc", "10\n12\n");
        tree_add(&tree, "libpod-payload-abc/inner", "11\n");
        tree_add(&tree, "libpod-payload-abc/inner/deeper", "12\n13\n");
        return 0;
}

static int tree_tear_down(void **state) {
        const Tree *tree = *state;
        const char *const argv[] = { "/bin/rm", "-rf", "--", tree->path, NULL };
        CLEANUP(spawned_done) Spawned removal = { .status = -1 };

        return spawn_run(argv, time_monotonic_usec() + 5 * USEC_PER_SEC, &removal);
}

static void assert_pids(const PidSet *set, const pid_t *pids, size_t n) {
        assert_int_equal(set->n, n);
        for (size_t i = 0; i < n; i++) {
                assert_int_equal(set->pids[i], pids[i]);
                assert_true(payload_contains(set, pids[i]));
        }
        assert_false(payload_contains(set, 999));
}

static void test_payload(void **state) {
        static const pid_t contained[] = { 10, 11, 12, 13 }, all[] = { 1, 2, 10, 11, 12, 13 };
        CLEANUP(payload_done) PidSet inside = { .n = 0 }, everything = { .n = 0 };
        const Tree *tree = *state;

        assert_int_equal(payload_list(engine_find("podman"), tree->path, &inside), 0);
        assert_pids(&inside, contained, ARRAY_LENGTH(contained));
        assert_int_equal(payload_list(engine_find("native"), tree->path, &everything), 0);
        assert_pids(&everything, all, ARRAY_LENGTH(all));
}

static void test_payload_missing(void **state) {
        CLEANUP(payload_done) PidSet set = { .n = 0 };

        (void) state;
        assert_int_equal(payload_list(engine_find("native"), "/nowhere", &set), -ENOENT);
        assert_null(set.pids);
        assert_false(payload_contains(&set, 1));
}

static void test_table(void **state) {
        (void) state;
        for (size_t i = 0; engine_at(i); i++) {
                assert_true(name_is_valid(engine_at(i)->name));
                assert_ptr_equal(engine_find(engine_at(i)->name), engine_at(i));
                assert_non_null(engine_at(i)->roundtrip);
                assert_non_null(engine_at(i)->health);
        }
        assert_null(engine_find("nonsense"));
        for (HealthState s = 0; s < _HEALTH_MAX; s++)
                assert_int_equal(health_state_from_name(health_state_name(s)), s);
        assert_int_equal(health_state_from_name("splendid"), _HEALTH_INVALID);
}

static int run(const char *const argv[], unsigned msec, Spawned *ret) {
        return spawn_run(argv, time_monotonic_usec() + msec * USEC_PER_MSEC, ret);
}

static void test_run(void **state) {
        const char *const echo[] = { "/bin/echo", "$HOME", ";", "a b", NULL };
        const char *const fails[] = { "/bin/ls", "/nowhere", NULL };
        const char *const hangs[] = { "/bin/sleep", "100", NULL };
        const char *const missing[] = { "/nowhere/program", NULL };
        const char *const talks[] = { "/usr/bin/yes", NULL };
        CLEANUP(spawned_done) Spawned a = { .status = -1 }, b = { .status = -1 }, c = { .status = 77 };
        uint64_t start;

        (void) state;
        assert_int_equal(run(echo, 5000, &a), 0);
        assert_int_equal(a.status, 0);
        assert_string_equal(a.output, "$HOME ; a b\n");
        assert_string_equal(a.errors, "");
        assert_int_equal(run(fails, 5000, &b), 0);
        assert_int_equal(b.status, 2);
        assert_non_null(strstr(b.errors, "/nowhere"));
        start = time_monotonic_usec();
        assert_int_equal(run(hangs, 100, &c), -ETIMEDOUT);
        assert_true(time_monotonic_usec() - start < 5 * USEC_PER_SEC);
        assert_int_equal(run(missing, 5000, &c), -ENOENT);
        assert_int_equal(run(talks, 20000, &c), -EFBIG);
        assert_int_equal(c.status, 77);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test_setup_teardown(test_payload, tree_set_up, tree_tear_down),
                cmocka_unit_test(test_payload_missing),
                cmocka_unit_test(test_table),
                cmocka_unit_test(test_run),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
