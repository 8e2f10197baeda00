/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/compose/value.h"
#include "tests/unit/compose/fixture.h"

static void test_words(void **state) {
        static const struct {
                const char *text, *words, *rest;
        } cases[] = {
                { "", "[]", NULL },
                { "  a \t b\nc ", "[\"a\", \"b\", \"c\"]", NULL },
                { "'a b' \"c d\"e", "[\"a b\", \"c de\"]", NULL },
                { "a '' \"\"", "[\"a\", \"\", \"\"]", NULL },
                { "a\\ b \\'", "[\"a b\", \"'\"]", NULL },
                { "'a\\b' \"a\\b\" a\\b", "[\"a\\b\", \"ab\", \"ab\"]", NULL },
                { "a; b", "[\"a\"]", "; b" },
                { "a 2>x", "[\"a\"]", ">x" },
                { "a b>x", "[\"a\", \"b\"]", ">x" },
                { "a && b", "[\"a\"]", "&& b" },
                { "'a;b' \"c|d\"", "[\"a;b\", \"c|d\"]", NULL },
                { "a $(b c) d", "[\"a\", \"$(b c)\", \"d\"]", NULL },
                { "a `b; c` d", "[\"a\", \"`b; c`\", \"d\"]", NULL },
                { "ü 日本", "[\"ü\", \"日本\"]", NULL },
        };
        static const char *const bad[] = { "'a", "\"a", "a\\", "a(b", "(a)", "$(a", "`a", "a )" };
        Fixture *f = *state;

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                const char *rest = "?";
                Node *text = node_new_string(f->arena, (Span){ 1, 2, 3, 4 }, cases[i].text);
                Node *words;
                Buf b = BUF(f->arena);

                text->secret = true;
                words = value_split_words(f->arena, text, &rest);
                if (!words)
                        fail_msg("'%s' was refused", cases[i].text);
                fixture_dump(&b, words);
                assert_string_equal(buf_text(&b), cases[i].words);
                if (cases[i].rest)
                        assert_string_equal(rest, cases[i].rest);
                else
                        assert_null(rest);
                for (size_t j = 0; j < words->n; j++) {
                        assert_true(words->items[j]->secret);
                        assert_int_equal(words->items[j]->span.line, 2);
                }
        }
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
                const char *rest;

                if (value_split_words(f->arena, node_new_string(f->arena, (Span){ 0 }, bad[i]), &rest))
                        fail_msg("'%s' was taken", bad[i]);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = { TEST(test_words) };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
