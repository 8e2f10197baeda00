/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <errno.h>

#include "generator/base/buf.h"
#include "generator/command/exec-words.h"
#include "generator/write/unit-writer.h"
#include "tests/unit/facts/case.h"

static const char *split(Case *c, const char *line) {
        const char **words;
        Buf b = BUF(c->arena);
        size_t n;
        int r;

        r = exec_words(c->arena, line, &words, &n);
        if (r < 0)
                return r == -EOPNOTSUPP ? "unsupported" : "invalid";
        for (size_t i = 0; i < n; i++)
                buf_printf(&b, "<%s>", words[i]);
        assert_null(words[n]);
        return buf_text(&b);
}

static void test_lines(void **state) {
        static const struct {
                const char *line, *words;
        } cases[] = {
                { "/bin/a b  c", "</bin/a><b><c>" },
                { "-@/bin/a b", "</bin/a><b>" },
                { "\"/bin/a\" \"b c\" 'd \"e'", "</bin/a><b c><d \"e>" },
                { "a \"\" b", "<a><><b>" },
                { "a x\"y z\"w", "<a><xy zw>" },
                { "a \\x41\\n\\t\\\\ \\s", "<a><A\n\t\\>< >" },
                { "a 100%% $$HOME", "<a><100%><$HOME>" },
                { "", "" },
                { "a %n", "unsupported" },
                { "a ${X}", "unsupported" },
                { "a $X", "unsupported" },
                { "a 'b", "invalid" },
                { "a b\\", "invalid" },
                { "a \\q", "invalid" },
                { "a \\x4", "invalid" },
        };
        Case c;

        (void) state;
        case_begin(&c);
        for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
                assert_string_equal(split(&c, cases[i].line), cases[i].words);
        case_end(&c);
}

/* What the unit writer writes comes back as it was. */
static void test_round_trip_with_the_writer(void **state) {
        static const char *const words[] = { "/bin/x",     "a b", "",       "\"q\"", "it's", "50%",
                                             "$HOME ${A}", "\\",  "tab\t",  "nl\n",  ";",    "#",
                                             "\x01",       "é☃",  "a\\x41", "%%n",   "$$" };
        enum { N = sizeof(words) / sizeof(words[0]) };
        const char **back;
        UnitWriter w;
        Case c;
        size_t n;
        char *line;

        (void) state;
        case_begin(&c);
        w = unit_writer(c.arena, &c.diag);
        unit_words(&w, "ExecStart", ESCAPE_ARGV, words, N);
        assert_int_equal(c.diag.n_entries, 0);
        line = arena_strdup(c.arena, unit_writer_text(&w));
        line[strcspn(line, "\n")] = '\0';
        assert_int_equal(strncmp(line, "ExecStart=", 10), 0);
        assert_int_equal(exec_words(c.arena, line + 10, &back, &n), 0);
        assert_int_equal(n, N);
        for (size_t i = 0; i < N; i++)
                assert_string_equal(back[i], words[i]);
        case_end(&c);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_lines),
                cmocka_unit_test(test_round_trip_with_the_writer),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
