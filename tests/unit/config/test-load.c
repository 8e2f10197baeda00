/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "generator/config/config.h"
#include "tests/unit/facts/case.h"
#include "tests/unit/facts/tree.h"

static char root[64];
static Case c;

static int begin(void **state) {
        (void) state;
        tree_new(root);
        case_begin(&c);
        c.sources.userdata = root;
        return 0;
}

static int end(void **state) {
        (void) state;
        tree_done(root);
        case_end(&c);
        return 0;
}

static void test_nothing_is_no_mistake(void **state) {
        Config config = { .proof_timeout_sec = 7 };
        const char **names;
        size_t n = 9;

        (void) state;
        config_load(c.arena, &c.diag, &c.sources, root, &config);
        assert_int_equal(c.diag.n_entries, 0);
        assert_int_equal(config.proof_timeout_sec, 0);
        assert_int_equal(config_list_stacks(c.arena, root, &names, &n), 0);
        assert_int_equal(n, 0);
        assert_null(names[0]);
}

static void test_files_in_order(void **state) {
        Config config;

        (void) state;
        tree_write(root, "etc/unitproof/unitproof.conf", "[proofs]\ntimeout=1\n[echo]\nurl=http://main/\n");
        tree_write(root, "etc/unitproof/unitproof.conf.d/20-b.conf", "[proofs]\ntimeout=3\n");
        tree_write(root, "etc/unitproof/unitproof.conf.d/10-a.conf",
                   "[proofs]\ntimeout=2\n[echo]\nurl=http://a/\n");
        tree_write(root, "etc/unitproof/unitproof.conf.d/30-c.conf.bak", "[proofs]\ntimeout=4\n");
        config_load(c.arena, &c.diag, &c.sources, root, &config);
        assert_int_equal(c.diag.n_entries, 0);
        assert_int_equal(config.proof_timeout_sec, 3);
        assert_int_equal(config.n_echo, 2);
        assert_string_equal(config.echo[1], "http://a/");
}

static void test_errors_name_their_file(void **state) {
        Config config;

        (void) state;
        tree_write(root, "etc/unitproof/unitproof.conf", "[proofs]\ntimeout=9\n");
        tree_write(root, "etc/unitproof/unitproof.conf.d/x.conf", "[proofs]\n\ntimout=1\n");
        config_load(c.arena, &c.diag, &c.sources, root, &config);
        assert_int_equal(c.diag.n_errors, 1);
        assert_string_equal(diag_position(&c.diag, c.arena, c.diag.entries[0].span),
                            "/etc/unitproof/unitproof.conf.d/x.conf:3:1");
        assert_int_equal(config.proof_timeout_sec, 9);
}

static void test_what_is_no_file_is_an_error(void **state) {
        Config config;

        (void) state;
        tree_write(root, "etc/unitproof/unitproof.conf/x", "");
        config_load(c.arena, &c.diag, &c.sources, root, &config);
        assert_int_equal(c.diag.n_errors, 1);
        assert_string_equal(c.diag.entries[0].code, "unreadable");
}

static void test_stacks(void **state) {
        const char **names;
        size_t n;

        (void) state;
        tree_write(root, "etc/unitproof/web/compose.yaml", "");
        tree_write(root, "etc/unitproof/media/compose.yaml", "");
        tree_write(root, "etc/unitproof/Bad Name/compose.yaml", "");
        tree_write(root, "etc/unitproof/.git/config", "");
        tree_write(root, "etc/unitproof/unitproof.conf.d/x.conf", "");
        tree_write(root, "etc/unitproof/readme.txt", "");
        tree_link(root, "etc/unitproof/moved", "/srv/not-mounted");
        assert_int_equal(config_list_stacks(c.arena, root, &names, &n), 0);
        assert_int_equal(n, 4);
        assert_string_equal(names[0], "Bad Name");
        assert_string_equal(names[1], "media");
        assert_string_equal(names[2], "moved");
        assert_string_equal(names[3], "web");
}

int main(void) {
#define LOAD_TEST(fn) cmocka_unit_test_setup_teardown(fn, begin, end)
        const struct CMUnitTest tests[] = {
                LOAD_TEST(test_nothing_is_no_mistake),
                LOAD_TEST(test_files_in_order),
                LOAD_TEST(test_errors_name_their_file),
                LOAD_TEST(test_what_is_no_file_is_an_error),
                LOAD_TEST(test_stacks),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
