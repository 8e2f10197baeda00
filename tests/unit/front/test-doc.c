/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/front/doc.h"

#include <time.h>

#include "tests/unit/front/fixture.h"

static Node *parse(Fixture *f, const char *text) {
        uint32_t file = fixture_file(f, text);

        return doc_parse(f->arena, &f->diag, &f->sources, file);
}

static void test_values(void **state) {
        static const char *const cases[][2] = {
                { "", "null" },
                { "# only a comment\n", "null" },
                { "---\n", "null" },
                { "---\n...\n", "null" },
                { "\xef\xbb\xbf"
                  "a: 1\n",
                  "{a: 1}" },
                { "\xef\xbb\xbf"
                  "a:\n  b: 1\nc: 2\n",
                  "{a: {b: 1}, c: 2}" },
                { "\xef\xbb\xbf---\na: 1\nb: 2\n", "{a: 1, b: 2}" },
                { "\xef\xbb\xbf%YAML 1.2\n---\na: 1\nb: 2\n", "{a: 1, b: 2}" },
                { "\xef\xbb\xbf- 1\n- 2\n", "[1, 2]" },
                { "\xef\xbb\xbf", "null" },
                { "a: 1\r\nb: x\r\n", "{a: 1, b: \"x\"}" },
                { "%YAML 1.2\n---\na: b\n", "{a: \"b\"}" },
                { "a: 1\nb: \"1\"\nc: '1'\nd: |\n  1\ne: >-\n  1\n",
                  "{a: 1, b: \"1\", c: \"1\", d: \"1\n\", e: \"1\"}" },
                { "a: yes\nb: true\nc: ~\nd:\ne: 1.5\nf: 0o17\n",
                  "{a: \"yes\", b: true, c: null, d: null, e: f1.5, f: 0o17}" },
                { "p: [80:80, 22:22, \"1:2\"]\n", "{p: [\"80:80\", \"22:22\", \"1:2\"]}" },
                { "1: a\n1.5: b\ntrue: c\n", "{1: \"a\", 1.5: \"b\", true: \"c\"}" },
                { "{a: {b: [c, {d: e}]}}", "{a: {b: [\"c\", {d: \"e\"}]}}" },
                { "a: !!str 1\nb: !!int \"1\"\nc: !!float 1\nd: ! 1\ne: !!bool \"true\"\n",
                  "{a: \"1\", b: 1, c: f1, d: \"1\", e: true}" },
                { "a: !!seq []\nb: !!map {}\nc: !!null ''\n", "{a: [], b: {}, c: null}" },
                { "a: !reset null\nb: !reset []\nc: !override\n  x: 1\nd: !override 5\n",
                  "{a: !r \"null\", b: !r [], c: !o {x: 1}, d: !o \"5\"}" },
                { "a: \"tab\\t nl\\n q\\\" \\u00e9\"\n", "{a: \"tab\t nl\n q\" \xc3\xa9\"}" },
                { "\"<<\": 1\n", "{<<: 1}" },
                { "a: &x 1\nb: *x\n", "{a: 1, b: 1}" },
                { "a: &x 1\nb: &x 2\nc: *x\n", "{a: 1, b: 2, c: 2}" },
                { "a: &x [1, {b: c}]\nd: [*x, *x]\n",
                  "{a: [1, {b: \"c\"}], d: [[1, {b: \"c\"}], [1, {b: \"c\"}]]}" },
                { "a: &k key\n*k : v\n", "{a: \"key\", key: \"v\"}" },
        };
        Fixture *f = *state;

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                Node *n = parse(f, cases[i][0]);
                Buf b = BUF(f->arena);

                assert_clean(f, cases[i][0]);
                assert_non_null(n);
                fixture_dump(&b, n);
                assert_string_equal(buf_text(&b), cases[i][1]);
        }
}

static void test_merge(void **state) {
        static const char *const cases[][2] = {
                { "x: &x {a: 1, b: 2}\ny:\n  <<: *x\n  b: 3\n", "{x: {a: 1, b: 2}, y: {a: 1, b: 3}}" },
                { "x: &x {a: 1, b: 2}\ny:\n  b: 3\n  <<: *x\n", "{x: {a: 1, b: 2}, y: {b: 3, a: 1}}" },
                { "p: &p {a: 1}\nq: &q {a: 2, b: 2}\ny:\n  <<: [*p, *q]\n",
                  "{p: {a: 1}, q: {a: 2, b: 2}, y: {a: 1, b: 2}}" },
                { "l: &l [{a: 1}, {a: 2, b: 2}]\ny: {<<: *l}\n",
                  "{l: [{a: 1}, {a: 2, b: 2}], y: {a: 1, b: 2}}" },
                { "y:\n  <<: {a: 1}\n  b: 2\n", "{y: {a: 1, b: 2}}" },
                { "x: &x {a: 1}\ny: &y {<<: *x, b: 2}\nz: {<<: *y, c: 3}\n",
                  "{x: {a: 1}, y: {a: 1, b: 2}, z: {a: 1, b: 2, c: 3}}" },
                { "x: &x {m: {a: 1}}\ny: {<<: *x, m: {b: 2}}\n", /* not deep */
                  "{x: {m: {a: 1}}, y: {m: {b: 2}}}" },
                { "x: &x {a: 1}\n? !!merge <<\n: *x\n", "{x: {a: 1}, a: 1}" },
                { "x: &x {}\ny: {<<: *x}\nz: {<<: []}\n", "{x: {}, y: {}, z: {}}" },
        };
        Fixture *f = *state;

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                Node *n = parse(f, cases[i][0]);
                Buf b = BUF(f->arena);

                assert_clean(f, cases[i][0]);
                fixture_dump(&b, n);
                assert_string_equal(buf_text(&b), cases[i][1]);
        }
}

static void test_positions(void **state) {
        static const char text[] = "# head\n"
                                   "services:\n"
                                   "  web: &web\n"
                                   "    image:   \"nginx\"  # c\n"
                                   "    \xc3\xa9t\xc3\xa9: [a, \xe2\x82\xac, 'b c']\n"
                                   "    none:\n"
                                   "    text: |\n"
                                   "      x\n"
                                   "  two: *web\n"
                                   "  three:\n"
                                   "    <<: *web\n"
                                   "    image: other\n";
        static const struct {
                const char *service, *key;
                int item; /* -1: the value, -2: the key */
                Span span;
        } cases[] = {
                { "web", "image", -2, { 1, 4, 5, 5 } },
                { "web", "image", -1, { 1, 4, 14, 7 } },
                { "web", "\xc3\xa9t\xc3\xa9", -2, { 1, 5, 5, 3 } },
                { "web", "\xc3\xa9t\xc3\xa9", 0, { 1, 5, 11, 1 } },
                { "web", "\xc3\xa9t\xc3\xa9", 1, { 1, 5, 14, 1 } },
                { "web", "\xc3\xa9t\xc3\xa9", 2, { 1, 5, 17, 5 } },
                { "web", "none", -1, { 1, 6, 10, 0 } },
                { "web", "text", -1, { 1, 7, 11, 0 } },
                { "two", "image", -1, { 1, 4, 14, 7 } }, /* where it was written */
                { "three", "text", -2, { 1, 7, 5, 4 } },
                { "three", "image", -1, { 1, 12, 12, 5 } },
        };
        Fixture *f = *state;
        Node *n = parse(f, text);

        assert_clean(f, text);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                const Node *service = node_get(node_get(n, "services"), cases[i].service);
                const NodePair *pair = node_get_pair(service, cases[i].key);
                Span span;

                assert_non_null(pair);
                if (cases[i].item >= 0)
                        span = pair->value->items[cases[i].item]->span;
                else
                        span = cases[i].item == -1 ? pair->value->span : pair->key->span;
                if (memcmp(&span, &cases[i].span, sizeof span) != 0)
                        fail_msg("row %zu: %u:%u+%u", i, span.line, span.column, span.length);
        }
}

static void test_aliases_are_copies(void **state) {
        Fixture *f = *state;
        Node *n = parse(f, "a: &x {k: [1]}\nb: *x\nc: {<<: *x}\n");
        Node *a = node_get(n, "a"), *b = node_get(n, "b"), *c = node_get(n, "c");

        assert_ptr_not_equal(a, b);
        assert_ptr_not_equal(node_get(a, "k"), node_get(b, "k"));
        assert_ptr_not_equal(node_get(a, "k"), node_get(c, "k"));
        node_append(f->arena, node_get(b, "k"), node_new_int(f->arena, n->span, 2));
        assert_int_equal(node_get(a, "k")->n, 1);
        assert_int_equal(node_get(c, "k")->n, 1);
}

typedef struct ErrorCase {
        const char *text;
        uint32_t line, column;
        const char *code;
} ErrorCase;

static void check_errors(Fixture *f, const ErrorCase *cases, size_t n) {
        for (size_t i = 0; i < n; i++) {
                Node *root = parse(f, cases[i].text);

                assert_null(root);
                assert_error(f, cases[i].text, cases[i].line, cases[i].column, cases[i].code);
        }
}
#define CHECK_ERRORS(f, cases) check_errors((f), (cases), sizeof(cases) / sizeof *(cases))

static void test_syntax_errors(void **state) {
        static const ErrorCase cases[] = {
                { "a: b: c\n", 1, 5, "yaml-syntax" },
                { "a: [1, 2\nb: 3\n", 2, 2, "yaml-syntax" },
                { "a: {b: 1\n", 2, 1, "yaml-syntax" },
                { "a: \"x\n", 1, 4, "yaml-syntax" },
                { ": 1\n", 1, 1, "yaml-syntax" },
                { "{: 1}\n", 1, 2, "yaml-syntax" },
                { "a: [,]\n", 1, 5, "yaml-syntax" },
                { "a: 1\nb: 'x\nc: y\n", 2, 4, "yaml-syntax" },
                { "a:\n\tb: 1\n", 2, 1, "yaml-syntax" },
                { "a: @x\n", 1, 4, "yaml-syntax" },
                { "a: `x`\n", 1, 4, "yaml-syntax" },
                { "a: %x\n", 1, 4, "yaml-syntax" },
                { "a: 1\n b: 2\n", 2, 3, "yaml-syntax" },
                { "a:\n   b: 1\n  c: 2\n", 3, 3, "yaml-syntax" },
                { "a:\n  - 1\n  b: 2\n", 3, 3, "yaml-syntax" },
                { "a: 1\nb\nc: 2\n", 3, 1, "yaml-syntax" },
                { "a: \"\\q\"\n", 1, 5, "yaml-syntax" },
                { "a: - b\n", 1, 4, "yaml-syntax" },
                { "a: b\n]\n", 2, 1, "yaml-syntax" },
                { "a: &x\n", 0, 0, NULL },
                { "%YAML 3.0\n---\na: 1\n", 1, 1, "yaml-syntax" },
                { "a: \"\\uD800\"\n", 1, 7, "yaml-syntax" },
        };
        Fixture *f = *state;

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                Node *n = parse(f, cases[i].text);

                if (!cases[i].code) { /* an anchor of nothing is fine */
                        assert_clean(f, cases[i].text);
                        assert_non_null(n);
                        continue;
                }
                assert_null(n);
                assert_error(f, cases[i].text, cases[i].line, cases[i].column, cases[i].code);
        }
}

static void test_structure_errors(void **state) {
        static const ErrorCase cases[] = {
                { "a: 1\n---\nb: 2\n", 2, 1, "second-document" },
                { "a: 1\n...\n---\n", 3, 1, "second-document" },
                { "a: 1\nb: 2\na: 3\n", 3, 1, "duplicate-key" },
                { "a: {b: 1, \"b\": 2}\n", 1, 11, "duplicate-key" },
                { "a: 0\nb: 0\nc: 0\nd: 0\ne: 0\nf: 0\ng: 0\nh: 0\ni: 0\nj: 0\nk: 0\nl: 0\n"
                  "m: 0\nn: 0\no: 0\np: 0\nq: 0\nr: 0\nc: 0\n",
                  19, 1, "duplicate-key" },
                { "x: &x {}\ny:\n  <<: *x\n  <<: *x\n", 4, 3, "duplicate-key" },
                { "a: *nowhere\n", 1, 4, "unknown-alias" },
                { "a: *x\nb: &x 1\n", 1, 4, "unknown-alias" },
                { "a: &a [*a]\n", 1, 8, "recursive-alias" },
                { "a: &a\n  b:\n    <<: *a\n", 3, 9, "recursive-alias" },
                { "? [a]\n: 1\n", 1, 3, "bad-key" },
                { "{a: b}: c\n", 1, 1, "bad-key" },
                { "a: &a [1]\n*a : 1\n", 1, 4, "bad-key" },
                { "?\n: 1\n", 1, 2, "bad-key" },
                { "~: 1\n", 1, 1, "bad-key" },
                { "null: 1\n", 1, 1, "bad-key" },
                { "a:\n  <<: 5\n", 2, 7, "bad-merge" },
                { "a:\n  <<:\n", 2, 6, "bad-merge" },
                { "a:\n  <<: [{}, x]\n", 2, 12, "bad-merge" },
                { "a: !foo 1\n", 1, 4, "unknown-tag" },
                { "a: !!binary aGk=\n", 1, 4, "unknown-tag" },
                { "a: !!python/object:x {}\n", 1, 4, "unknown-tag" },
                { "a: !!int x\n", 1, 4, "bad-tag" },
                { "a: !!bool yes\n", 1, 4, "bad-tag" },
                { "a: !!seq {}\n", 1, 4, "bad-tag" },
                { "a: !!str [x]\n", 1, 4, "bad-tag" },
                { "a: !!map x\n", 1, 4, "bad-tag" },
                { "\xef\xbb\xbf{a: 1, a: 2}\n", 1, 8, "duplicate-key" },
                { "\xef\xbb\xbfxy: b: c\n", 1, 6, "yaml-syntax" },
        };

        CHECK_ERRORS(*state, cases);
}

static void test_characters(void **state) {
        static const ErrorCase cases[] = {
                { "a: \"x\\0y\"\n", 1, 4, "control-character" },
                { "a: x\x1b\n", 1, 5, "control-character" },
                { "a: 1\n# \x07\n", 2, 3, "control-character" },
                { "a: \xc2\x85\n", 1, 4, "control-character" },
                { "a: x\xe2\x80\xa8y\n", 1, 5, "control-character" },
                { "a: \xef\xbb\xbf\n", 1, 4, "control-character" },
                { "a: 1\nb: \xc3\xa9\xff\n", 2, 5, "encoding" },
                { "a: \xc3", 1, 4, "encoding" },
                { "a: \xed\xa0\x80\n", 1, 4, "encoding" },
                { "\xff\xfe"
                  "a",
                  0, 0, "encoding" },
                { "\xfe\xff", 0, 0, "encoding" },
        };
        static const char utf16[] = "\xff\xfe"
                                    "a\0:\0 \0"
                                    "1\0",
                          nul[] = "a: 1\nb: x\0y\n";
        Fixture *f = *state;
        uint32_t file;

        CHECK_ERRORS(f, cases);
        /* What its author wrote as an escape is meant. */
        assert_string_equal(node_get_text(parse(f, "a: \"\\e[2J\\r\\x7f\\N\\L\\uFFFE\"\n"), "a"),
                            "\x1b[2J\r\x7f\xc2\x85\xe2\x80\xa8\xef\xbf\xbe");
        file = fixture_file_n(f, utf16, sizeof utf16 - 1);
        assert_null(doc_parse(f->arena, &f->diag, &f->sources, file));
        assert_error(f, "UTF-16", 0, 0, "encoding");
        file = fixture_file_n(f, nul, sizeof nul - 1);
        assert_null(doc_parse(f->arena, &f->diag, &f->sources, file));
        assert_error(f, "NUL", 2, 5, "control-character");
}

static void test_all_faults_of_values_are_collected(void **state) {
        Fixture *f = *state;

        assert_null(parse(f, "a: 1\na: 2\nb: !foo x\nc: \"\\0\"\nd: {e: 1, e: 2}\n"));
        assert_int_equal(f->diag.n_errors, 4);
        diag_sort(&f->diag);
        assert_string_equal(f->diag.entries[0].code, "duplicate-key");
        assert_string_equal(f->diag.entries[0].hint, "the first is in line 1; remove one of them");
        assert_string_equal(f->diag.entries[3].code, "duplicate-key");
}

static void test_a_file_that_was_not_read(void **state) {
        Fixture *f = *state;
        uint32_t file = (uint32_t) sources_add(&f->sources, "unread", NULL, 0);

        assert_null(doc_parse(f->arena, &f->diag, &f->sources, file));
        assert_error(f, "unread", 0, 0, "unreadable");
}

static char *repeat(const Fixture *f, const char *s, size_t n) {
        size_t length = strlen(s);
        char *text = arena_alloc(f->arena, length * n + 1);

        for (size_t i = 0; i < n; i++)
                memcpy(text + i * length, s, length);
        return text;
}

static void test_depth(void **state) {
        Fixture *f = *state;
        char *text = arena_printf(f->arena, "%s%s", repeat(f, "[", LIMIT_DEPTH), repeat(f, "]", LIMIT_DEPTH));
        static const char *const openers[] = { "[", "{a: ", "- ", "? ", "[{a: " };

        assert_non_null(parse(f, text));
        assert_clean(f, text);
        for (size_t i = 0; i < sizeof openers / sizeof *openers; i++) {
                assert_null(parse(f, repeat(f, openers[i], LIMIT_DEPTH + 1)));
                assert_int_equal(f->diag.n_errors, 1);
                assert_string_equal(f->diag.entries[0].code, "too-deep");
                assert_int_equal(f->diag.entries[0].span.line, 1);
        }
        /* Depth that only the aliases make. */
        text = arena_printf(f->arena, "a: &a %s%s\nb: %s*a%s\n", repeat(f, "[", 40), repeat(f, "]", 40),
                            repeat(f, "[", 30), repeat(f, "]", 30));
        assert_null(parse(f, text));
        assert_error(f, text, 2, 34, "too-deep");
}

static void test_long_values(void **state) {
        Fixture *f = *state;
        char *text = arena_printf(f->arena, "a: %s\n", repeat(f, "x", LIMIT_SCALAR_BYTES));

        assert_non_null(parse(f, text));
        text = arena_printf(f->arena, "a: 1\nb: %s\nc: 2\n", repeat(f, "x", 1024 * 1024));
        assert_null(parse(f, text));
        assert_error(f, "1 MiB", 2, 4, "value-too-long");
}

static void test_alias_bombs(void **state) {
        Fixture *f = *state;
        Buf b = BUF(f->arena);

        buf_add(&b, "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 12; i++)
                buf_printf(&b, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i, i, i - 1,
                           i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
        assert_null(parse(f, buf_text(&b)));
        assert_int_equal(f->diag.n_entries, 1);
        assert_string_equal(f->diag.entries[0].code, "too-many-nodes");
        assert_true(f->diag.entries[0].span.line > 5);

        b = BUF(f->arena);
        buf_add(&b, "a0: &a0 {k: v}\n");
        for (int i = 1; i < 60; i++) {
                buf_printf(&b, "a%d: &a%d\n", i, i);
                for (int k = 0; k < 4; k++)
                        buf_printf(&b, "  k%d: {<<: *a%d}\n", k, i - 1);
        }
        assert_null(parse(f, buf_text(&b)));
        assert_int_equal(f->diag.n_entries, 1);
        assert_string_equal(f->diag.entries[0].code, "too-many-nodes");
}

static double seconds(void) {
        struct timespec t;

        (void) clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
        return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

/* Not a benchmark: the bound is far above what is measured, and far below what quadratic growth
 * would take. */
static void test_growth_is_linear(void **state) {
        Fixture *f = *state;
        Buf many_keys = BUF(f->arena), anchors = BUF(f->arena), duplicates = BUF(f->arena);
        const char *texts[] = { NULL, NULL, NULL, NULL, NULL };
        double start;

        for (int i = 0; i < 100000; i++)
                buf_printf(&many_keys, "key%d: %d\n", i, i);
        for (int i = 0; i < 50000; i++)
                buf_printf(&anchors, "a%d: &a%d x\nb%d: *a%d\n", i, i, i, i);
        for (int i = 0; i < 100000; i++)
                buf_add(&duplicates, "k: 1\n");
        texts[0] = repeat(f, "[", 100000);
        texts[1] = buf_text(&many_keys);
        texts[2] = buf_text(&anchors);
        texts[3] = buf_text(&duplicates);
        texts[4] = arena_printf(f->arena, "[%s]", repeat(f, "a,", 200000));
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
                start = seconds();
                (void) parse(f, texts[i]);
                if (seconds() - start > 20)
                        fail_msg("text %zu took %.1f s", i, seconds() - start);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                TEST(test_values),
                TEST(test_merge),
                TEST(test_positions),
                TEST(test_aliases_are_copies),
                TEST(test_syntax_errors),
                TEST(test_structure_errors),
                TEST(test_characters),
                TEST(test_all_faults_of_values_are_collected),
                TEST(test_a_file_that_was_not_read),
                TEST(test_depth),
                TEST(test_long_values),
                TEST(test_alias_bombs),
                TEST(test_growth_is_linear),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
