/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <string.h>

#include "case.h"
#include "proofs/handles.h"
#include "proofs/util.h"

static void test_names(void **state) {
        static const char *const good[] = { "a", "media", "web-1", "a.b_c", "0" };
        static const char *const bad[] = { "",    ".",   "..",       ".a",  "-a", "a/b",
                                           "a b", "a\n", "\xc3\xa4", "a:b", "a%b" };
        char longest[NAME_LENGTH_MAX + 2];

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(good); i++)
                assert_true(name_is_valid(good[i]));
        for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
                assert_false(name_is_valid(bad[i]));
        assert_false(name_is_valid(NULL));
        memset(longest, 'a', sizeof(longest));
        longest[NAME_LENGTH_MAX + 1] = '\0';
        assert_false(name_is_valid(longest));
        longest[NAME_LENGTH_MAX] = '\0';
        assert_true(name_is_valid(longest));
}

static void test_unit_names(void **state) {
        static const char *const good[] = { "a.service", "media-vpn.service", "a@b.service", "a\\x2db.mount",
                                            "media.target" };
        static const char *const bad[] = {
                "",         "a",          "service", "a.unit", "../a.service", "a/b.service", "a b.service",
                ".service", "a.service\n"
        };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(good); i++)
                assert_true(unit_name_is_valid(good[i]));
        for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
                assert_false(unit_name_is_valid(bad[i]));
}

static void test_seconds(void **state) {
        static const struct {
                const char *text;
                int r;
                uint64_t usec;
        } rows[] = {
                { "0", 0, 0 },
                { "20", 0, 20000000 },
                { "0.5", 0, 500000 },
                { "1.0625", 0, 1062500 },
                { "86400", 0, UINT64_C(86400000000) },
                { "86401", -ERANGE, 0 },
                { "99999999999999999999999", -ERANGE, 0 },
                { "", -EINVAL, 0 },
                { "-1", -EINVAL, 0 },
                { "1s", -EINVAL, 0 },
                { ".5", -EINVAL, 0 },
                { " 1", -EINVAL, 0 },
        };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
                uint64_t usec = 0;

                assert_int_equal(text_parse_seconds(rows[i].text, &usec), rows[i].r);
                assert_true(usec == rows[i].usec);
        }
}

static void test_printable(void **state) {
        static const struct {
                const char *text, *expected;
        } rows[] = {
                { "plain", "plain" },
                { "two\nlines\t\there\n", "two lines here" },
                { "\033[31mred\x07", "?[31mred?" },
                { "caf\xc3\xa9 \xff", "caf?? ?" },
                { NULL, "" },
                { "01234567890123456789", "0123456789012345..." },
        };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
                CLEANUP(handle_free) char *text = text_printable(rows[i].text, 16);

                assert_string_equal(text, rows[i].expected);
        }
}

static void test_ids(void **state) {
        char a[ID128_TEXT_SIZE], b[ID128_TEXT_SIZE];

        (void) state;
        assert_int_equal(id128_random(a), 0);
        assert_int_equal(id128_random(b), 0);
        assert_true(id128_is_valid(a));
        assert_string_not_equal(a, b);
        assert_false(id128_is_valid("0123456789abcdef0123456789ABCDEF"));
        assert_false(id128_is_valid("0123456789abcdef0123456789abcde"));
        assert_false(id128_is_valid("0123456789abcdef0123456789abcdef0"));
        assert_int_equal(id128_boot(a), 0);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_names),   cmocka_unit_test(test_unit_names),
                cmocka_unit_test(test_seconds), cmocka_unit_test(test_printable),
                cmocka_unit_test(test_ids),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
