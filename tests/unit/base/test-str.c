/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void test_utf8(void **state) {
        static const struct {
                const char *bytes;
                bool good;
        } cases[] = {
                { "", true },
                { "plain", true },
                { "\xc3\xa9\xe2\x82\xac\xf0\x9f\x90\xa7", true },
                { "\xc3", false }, /* cut off */
                { "\xe2\x82", false },
                { "\x80", false },     /* starts in the middle */
                { "\xc0\xaf", false }, /* overlong */
                { "\xc1\xbf", false },
                { "\xe0\x9f\xbf", false },
                { "\xf0\x8f\xbf\xbf", false },
                { "\xed\x9f\xbf", true },     /* U+D7FF */
                { "\xed\xa0\x80", false },    /* U+D800 */
                { "\xed\xbf\xbf", false },    /* U+DFFF */
                { "\xee\x80\x80", true },     /* U+E000 */
                { "\xf4\x8f\xbf\xbf", true }, /* U+10FFFF */
                { "\xf4\x90\x80\x80", false },
                { "\xf5\x80\x80\x80", false },
                { "\xff", false },
        };

        (void) state;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
                assert_int_equal(str_is_utf8(cases[i].bytes, strlen(cases[i].bytes)), cases[i].good);
        assert_true(str_is_utf8("a\0b", 3));
}

static void test_ends(void **state) {
        (void) state;
        assert_true(str_has_suffix("a.yaml", ".yaml"));
        assert_true(str_has_suffix(".yaml", ".yaml"));
        assert_false(str_has_suffix("yaml", ".yaml"));
        assert_true(str_has_prefix("x-unitproof", "x-"));
        assert_false(str_has_prefix("x", "x-"));
        assert_true(str_equal(NULL, NULL));
        assert_false(str_equal(NULL, ""));
}

static void test_control(void **state) {
        (void) state;
        assert_false(str_has_control("plain \xc3\xa9"));
        assert_true(str_has_control("a\tb"));
        assert_true(str_has_control("a\x7f"));
        assert_true(str_has_control("\x1b[0m"));
}

static void test_printable(void **state) {
        _cleanup_arena_ Arena *a = arena_new(1024 * 1024);

        (void) state;
        assert_string_equal(str_printable(a, ""), "");
        assert_string_equal(str_printable(a, "caf\xc3\xa9"), "caf\xc3\xa9");
        assert_string_equal(str_printable(a, "a\nb\tc\rd"), "a\\nb\\tc\\rd");
        assert_string_equal(str_printable(a, "\x1b[31m\x7f"), "\\x1b[31m\\x7f");
        assert_string_equal(str_printable(a, "\xff\xc3"), "\\xff\\xc3");
        assert_string_equal(str_printable(a, "\xc2\x9b"), "\\x9b"); /* C1 CSI */
        assert_string_equal(str_printable(a, "\xe2\x80\xae"
                                             "abc"),
                            "\\u202eabc"); /* RLO */
}

static void test_shorten(void **state) {
        _cleanup_arena_ Arena *a = arena_new(1024 * 1024);

        (void) state;
        assert_string_equal(str_shorten(a, "abcdef", 6), "abcdef");
        assert_string_equal(str_shorten(a, "abcdefg", 6), "abc…");
        assert_string_equal(str_shorten(a, "ab\xc3\xa9xyz", 6), "ab…"); /* not half an é */
        assert_string_equal(str_shorten(a, "ab\xc3\xa9xyz", 7), "ab\xc3\xa9xyz");
}

static void test_nearest(void **state) {
        static const char *const keys[] = {
                "image",    "init",    "ports",    "volumes",     "cap_add",
                "cap_drop", "restart", "env_file", "environment", "depends_on",
        };
        static const char *const cases[][2] = {
                { "imgae", "image" },     { "images", "image" },         { "Image", "image" },
                { "port", "ports" },      { "volume", "volumes" },       { "enviroment", "environment" },
                { "cap-add", "cap_add" }, { "dependson", "depends_on" },
        };

        (void) state;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
                assert_string_equal(str_nearest(cases[i][0], keys, sizeof keys / sizeof *keys), cases[i][1]);
        assert_null(str_nearest("networks", keys, sizeof keys / sizeof *keys));
        assert_null(str_nearest("", keys, sizeof keys / sizeof *keys));
        assert_null(str_nearest("x", keys, sizeof keys / sizeof *keys));
        assert_null(str_nearest("image", keys, 0));
}

static void test_nearest_is_bounded(void **state) {
        static char word[100001];
        const char *const keys[] = { "image", word };

        (void) state;
        memset(word, 'i', sizeof word - 1);
        assert_null(str_nearest(word, keys, 2));
        assert_string_equal(str_nearest("imag", keys, 2), "image");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_utf8),
                cmocka_unit_test(test_ends),
                cmocka_unit_test(test_control),
                cmocka_unit_test(test_printable),
                cmocka_unit_test(test_shorten),
                cmocka_unit_test(test_nearest),
                cmocka_unit_test(test_nearest_is_bounded),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
