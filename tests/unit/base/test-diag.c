/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/diag.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "generator/base/limits.h"
#include "generator/base/str.h"

typedef struct Fixture {
        Arena *arena;
        Sources sources;
        Diag diag;
        char *printed;
} Fixture;

static int setup(void **state) {
        static Fixture f;

        f = (Fixture){ .arena = arena_new(LIMIT_ARENA_BYTES) };
        f.sources = (Sources){ .arena = f.arena };
        f.diag = (Diag){ .arena = f.arena, .sources = &f.sources };
        *state = &f;
        return 0;
}

static int teardown(void **state) {
        Fixture *f = *state;

        free(f->printed);
        f->arena = arena_free(f->arena);
        return 0;
}

static void add_file(Fixture *f, const char *path, const char *bytes) {
        (void) sources_add(&f->sources, path, bytes, strlen(bytes));
}

static const char *print(Fixture *f, DiagFormat format) {
        size_t size;
        FILE *out;

        free(f->printed);
        out = open_memstream(&f->printed, &size);
        diag_print(&f->diag, out, format);
        (void) fclose(out);
        return f->printed;
}

static void test_text(void **state) {
        Fixture *f = *state;

        add_file(f, "web.yaml", "services:\n  web:\n    imgae: nginx\n");
        diag_error(&f->diag, (Span){ 1, 3, 5, 5 }, "unknown-key", "unknown key '%s'", "imgae");
        diag_hint(&f->diag, "did you mean '%s'?", "image");
        assert_string_equal(print(f, DIAG_TEXT), "web.yaml:3:5: error: unknown key 'imgae' [unknown-key]\n"
                                                 "    3 |     imgae: nginx\n"
                                                 "      |     ^~~~~\n"
                                                 "hint: did you mean 'image'?\n");
}

static void test_color(void **state) {
        Fixture *f = *state;

        add_file(f, "a", "x\n");
        diag_warning(&f->diag, (Span){ 1, 1, 1, 1 }, "c", "t");
        assert_string_equal(print(f, DIAG_TEXT_COLOR),
                            "\033[1ma:1:1: \033[0m\033[1;35mwarning:\033[0m t [c]\n"
                            "    1 | x\n"
                            "      | \033[1;32m^\033[0m\n");
}

static void test_columns_are_characters(void **state) {
        Fixture *f = *state;

        add_file(f, "a", "\xef\xbb\xbf\xc3\xa9\t\x1b\xff: value\r\nnext\rlast");
        diag_error(&f->diag, (Span){ 1, 1, 7, 5 }, "c", "t");
        diag_error(&f->diag, (Span){ 1, 3, 1, 4 }, "c", "u");
        assert_string_equal(print(f, DIAG_TEXT), "a:1:7: error: t [c]\n"
                                                 "    1 | \xc3\xa9 ??: value\n"
                                                 "      |       ^~~~~\n"
                                                 "a:3:1: error: u [c]\n"
                                                 "    3 | last\n"
                                                 "      | ^~~~\n");
}

static void test_no_caret_without_source(void **state) {
        Fixture *f = *state;

        add_file(f, "a", "x\n");
        (void) sources_add(&f->sources, "unread", NULL, 0);
        diag_error(&f->diag, (Span){ 0 }, "c", "nowhere");
        diag_error(&f->diag, (Span){ .file = 1 }, "c", "whole file");
        diag_error(&f->diag, (Span){ 2, 4, 2, 0 }, "c", "no bytes");
        diag_error(&f->diag, (Span){ 1, 9, 9, 3 }, "c", "no such line");
        diag_error(&f->diag, (Span){ 9, 1, 1, 1 }, "c", "no such file");
        diag_error(&f->diag, (Span){ 1, 1, 1, 1 }, "c", "secret line");
        diag_hide_source(&f->diag);
        assert_string_equal(print(f, DIAG_TEXT), "error: nowhere [c]\n"
                                                 "a: error: whole file [c]\n"
                                                 "unread:4:2: error: no bytes [c]\n"
                                                 "a:9:9: error: no such line [c]\n"
                                                 "error: no such file [c]\n"
                                                 "a:1:1: error: secret line [c]\n");
}

static void test_long_lines_are_cut_around_the_column(void **state) {
        Fixture *f = *state;
        char *line = malloc(1000001);

        memset(line, 'x', 1000000);
        line[1000000] = '\0';
        line[700000] = 'Y';
        add_file(f, "a", line);
        diag_error(&f->diag, (Span){ 1, 1, 700001, 1 }, "c", "t");
        (void) print(f, DIAG_TEXT);
        assert_true(strlen(f->printed) < 400);
        {
                const char *source = strstr(f->printed, " | ") + 3, *caret;
                const char *y = strchr(source, 'Y');

                assert_true(str_has_prefix(source, "…"));
                caret = strchr(strchr(source, '\n'), '|') + 2;
                /* "…" is three bytes and one column. */
                assert_int_equal(strcspn(caret, "^") + 2, y - source);
        }
        free(line);
}

static void test_values_cannot_act_on_the_terminal(void **state) {
        Fixture *f = *state;

        add_file(f, "evil\n\x1b[2J", "x\n");
        diag_error(&f->diag, (Span){ .file = 1 }, "c", "value '%s'", "\x1b]0;x\a\xe2\x80\xae\xff");
        diag_hint(&f->diag, "not %s", "\r");
        assert_string_equal(print(f, DIAG_TEXT),
                            "evil\\n\\x1b[2J: error: value '\\x1b]0;x\\x07\\u202e\\xff' [c]\n"
                            "hint: not \\r\n");
}

static void test_kmsg(void **state) {
        Fixture *f = *state;
        static char huge[5000];
        unsigned n = 0;

        memset(huge, 'v', sizeof huge - 1);
        add_file(f, "/etc/unitproof/web/compose.yaml", "a: b\n");
        diag_error(&f->diag, (Span){ 1, 1, 4, 1 }, "bad", "line one\nline two");
        diag_hint(&f->diag, "do this");
        diag_warning(&f->diag, (Span){ .file = 1 }, "odd", "%s", huge);
        diag_note(&f->diag, (Span){ 0 }, "n", "%s", huge);
        diag_hint(&f->diag, "%s\xc3\xa9", huge);
        (void) print(f, DIAG_KMSG);
        assert_true(str_has_prefix(f->printed, "<3>unitproof-generator["));
        assert_non_null(strstr(f->printed, "]: /etc/unitproof/web/compose.yaml:1:4: "
                                           "line one\\nline two (do this) [bad]\n"));
        assert_non_null(strstr(f->printed, "\n<4>unitproof-generator["));
        assert_non_null(strstr(f->printed, "\n<6>unitproof-generator["));
        for (const char *p = f->printed; *p; n++) {
                size_t length = strcspn(p, "\n");

                assert_true(length < 900);
                assert_true(str_is_utf8(p, length));
                p += length + 1;
        }
        assert_int_equal(n, 3);
}

static void test_sort_and_repetitions(void **state) {
        Fixture *f = *state;

        add_file(f, "a", "x\ny\n");
        add_file(f, "b", "x\n");
        diag_error(&f->diag, (Span){ 2, 1, 1, 1 }, "c", "five");
        diag_error(&f->diag, (Span){ 1, 2, 1, 1 }, "c", "four");
        diag_warning(&f->diag, (Span){ 1, 1, 2, 1 }, "c", "three");
        diag_error(&f->diag, (Span){ 1, 1, 1, 1 }, "c", "two");
        diag_error(&f->diag, (Span){ 1, 1, 1, 1 }, "c", "two");
        diag_error(&f->diag, (Span){ 0 }, "c", "one");
        assert_int_equal(f->diag.n_errors, 5);
        diag_sort(&f->diag);
        assert_int_equal(f->diag.n_errors, 4);
        assert_int_equal(f->diag.n_entries, 5);
        assert_string_equal(f->diag.entries[0].text, "one");
        assert_string_equal(f->diag.entries[1].text, "two");
        assert_string_equal(f->diag.entries[2].text, "three");
        assert_string_equal(f->diag.entries[3].text, "four");
        assert_string_equal(f->diag.entries[4].text, "five");
        diag_hint(&f->diag, "lost"); /* after sorting there is no last one */
        for (size_t i = 0; i < f->diag.n_entries; i++)
                assert_null(f->diag.entries[i].hint);
}

static void test_limit_never_loses_an_error_to_warnings(void **state) {
        Fixture *f = *state;

        for (int i = 0; i < LIMIT_DIAGNOSTICS + 50; i++)
                diag_warning(&f->diag, (Span){ 0 }, "w", "warning %d", i);
        diag_hint(&f->diag, "of a warning that was dropped");
        assert_null(f->diag.entries[LIMIT_DIAGNOSTICS - 1].hint);
        diag_error(&f->diag, (Span){ 0 }, "e", "the error");
        diag_hint(&f->diag, "its hint");
        assert_int_equal(f->diag.n_entries, LIMIT_DIAGNOSTICS);
        assert_int_equal(f->diag.n_dropped, 51);
        assert_int_equal(f->diag.n_errors, 1);
        (void) print(f, DIAG_TEXT);
        assert_non_null(strstr(f->printed, "error: the error [e]\nhint: its hint\n"));
        assert_non_null(strstr(f->printed, "note: 51 more are not shown [too-many]\n"));
        for (int i = 0; i < LIMIT_DIAGNOSTICS + 50; i++)
                diag_error(&f->diag, (Span){ 0 }, "e", "error %d", i);
        assert_int_equal(f->diag.n_entries, LIMIT_DIAGNOSTICS);
        assert_int_equal(f->diag.n_errors, LIMIT_DIAGNOSTICS + 51);
}

static void test_texts_are_bounded(void **state) {
        Fixture *f = *state;
        char *huge = malloc(1048577);

        memset(huge, 'v', 1048576);
        huge[1048576] = '\0';
        diag_error(&f->diag, (Span){ 0 }, "e", "unknown value '%s'", huge);
        assert_true(strlen(f->diag.entries[0].text) <= 1000);
        free(huge);
}

static void test_secrets_are_not_shown(void **state) {
        Fixture *f = *state;

        diag_add_secret(&f->diag, "NAME", "hunter2", 1);
        diag_add_secret(&f->diag, "NAME", "true", 1);
        diag_error(&f->diag, (Span){ 0 }, "x", "no '%s' here, nor ahunter2b; that is true", "hunter2hunter2");
        diag_hint(&f->diag, "write [%s]", "hunter2");
        assert_string_equal(f->diag.entries[0].text, "no '******' here, nor a***b; that is true");
        assert_string_equal(f->diag.entries[0].hint, "write [***]");
}

static const char *shown(Fixture *f, const char *text) {
        diag_error(&f->diag, (Span){ 0 }, "c", "%s", text);
        return f->diag.entries[f->diag.n_entries - 1].text;
}

/* What the Compose file says itself is shown with its lines anyway; a part of a longer word is not said. */
static void test_words_of_the_input_are_no_secrets(void **state) {
        Fixture *f = *state;
        static const char compose[] = "image: postgres:16\nuser: adminton\nwas: s3cr3t_x\n";
        uint32_t env, other;

        (void) sources_add(&f->sources, "/srv/matrix/compose.yaml", compose, strlen(compose));
        env = (uint32_t) sources_add(&f->sources, "/srv/matrix/.env", "", 0);
        other = (uint32_t) sources_add(&f->sources, "/srv/matrix/o.env", "A=other-secret", 14);
        diag_hide_file(&f->diag, env);
        diag_hide_file(&f->diag, other);
        diag_add_secret(&f->diag, "A_KEY", "postgres", env);
        diag_add_secret(&f->diag, "B_KEY", "admin", env);
        diag_add_secret(&f->diag, "C_KEY", "s3cr3t", env);
        diag_add_secret(&f->diag, "D_KEY", "other-secret", env);
        diag_add_secret(&f->diag, "E_KEY", "matrix", env);
        assert_string_equal(shown(f, "cannot read /x/postgres/y"), "cannot read /x/postgres/y");
        assert_string_equal(shown(f, "admin has s3cr3t, other-secret"), "*** has ***, ***");
        assert_string_equal(shown(f, "/srv/matrix/x"), "/srv/matrix/x");
        assert_true(diag_is_spelt_out(&f->diag, f->diag.secrets));
        assert_true(diag_is_spelt_out(&f->diag, f->diag.secrets + 1));
        assert_false(diag_is_spelt_out(&f->diag, f->diag.secrets + 3));
}

static void test_position(void **state) {
        Fixture *f = *state;

        add_file(f, "a", "");
        assert_string_equal(diag_position(&f->diag, f->arena, (Span){ 1, 2, 3, 4 }), "a:2:3");
        assert_string_equal(diag_position(&f->diag, f->arena, (Span){ 1, 2, 0, 0 }), "a:2");
        assert_string_equal(diag_position(&f->diag, f->arena, (Span){ .file = 1 }), "a");
        assert_string_equal(diag_position(&f->diag, f->arena, (Span){ 0 }), "");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void) {
        const struct CMUnitTest tests[] = {
                TEST(test_text),
                TEST(test_color),
                TEST(test_columns_are_characters),
                TEST(test_no_caret_without_source),
                TEST(test_long_lines_are_cut_around_the_column),
                TEST(test_values_cannot_act_on_the_terminal),
                TEST(test_kmsg),
                TEST(test_sort_and_repetitions),
                TEST(test_limit_never_loses_an_error_to_warnings),
                TEST(test_texts_are_bounded),
                TEST(test_secrets_are_not_shown),
                TEST(test_words_of_the_input_are_no_secrets),
                TEST(test_position),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
