/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "generator/base/str.h"
#include "generator/write/unit-writer.h"

typedef struct Case {
        Arena *arena;
        Sources sources;
        Diag diag;
        UnitWriter writer;
} Case;

static void begin(Case *c) {
        *c = (Case){ .arena = arena_new(1 << 20) };
        c->sources = (Sources){ .arena = c->arena };
        c->diag = (Diag){ .arena = c->arena, .sources = &c->sources };
        c->writer = unit_writer(c->arena, &c->diag);
}

static void test_lines(void **state) {
        static const char *const words[] = { "/bin/echo", "a b", "" };
        Case c;

        (void) state;
        begin(&c);
        unit_section(&c.writer, "Unit");
        unit_comment(&c.writer, "what\nfrom");
        unit_line(&c.writer, "Description", ESCAPE_TEXT, "50%");
        unit_section(&c.writer, "Service");
        unit_words(&c.writer, "ExecStart", ESCAPE_ARGV, words, 3);
        unit_words(&c.writer, "After", ESCAPE_NAME, words, 0);
        unit_linef(&c.writer, "TimeoutStartSec", ESCAPE_WORD, "%u", 90u);
        unit_begin(&c.writer, "Exec");
        unit_word_from_environment(&c.writer, "X");
        unit_word(&c.writer, ESCAPE_QUADLET_ARGV, "$y");
        unit_end(&c.writer);
        assert_string_equal(
                unit_writer_text(&c.writer),
                "[Unit]\n# what\\x0afrom\nDescription=50%%\n\n[Service]\nExecStart=/bin/echo \"a b\" \"\"\n"
                "TimeoutStartSec=90\nExec=${X} \"$$y\"\n");
        assert_int_equal(c.diag.n_entries, 0);
        arena_free(c.arena);
}

/* A line that cannot be written leaves nothing behind, and says where it came from. */
static void test_refused(void **state) {
        Case c;

        (void) state;
        begin(&c);
        unit_line(&c.writer, "A", ESCAPE_WORD, "a");
        c.writer.span = (Span){ .file = 0, .line = 7, .column = 3 };
        unit_begin(&c.writer, "Exec");
        unit_word(&c.writer, ESCAPE_QUADLET_ARGV, "fine");
        unit_word(&c.writer, ESCAPE_QUADLET_ARGV, ";");
        unit_end(&c.writer);
        unit_line(&c.writer, "B", ESCAPE_WORD, "b");
        assert_string_equal(unit_writer_text(&c.writer), "A=a\nB=b\n");
        assert_int_equal(c.diag.n_errors, 1);
        assert_int_equal(c.diag.entries[0].span.line, 7);
        assert_string_equal(c.diag.entries[0].code, "cannot-express");
        arena_free(c.arena);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_lines),
                cmocka_unit_test(test_refused),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
