/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "generator/base/buf.h"
#include "generator/facts/ini.h"
#include "tests/unit/facts/case.h"

typedef struct Seen {
        Buf text;
        bool sections; /* too */
} Seen;

static void see(void *userdata, const char *section, const char *key, const char *value, Span span) {
        Seen *s = userdata;

        if (!key) {
                if (s->sections)
                        buf_printf(&s->text, "%u:%u+%u [%s];", span.line, span.column, span.length, section);
                return;
        }
        buf_printf(&s->text, "%u:%u+%u [%s] %s=%s;", span.line, span.column, span.length, section, key,
                   value);
}

static const char *read_text(Case *c, const char *text, size_t n) {
        Seen s = { .text = BUF(c->arena) };
        uint32_t file = (uint32_t) sources_add(&c->sources, "x.conf", text, n);

        ini_read(c->arena, &c->diag, &c->sources, file, see, &s);
        return buf_text(&s.text);
}

static void test_positions(void **state) {
        static const char text[] = "# comment\n[a]\nx = 1\n\n  ; other\r\n[b]\r\ny=two words\r\nz =";
        Case c;

        (void) state;
        case_begin(&c);
        assert_string_equal(read_text(&c, text, sizeof(text) - 1),
                            "3:1+1 [a] x=1;7:1+1 [b] y=two words;8:1+1 [b] z=;");
        assert_int_equal(c.diag.n_entries, 0);
        case_end(&c);
}

static void test_sections_without_keys_are_seen(void **state) {
        static const char text[] = "\xef\xbb\xbf[a]\n# [no]\nx = [1]\n  [y]\n[ b c ] ; d\n[]\n[open\n";
        Seen s = { .sections = true };
        uint32_t file;
        Case c;

        (void) state;
        case_begin(&c);
        s.text = BUF(c.arena);
        file = (uint32_t) sources_add(&c.sources, "x.conf", text, sizeof(text) - 1);
        ini_read(c.arena, &c.diag, &c.sources, file, see, &s);
        /* "[y]" goes on with the value before it. */
        assert_string_equal(buf_text(&s.text),
                            "1:1+3 [a];3:1+1 [a] x=[1];4:3+0 [a] x=[y];5:1+7 [ b c ];6:1+2 [];");
        assert_string_equal(case_diag(&c, 0), "7:1 ini");
        case_end(&c);
}

static void test_a_bad_line_costs_only_itself(void **state) {
        static const char text[] = "[a]\nx = 1\nwhat is this\ny = 2\n";
        Case c;

        (void) state;
        case_begin(&c);
        assert_string_equal(read_text(&c, text, sizeof(text) - 1), "2:1+1 [a] x=1;4:1+1 [a] y=2;");
        assert_string_equal(case_diag(&c, 0), "3:1 ini");
        case_end(&c);
}

static void test_long_line(void **state) {
        char text[1200];
        Case c;

        (void) state;
        case_begin(&c);
        memset(text, 'v', sizeof(text));
        memcpy(text, "[a]\nx=", 6);
        memcpy(text + sizeof(text) - 5, "\ny=1\n", 5);
        assert_string_equal(read_text(&c, text, sizeof(text)), "3:1+1 [a] y=1;");
        assert_string_equal(case_diag(&c, 0), "2:1 ini");
        case_end(&c);
}

static void test_hostile_bytes(void **state) {
        static const char nul[] = "[a]\nx=1\0y=2\n", control[] = "[a]\nx=\033[31m\n",
                          latin[] = "[a]\nx=\xe4\n";
        static const struct {
                const char *text;
                size_t n;
        } cases[] = {
                { nul, sizeof(nul) - 1 },
                { control, sizeof(control) - 1 },
                { latin, sizeof(latin) - 1 },
        };

        (void) state;
        for (size_t i = 0; i < 3; i++) {
                Case c;

                case_begin(&c);
                assert_string_equal(read_text(&c, cases[i].text, cases[i].n), "");
                assert_string_equal(case_diag(&c, 0), "2:1 ini");
                case_end(&c);
        }
}

static void test_empty(void **state) {
        Case c;

        (void) state;
        case_begin(&c);
        assert_string_equal(read_text(&c, "", 0), "");
        assert_string_equal(read_text(&c, "\xef\xbb\xbf[a]\nx=1", 10), "2:1+1 [a] x=1;");
        assert_int_equal(c.diag.n_entries, 0);
        case_end(&c);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_positions), cmocka_unit_test(test_a_bad_line_costs_only_itself),
                cmocka_unit_test(test_long_line), cmocka_unit_test(test_hostile_bytes),
                cmocka_unit_test(test_empty),     cmocka_unit_test(test_sections_without_keys_are_seen),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
