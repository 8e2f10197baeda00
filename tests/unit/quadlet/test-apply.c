/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "generator/quadlet/apply.h"
#include "tests/unit/facts/case.h"
#include "tests/unit/facts/tree.h"

/* Stands in for quadlet where there is none: makes x.service of x.container, says what 5.4.2 says, and does
 * what the test asks for by a word in the file. */
static const char stand_in[] =
        "#!/bin/sh\n"
        "out=$2; status=0\n"
        "for f in \"$QUADLET_UNIT_DIRS\"/*; do\n"
        "    n=${f##*/}; u=$out/${n%.*}.service\n"
        "    read -r what <\"$f\"\n"
        "    case $what in\n"
        "    refuse) echo \"quadlet-generator[1]: converting \\\"$n\\\": unsupported key 'Foo' in $f\" >&2; "
        "status=1 ;;\n"
        "    hang) exec sleep 60 ;;\n"
        "    crash) kill -SEGV $$ ;;\n"
        "    empty) : >\"$u\" ;;\n"
        "    more) echo x >\"$u\"; echo y >\"$out/extra.service\"; mkdir \"$out/default.target.wants\"; ln "
        "-s ../x \"$out/default.target.wants/x\" ;;\n"
        "    *) printf '[Unit]\\nSourcePath=%s\\n' \"$f\" >\"$u\" ;;\n"
        "    esac\n"
        "done\n"
        "exit $status\n";

static char root[64], program[128], out[128];
static Case c;
static Plan *plan;

static void add(PlanPhase phase, const char *path, const char *text, const char *target) {
        plan_add(plan, (PlanItem){ .phase = phase,
                                   .path = path,
                                   .mode = phase == PLAN_PRIVATE ? 0600 : 0644,
                                   .text = text,
                                   .target = target });
}

static void expect(const char *name, const char *what) {
        add(PLAN_QUADLET, arena_printf(c.arena, "unitproof-s.quadlets/%s.container", name), what, NULL);
        plan_expect(plan, (PlanExpected){
                                  .quadlet = arena_printf(c.arena, "%s.container", name),
                                  .unit = arena_printf(c.arena, "%s.service", name),
                          });
}

static int begin(void **state) {
        (void) state;
        tree_new(root);
        tree_write_mode(root, "quadlet", stand_in, 0755);
        tree_write(root, "out/.keep", "");
        tree_path(program, sizeof(program), root, "quadlet");
        tree_path(out, sizeof(out), root, "out");
        case_begin(&c);
        plan = arena_new_object(c.arena, Plan);
        *plan = (Plan){ .arena = c.arena, .stack = "s" };
        expect("s-a", "good\n");
        add(PLAN_PRIVATE, "unitproof-s.env/s-a", "SECRET=1\n", NULL);
        add(PLAN_UNIT, "s.target", "[Unit]\n", NULL);
        add(PLAN_LINK, "s.target.wants/s-a.service", NULL, "../s-a.service");
        add(PLAN_ACTIVATE, "multi-user.target.wants/s.target", NULL, "../s.target");
        return 0;
}

static int end(void **state) {
        (void) state;
        tree_done(root);
        case_end(&c);
        return 0;
}

static ApplyOutcome apply(ApplyJob job) {
        plan_sort(plan);
        job.plan = plan;
        job.dir = out;
        job.root = root;
        job.quadlet = job.quadlet ? job.quadlet : program;
        job.timeout_ms = job.timeout_ms > 0 ? job.timeout_ms : 5000;
        return plan_apply(c.arena, &c.diag, &job);
}

static bool there(const char *path) {
        return tree_exists(out, path);
}

/* Nothing of ours, not even a folder. */
static void assert_clean(void) {
        static const char *const paths[] = {
                "unitproof-s.quadlets",
                "unitproof-s.env",
                "unitproof-s.staging",
                "s-a.service",
                "s.target",
                "s.target.wants",
                "multi-user.target.wants",
        };

        for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
                assert_false(there(paths[i]));
}

static void test_all_of_it(void **state) {
        char path[160];
        struct stat st;

        (void) state;
        assert_int_equal(apply((ApplyJob){ 0 }), APPLY_DONE);
        assert_int_equal(c.diag.n_entries, 0);
        assert_true(there("s-a.service") && there("s.target") && there("multi-user.target.wants/s.target"));
        assert_false(there("unitproof-s.staging"));
        tree_path(path, sizeof(path), out, "unitproof-s.env");
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_mode & 07777, 0700);
        tree_path(path, sizeof(path), out, "unitproof-s.env/s-a");
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_mode & 07777, 0600);
}

static void test_a_unit_that_did_not_come_out_fails(void **state) {
        char *text;

        (void) state;
        expect("s-b", "refuse\n");
        assert_int_equal(apply((ApplyJob){ 0 }), APPLY_INCOMPLETE);
        assert_int_equal(c.diag.n_errors, 1);
        assert_string_equal(c.diag.entries[0].code, "quadlet");
        assert_true(there("s-a.service") && there("multi-user.target.wants/s.target"));
        text = tree_read(out, "s-b.service");
        assert_non_null(text);
        assert_non_null(strstr(text, "unsupported key 'Foo'"));
        assert_non_null(strstr(text, "unitproof-gate broken"));
        free(text);
}

static void test_an_empty_unit_did_not_come_out(void **state) {
        (void) state;
        expect("s-b", "empty\n");
        assert_int_equal(apply((ApplyJob){ 0 }), APPLY_INCOMPLETE);
        assert_true(there("s-b.service"));
}

static void test_what_nobody_expects_is_not_taken(void **state) {
        (void) state;
        expect("s-b", "more\n");
        assert_int_equal(apply((ApplyJob){ 0 }), APPLY_DONE);
        assert_true(there("s-b.service"));
        assert_false(there("extra.service") || there("default.target.wants") || there("unitproof-s.staging"));
}

static void test_quadlet_hangs(void **state) {
        char *text;

        (void) state;
        expect("s-0", "hang\n");
        assert_int_equal(apply((ApplyJob){ .timeout_ms = 300 }), APPLY_INCOMPLETE);
        text = tree_read(out, "s-a.service");
        assert_non_null(strstr(text, "did not end within 0.3 seconds"));
        free(text);
}

static void test_quadlet_crashes(void **state) {
        char *text;

        (void) state;
        expect("s-b", "crash\n");
        assert_int_equal(apply((ApplyJob){ 0 }), APPLY_INCOMPLETE);
        /* What was whole before the crash is whole. */
        text = tree_read(out, "s-a.service");
        assert_non_null(strstr(text, "SourcePath="));
        free(text);
        text = tree_read(out, "s-b.service");
        assert_non_null(strstr(text, "was killed by signal 11"));
        free(text);
}

static void test_no_quadlet(void **state) {
        (void) state;
        assert_int_equal(apply((ApplyJob){ .quadlet = "" }), APPLY_REFUSED);
        assert_string_equal(c.diag.entries[0].code, "no-quadlet");
        assert_non_null(strstr(c.diag.entries[0].text, "Podman 5.4"));
        assert_clean();
}

static void test_without_quadlet_on_purpose(void **state) {
        (void) state;
        assert_int_equal(apply((ApplyJob){ .quadlet = "", .without_quadlet = true }), APPLY_DONE);
        assert_true(there("unitproof-s.quadlets/s-a.container") && there("s.target"));
        assert_false(there("s-a.service"));
}

static void test_a_name_that_is_taken_refuses_all(void **state) {
        static const char *const names[] = { "s-a.service", "s.target", "multi-user.target.wants/s.target" };

        (void) state;
        for (size_t i = 0; i < 3; i++) {
                tree_write(out, names[i], "[Unit]\nSourcePath=/etc/unitproof/other/compose.yaml\n");
                c.diag.n_entries = c.diag.n_errors = 0;
                assert_int_equal(apply((ApplyJob){ 0 }), APPLY_REFUSED);
                assert_string_equal(c.diag.entries[0].code, "name-taken");
                assert_non_null(strstr(c.diag.entries[0].text, "/etc/unitproof/other/compose.yaml"));
                assert_false(there("unitproof-s.quadlets") || there("unitproof-s.env"));
                tree_done(out);
                tree_write(root, "out/.keep", "");
        }
}

/* man + db would be man-db.service, and win over the package's. */
static void test_a_unit_of_a_package_is_not_replaced(void **state) {
        (void) state;
        tree_write(root, "usr/lib/systemd/system/s-a.service", "[Unit]\n");
        assert_int_equal(apply((ApplyJob){ .quadlet = program, .timeout_ms = 5000, .root = root }), APPLY_REFUSED);
        assert_string_equal(c.diag.entries[0].code, "name-taken");
        assert_non_null(strstr(c.diag.entries[0].text, "usr/lib/systemd/system/s-a.service"));
}

static void test_a_second_run_replaces_when_told(void **state) {
        (void) state;
        assert_int_equal(apply((ApplyJob){ 0 }), APPLY_DONE);
        assert_int_equal(apply((ApplyJob){ 0 }), APPLY_REFUSED);
        assert_true(there("s-a.service") && there("multi-user.target.wants/s.target"));
        c.diag.n_entries = c.diag.n_errors = 0;
        assert_int_equal(apply((ApplyJob){ .replace = true }), APPLY_DONE);
        assert_int_equal(c.diag.n_entries, 0);
}

/* A folder where a file has to go: what was written before is taken back. */
static void test_what_was_written_is_taken_back(void **state) {
        (void) state;
        add(PLAN_UNIT, "z.service", "[Unit]\n", NULL);
        add(PLAN_UNIT, "z.service/impossible", "x", NULL);
        assert_int_equal(apply((ApplyJob){ 0 }), APPLY_REFUSED);
        assert_string_equal(c.diag.entries[0].code, "write");
        assert_clean();
        assert_false(there("z.service"));
        assert_true(there(".keep"));
}

static void test_no_directory(void **state) {
        (void) state;
        tree_done(out);
        assert_int_equal(apply((ApplyJob){ 0 }), APPLY_REFUSED);
        assert_string_equal(c.diag.entries[0].code, "write");
}

static void test_a_directory_that_quadlet_cannot_be_given(void **state) {
        (void) state;
        tree_write(root, "a:b/.keep", "");
        tree_path(out, sizeof(out), root, "a:b");
        assert_int_equal(apply((ApplyJob){ 0 }), APPLY_REFUSED);
        assert_string_equal(c.diag.entries[0].code, "quadlet");
        assert_clean();
}

static void test_own_files_are_told_from_others(void **state) {
        (void) state;
        tree_write(out, "s.target", "[Unit]\nSourcePath=/etc/unitproof/s/compose.yaml\n");
        tree_link(out, "multi-user.target.wants/s.target", "../s.target");
        plan_remove_own(c.arena, plan, out, "/etc/unitproof/s");
        assert_false(there("s.target") || there("multi-user.target.wants/s.target"));
        tree_write(out, "s.target", "[Unit]\nSourcePath=/etc/unitproof/s2/compose.yaml\n");
        plan_remove_own(c.arena, plan, out, "/etc/unitproof/s");
        assert_true(there("s.target"));
}

int main(void) {
#define APPLY_TEST(fn) cmocka_unit_test_setup_teardown(fn, begin, end)
        const struct CMUnitTest tests[] = {
                APPLY_TEST(test_all_of_it),
                APPLY_TEST(test_a_unit_that_did_not_come_out_fails),
                APPLY_TEST(test_an_empty_unit_did_not_come_out),
                APPLY_TEST(test_what_nobody_expects_is_not_taken),
                APPLY_TEST(test_quadlet_hangs),
                APPLY_TEST(test_quadlet_crashes),
                APPLY_TEST(test_no_quadlet),
                APPLY_TEST(test_without_quadlet_on_purpose),
                APPLY_TEST(test_a_name_that_is_taken_refuses_all),
                APPLY_TEST(test_a_unit_of_a_package_is_not_replaced),
                APPLY_TEST(test_a_second_run_replaces_when_told),
                APPLY_TEST(test_what_was_written_is_taken_back),
                APPLY_TEST(test_no_directory),
                APPLY_TEST(test_a_directory_that_quadlet_cannot_be_given),
                APPLY_TEST(test_own_files_are_told_from_others),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
