/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/front/interpolate.h"

#include "generator/front/doc.h"
#include "tests/unit/front/fixture.h"

static void set(const Fixture *f, EnvTable *t, const char *name, const char *value) {
        env_set(f->arena, t, (EnvVar){ .name = name, .value = value });
}

static EnvTable variables(const Fixture *f) {
        EnvTable t = { 0 };

        set(f, &t, "A", "aval");
        set(f, &t, "B", "bval");
        set(f, &t, "E", "");
        set(f, &t, "N", "8080");
        set(f, &t, "D", "$A");
        return t;
}

/* Results as Docker Compose 2.40 gives them. */
static const char *const grammar[][2] = {
        { "plain", "plain" },
        { "$A", "aval" },
        { "${A}", "aval" },
        { "x$A-y", "xaval-y" },
        { "$A$B${A}", "avalbvalaval" },
        { "$$A", "$A" },
        { "$$$A", "$aval" },
        { "$$$$", "$$" },
        { "$${A}", "${A}" },
        { "$", "$" },
        { "a $ b", "a $ b" },
        { "100%$", "100%$" },
        { "$1", "$1" },
        { "$-", "$-" },
        { "$\xc3\xa9", "$\xc3\xa9" },
        { "{{$A}}", "{{aval}}" },
        { "${A}}", "aval}" },
        { "$D", "$A" }, /* a value is not looked into */
        { "${A:-d}", "aval" },
        { "${E:-d}", "d" },
        { "${E-d}", "" },
        { "${U:-d}", "d" },
        { "${U-d}", "d" },
        { "${U:-}", "" },
        { "${U:--}", "-" },
        { "${U:-:-}", ":-" },
        { "${U:-a-b?c+d}", "a-b?c+d" },
        { "${A-b:-c}", "aval" },
        { "${U-b:-c}", "b:-c" },
        { "${A:+alt}", "alt" },
        { "${U:+alt}", "" },
        { "${E:+alt}", "" },
        { "${E+alt}", "alt" },
        { "${U+alt}", "" },
        { "${A:?m}", "aval" },
        { "${A?m}", "aval" },
        { "${E?m}", "" },
        { "${U:-${B}}", "bval" },
        { "${U:-${V:-z}}", "z" },
        { "${A+${B}}", "bval" },
        { "${U:-x${V:-q}y}z", "xqyz" },
        { "${U:-$A}", "aval" },
        { "${U:-$$x}", "$x" },
        { "${U:-a} ${B}", "a bval" },
        { "${U:-{}}", "{}" },
        { "${U:-{}", "{" },
        { "${U:-{\"x\":1}}", "{\"x\":1}" },
        { "${U:-{{.X}}}", "{{.X}}" },
        { "${U:-a}b}", "ab}" },
        { "${U:-}}", "}" },
        { "${U:+${V?never looked at}}", "" },
        { "x\n${A}\ny", "x\naval\ny" },
};

static void test_grammar(void **state) {
        Fixture *f = *state;
        EnvTable t = variables(f);

        for (size_t i = 0; i < sizeof grammar / sizeof *grammar; i++) {
                const char *text;

                (void) fixture_file(f, "");
                text = interpolate_string(f->arena, &f->diag, &t, (Span){ 0 }, grammar[i][0], NULL, NULL);
                assert_clean(f, grammar[i][0]);
                assert_string_equal(text, grammar[i][1]);
        }
}

static void test_errors_have_a_position_in_the_value(void **state) {
        static const struct {
                const char *yaml;
                uint32_t line, column;
                const char *code;
        } cases[] = {
                { "a: ${", 1, 4, "interpolation" },
                { "a: ${}", 1, 4, "interpolation" },
                { "a: ${1}", 1, 4, "interpolation" },
                { "a: x${A", 1, 5, "interpolation" },
                { "a: x${A!y}", 1, 5, "interpolation" },
                { "a: x${A:}", 1, 5, "interpolation" },
                { "a: x${A }", 1, 5, "interpolation" },
                { "a: x${ A}", 1, 5, "interpolation" },
                { "a: \"x $A ${A\"", 1, 10, "interpolation" },
                { "a: \"\\u00e9 $$ ${A\"", 1, 15, "interpolation" },
                { "a: '''${A'", 1, 7, "interpolation" },
                { "a: |\n  text $A\n  more ${A\n  end}\n", 3, 8, "interpolation" },
                { "a:\n  - b: x\n    c: [d, \"e${U:?must be set}\"]\n", 3, 14, "required-variable" },
                { "a: ${U?}", 1, 4, "required-variable" },
                { "a: ${E:?}", 1, 4, "required-variable" },
                { "a: \"\xc3\xa9\xc3\xa9${U?}\"", 1, 7, "required-variable" },
                { "a: ${U:-x${V:?inner}}", 1, 10, "required-variable" },
                { "a: ${U:-x${V}", 1, 10, "interpolation" }, /* the last "}" closes the first */
                { "a: ${A:-${", 1, 4, "interpolation" },
        };
        Fixture *f = *state;
        EnvTable t = variables(f);

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                uint32_t file = fixture_file(f, cases[i].yaml);
                Node *n = doc_parse(f->arena, &f->diag, &f->sources, file);

                assert_non_null(n);
                interpolate_tree(f->arena, &f->diag, &t, n);
                assert_error(f, cases[i].yaml, cases[i].line, cases[i].column, cases[i].code);
                assert_non_null(f->diag.entries[0].hint);
        }
}

static void test_required_message(void **state) {
        Fixture *f = *state;
        EnvTable t = variables(f);

        set(f, &t, "ROOT_TOKEN", "hunter2");
        assert_null(
                interpolate_string(f->arena, &f->diag, &t, (Span){ 0 }, "${U:?set $A first}", NULL, NULL));
        assert_string_equal(f->diag.entries[0].text,
                            "required variable U is missing a value: set aval first");
        assert_string_equal(f->diag.entries[0].hint, "set U in .env");
        assert_null(interpolate_string(f->arena, &f->diag, &t, (Span){ 0 }, "${V?$ROOT_TOKEN}", NULL, NULL));
        assert_string_equal(f->diag.entries[1].text, "required variable V is missing a value");
}

static void test_each_name_is_reported_once(void **state) {
        Fixture *f = *state;
        EnvTable t = { 0 };
        uint32_t file = fixture_file(f, "a: $U\nb: \"x ${U} $W\"\nc: ${R?}\nd: ${R?}\n");
        Node *n = doc_parse(f->arena, &f->diag, &f->sources, file);

        interpolate_tree(f->arena, &f->diag, &t, n);
        assert_int_equal(f->diag.n_entries, 3);
        assert_int_equal(f->diag.entries[0].level, DIAG_WARNING);
        assert_string_equal(f->diag.entries[0].code, "unset-variable");
        assert_int_equal(f->diag.entries[0].span.column, 4);
        assert_int_equal(f->diag.entries[0].span.length, 2);
        assert_int_equal(f->diag.entries[1].span.line, 2);
        assert_int_equal(f->diag.entries[1].span.column, 12);
        assert_int_equal(f->diag.entries[2].level, DIAG_ERROR);
        assert_string_equal(node_get_text(n, "b"), "x  ");
}

static void test_tree_is_typed_anew(void **state) {
        Fixture *f = *state;
        EnvTable t = variables(f);
        Buf b = BUF(f->arena);
        uint32_t file;
        Node *n;

        set(f, &t, "T", "true");
        set(f, &t, "NIL", "null");
        file = fixture_file(f, "n: $N\nq: \"$N\"\nt: ${T}\ne: $E\nnil: $NIL\n$A: 1\ni: 5\n"
                               "f: ${U:-1.5}\nl: [x$N, 0$N]\np: $$5\n");
        n = doc_parse(f->arena, &f->diag, &f->sources, file);
        interpolate_tree(f->arena, &f->diag, &t, n);
        assert_clean(f, "typed anew");
        fixture_dump(&b, n);
        assert_string_equal(buf_text(&b),
                            "{n: 8080, q: \"8080\", t: true, e: \"\", nil: \"null\", $A: 1, i: 5, "
                            "f: f1.5, l: [\"x8080\", f08080], p: \"$5\"}");
        assert_true(node_get(n, "n")->interpolated);
        assert_false(node_get(n, "i")->interpolated);
}

static void test_secrets(void **state) {
        static const struct {
                const char *text;
                bool secret;
        } cases[] = {
                { "${DB_PASSWORD}", true },
                { "postgres://u:$DB_PASSWORD@db/x", true },
                { "${DB_PASSWORD:-changeme}", true },
                { "${OTHER_PASSWORD:-changeme}", true }, /* the default is the password */
                { "${OTHER_PASSWORD:-}", false },
                { "${DB_PASSWORD:+--with-password}", false },
                { "${U:-$DB_PASSWORD}", true },
                { "$$DB_PASSWORD", false },
                { "$DERIVED", true },
                { "$A", false },
                { "$EMPTY_TOKEN", false },
        };
        Fixture *f = *state;
        EnvTable t = variables(f);

        set(f, &t, "DB_PASSWORD", "hunter2");
        set(f, &t, "EMPTY_TOKEN", "");
        env_set(f->arena, &t, (EnvVar){ .name = "DERIVED", .value = "x", .secret = true });
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                bool secret = !cases[i].secret;

                assert_non_null(interpolate_string(f->arena, &f->diag, &t, (Span){ 0 }, cases[i].text,
                                                   &secret, NULL));
                if (secret != cases[i].secret)
                        fail_msg("%s", cases[i].text);
        }
}

static void test_limits(void **state) {
        Fixture *f = *state;
        EnvTable t = { 0 };
        Buf b = BUF(f->arena);
        char *value = arena_alloc(f->arena, 65537);

        for (int i = 0; i < 10000; i++)
                buf_add(&b, "${U:-");
        for (int i = 0; i < 10000; i++)
                buf_add(&b, "}");
        (void) fixture_file(f, "");
        assert_null(interpolate_string(f->arena, &f->diag, &t, (Span){ 0 }, buf_text(&b), NULL, NULL));
        assert_error(f, "nested", 0, 0, "interpolation");

        memset(value, 'x', 65536);
        set(f, &t, "X", value);
        (void) fixture_file(f, "");
        assert_non_null(interpolate_string(f->arena, &f->diag, &t, (Span){ 0 }, "$X$X$X$X", NULL, NULL));
        assert_null(interpolate_string(f->arena, &f->diag, &t, (Span){ 0 }, "$X$X$X${X}y", NULL, NULL));
        assert_error(f, "long", 0, 0, "value-too-long");
}

static void test_parents_are_looked_up_after(void **state) {
        Fixture *f = *state;
        EnvTable parent = variables(f), t = { .parent = &parent };

        set(f, &t, "A", "own");
        env_set(f->arena, &t, (EnvVar){ .name = "B", .value = "", .no_value = true });
        assert_string_equal(interpolate_string(f->arena, &f->diag, &t, (Span){ 0 }, "$A $B $N", NULL, NULL),
                            "own bval 8080");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                TEST(test_grammar),
                TEST(test_errors_have_a_position_in_the_value),
                TEST(test_required_message),
                TEST(test_each_name_is_reported_once),
                TEST(test_tree_is_typed_anew),
                TEST(test_secrets),
                TEST(test_limits),
                TEST(test_parents_are_looked_up_after),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
