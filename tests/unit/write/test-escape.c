/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "generator/base/str.h"
#include "generator/write/escape.h"

typedef struct Row {
        EscapeClass class;
        const char *value, *line; /* line NULL: refused */
} Row;

static const Row rows[] = {
        { ESCAPE_TEXT, "50% of a\\b \"c\"", "50%% of a\\b \"c\"" },
        { ESCAPE_TEXT, "a\nb", NULL },
        { ESCAPE_TEXT, " a", NULL },
        { ESCAPE_TEXT, "a\\", NULL },
        { ESCAPE_TEXT, "", NULL },
        { ESCAPE_TEXT, "\xff", NULL },
        { ESCAPE_ARGV, "\xef\xbf\xbe", NULL },
        { ESCAPE_QUADLET_ARGV, "\xf4\x8f\xbf\xbf", NULL },
        { ESCAPE_ENV, "A=\xef\xb7\x90", NULL },
        { ESCAPE_ENV, "A=\xef\xbf\xbd", "\"A=\xef\xbf\xbd\"" },
        { ESCAPE_PATH, "/a b/%c", "/a b/%%c" },
        { ESCAPE_PATH, "a", NULL },
        { ESCAPE_PATH, "/a/../b", NULL },
        { ESCAPE_PATH_LIST, "/srv/data", "/srv/data" },
        { ESCAPE_PATH_LIST, "/a b\\\"$", "\"/a b\\\\\\\"$\"" },
        { ESCAPE_ARGV, "plain-word_1.2/3:4@5,6=7+8", "plain-word_1.2/3:4@5,6=7+8" },
        { ESCAPE_ARGV, "", "\"\"" },
        { ESCAPE_ARGV, ";", "\";\"" },
        { ESCAPE_ARGV, "50%n $HOME", "\"50%%n $$HOME\"" },
        { ESCAPE_ARGV, "a\nb\t\x01\x7f", "\"a\\nb\\t\\x01\\x7f\"" },
        { ESCAPE_ENV, "A=b c", "\"A=b c\"" },
        { ESCAPE_ENV, "A=$B", "\"A=$B\"" },
        { ESCAPE_ENV, "1A=b", NULL },
        { ESCAPE_ENV, "A-B=c", NULL },
        { ESCAPE_ENV, "A=\x01", NULL },
        { ESCAPE_NAME, "a-b@c.service", "a-b@c.service" },
        { ESCAPE_NAME, "a@.service", NULL },
        { ESCAPE_NAME, "a b.service", NULL },
        { ESCAPE_NAME, "a.conf", NULL },
        { ESCAPE_WORD, "5min+1.5", "5min+1.5" },
        { ESCAPE_WORD, "a b", NULL },
        { ESCAPE_WORD, "", NULL },
        { ESCAPE_QUADLET_SCALAR, "[\"a\",\"$b\"]", "[\"a\",\"$$b\"]" },
        { ESCAPE_QUADLET_SCALAR, " a ", "\" a \"" },
        { ESCAPE_QUADLET_SCALAR, "a\\", "\"a\\\"" },
        { ESCAPE_QUADLET_SCALAR, "\"a", NULL },
        { ESCAPE_QUADLET_SCALAR, "a\"", NULL },
        { ESCAPE_QUADLET_SCALAR, "a\rb", NULL },
        { ESCAPE_QUADLET_LINE, "a b:c", "a b:c" },
        { ESCAPE_QUADLET_LINE, "a\xc2\xa0", NULL },
        { ESCAPE_QUADLET_LINE, ";", NULL },
        { ESCAPE_QUADLET_LINE, "a\\", NULL },
        { ESCAPE_QUADLET_STRV, "a b\\c", "\"a b\\c\"" },
        { ESCAPE_QUADLET_STRV, "a\"b'c", "\"a\"'\"b'\"'c\"" },
        { ESCAPE_QUADLET_STRV, "", NULL },
        { ESCAPE_QUADLET_ARGV, "", NULL },
        { ESCAPE_QUADLET_ARGV, ";", NULL },
        { ESCAPE_QUADLET_ARGV, "; ;", "\"; ;\"" },
        { ESCAPE_QUADLET_ARGV, "\xc2\x80", NULL },
        { ESCAPE_QUADLET_ARGV, "\xc2\x81", "\"\xc2\x81\"" },
        { ESCAPE_QUADLET_KEYVAL, "a=", "a=" },
        { ESCAPE_QUADLET_KEYVAL, "a=b\nc", "\"a=b\\nc\"" },
        { ESCAPE_QUADLET_KEYVAL, "a", NULL },
        { ESCAPE_QUADLET_KEYVAL, "=a", NULL },
        { ESCAPE_INPUT_TEXT, " a%\\\" b ", "\\x20a%%\\\\\\\" b\\x20" },
        { ESCAPE_COMMENT, "a\nb", "a\\x0ab" },
};

static void test_rows(void **state) {
        (void) state;
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
                _cleanup_arena_ Arena *a = arena_new(1 << 20);
                Buf b = BUF(a);
                int r;

                buf_add(&b, "K=");
                r = escape_add(&b, rows[i].class, rows[i].value);
                if (!rows[i].line) {
                        assert_int_equal(r, -EINVAL);
                        assert_non_null(escape_refusal(rows[i].class, rows[i].value));
                        assert_string_equal(buf_text(&b), "K=");
                        continue;
                }
                assert_int_equal(r, 0);
                assert_string_equal(buf_text(&b) + 2, rows[i].line);
        }
}

static void test_assignment(void **state) {
        _cleanup_arena_ Arena *a = arena_new(1 << 20);
        Buf b = BUF(a);

        (void) state;
        assert_int_equal(escape_add_assignment(&b, "A", "a\\b \"c\" $d `e`\nf"), 0);
        assert_string_equal(buf_text(&b), "A=\"a\\\\b \\\"c\\\" \\$d \\`e\\`\nf\"\n");
        assert_int_equal(escape_add_assignment(&b, "B", "\x1b"), -EINVAL);
        assert_int_equal(escape_add_assignment(&b, "b-c", "x"), -EINVAL);
}

static void test_names(void **state) {
        static const char *const good[] = { "a.service", "a-b_c:d.e.target", "x@y@z.service",
                                            "a\\x2d.mount" };
        static const char *const bad[] = { "",           "service",     ".service",    "@a.service",
                                           "a@.service", "a/b.service", "a+b.service", "a.services" };
        char name[300];

        (void) state;
        for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
                assert_true(unit_name_is_valid(good[i]));
        for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
                assert_false(unit_name_is_valid(bad[i]));
        memset(name, 'a', sizeof(name));
        memcpy(name + 247, ".service", sizeof(".service"));
        assert_true(unit_name_is_valid(name));
        memset(name, 'a', sizeof(name));
        memcpy(name + 248, ".service", sizeof(".service"));
        assert_false(unit_name_is_valid(name));
}

static void test_message(void **state) {
        _cleanup_arena_ Arena *a = arena_new(1 << 20);

        (void) state;
        assert_string_equal(escape_for_message(a, "é☃\n", 10), "é☃\\x0a");
        assert_string_equal(escape_for_message(a, "é☃é", 2), "é☃…");
        assert_string_equal(escape_for_message(a, "", 2), "");
        assert_string_equal(escape_for_message(a, "\xc3\xa9\xff", 10), "\\xc3\\xa9\\xff");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_rows),
                cmocka_unit_test(test_assignment),
                cmocka_unit_test(test_names),
                cmocka_unit_test(test_message),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
