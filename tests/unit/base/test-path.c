/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void test_normalize(void **state) {
        static const char *const cases[][2] = {
                { "/", "/" },
                { "//", "/" },
                { "/..", "/" },
                { "/../..", "/" },
                { "/a/", "/a" },
                { "/a//b///c", "/a/b/c" },
                { "/a/./b/.", "/a/b" },
                { "/a/../b", "/b" },
                { "/a/..", "/" },
                { "/a/b/../../..", "/" },
                { "/a/b/../c/../d", "/a/d" },
                { "/a/..b/...", "/a/..b/..." },
                { "", "." },
                { ".", "." },
                { "./", "." },
                { "a", "a" },
                { "./a/", "a" },
                { "a/..", "." },
                { "a/../b", "b" },
                { "..", ".." },
                { "../..", "../.." },
                { "../a/../..", "../.." },
                { "a/../../b", "../b" },
                { "../../a/b/../..", "../.." },
                { "ab/../c", "c" },
                { "..a/..", "." },
        };
        _cleanup_arena_ Arena *a = arena_new(1024 * 1024);

        (void) state;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
                assert_string_equal(path_normalize(a, cases[i][0]), cases[i][1]);
}

static void test_join(void **state) {
        static const char *const cases[][3] = {
                { "/etc/unitproof/media", "compose.yaml", "/etc/unitproof/media/compose.yaml" },
                { "/etc/unitproof/media", "./config", "/etc/unitproof/media/config" },
                { "/etc/unitproof/media", "../shared/x.yaml", "/etc/unitproof/shared/x.yaml" },
                { "/etc/unitproof/media", "/srv/data/", "/srv/data" },
                { "/", "a", "/a" },
                { "", "a/b", "a/b" },
                { "a", "", "a" },
        };
        _cleanup_arena_ Arena *a = arena_new(1024 * 1024);

        (void) state;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
                assert_string_equal(path_join(a, cases[i][0], cases[i][1]), cases[i][2]);
}

static void test_parent(void **state) {
        _cleanup_arena_ Arena *a = arena_new(1024 * 1024);

        (void) state;
        assert_string_equal(path_parent(a, "/a/b"), "/a");
        assert_string_equal(path_parent(a, "/a"), "/");
        assert_string_equal(path_parent(a, "/"), "/");
        assert_string_equal(path_parent(a, "a/b"), "a");
        assert_string_equal(path_parent(a, "a"), ".");
}

static void test_within(void **state) {
        (void) state;
        assert_true(path_is_within("/srv/data", "/srv/data"));
        assert_true(path_is_within("/srv/data/a", "/srv/data"));
        assert_false(path_is_within("/srv/database", "/srv/data"));
        assert_false(path_is_within("/srv", "/srv/data"));
        assert_true(path_is_within("/srv", "/"));
        assert_true(path_is_within("/", "/"));
        assert_false(path_is_within("srv", "/"));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_normalize),
                cmocka_unit_test(test_join),
                cmocka_unit_test(test_parent),
                cmocka_unit_test(test_within),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
