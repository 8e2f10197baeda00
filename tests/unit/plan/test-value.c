/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "generator/plan/lower.h"

static void test_seconds(void **state) {
        static const struct {
                const char *text;
                long seconds; /* -1: refused */
        } rows[] = {
                { "10s", 10 },        { "1m30s", 90 }, { "2h", 7200 },  { "1.5s", 2 }, { "500ms", 1 },
                { "1h0m0.5s", 3601 }, { "0s", 0 },     { "1d", 86400 }, { "1us", 1 },  { "", -1 },
                { "10", -1 },         { "s", -1 },     { "10x", -1 },   { "-1s", -1 }, { "999999999h", -1 },
        };

        (void) state;
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
                unsigned seconds = 7;

                assert_int_equal(value_seconds(rows[i].text, &seconds), rows[i].seconds >= 0);
                assert_int_equal(seconds, rows[i].seconds >= 0 ? rows[i].seconds : 7);
        }
}

static void test_csv(void **state) {
        _cleanup_arena_ Arena *a = arena_new(1 << 20);

        (void) state;
        assert_string_equal(value_csv(a, "a=b c"), "a=b c");
        assert_string_equal(value_csv(a, "a,b\"c"), "\"a,b\"\"c\"");
}

static void test_json(void **state) {
        _cleanup_arena_ Arena *a = arena_new(1 << 20);
        Node words[] = {
                { .text = "a\"b\\c" }, { .text = "\n\t\x01" }, { .text = "é\xc2\x80" }, { .text = "" }
        };
        const Node *items[] = { words, words + 1, words + 2, words + 3 };

        (void) state;
        assert_string_equal(value_json_array(a, items, 4),
                            "[\"a\\\"b\\\\c\",\"\\n\\t\\u0001\",\"é\\u0080\",\"\"]");
        assert_string_equal(value_json_array(a, items, 0), "[]");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_seconds),
                cmocka_unit_test(test_csv),
                cmocka_unit_test(test_json),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
