/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/front/scalar.h"

#include "tests/unit/front/fixture.h"

/* The third column is what Docker Compose 2.40 passes on where a string is wanted. */
static const struct {
        const char *text;
        NodeKind kind;
        const char *canonical;
} cases[] = {
        { "", NODE_NULL, "" },
        { "~", NODE_NULL, "" },
        { "null", NODE_NULL, "" },
        { "Null", NODE_NULL, "" },
        { "NULL", NODE_NULL, "" },
        { "nULL", NODE_STRING, "nULL" },
        { "true", NODE_BOOL, "true" },
        { "True", NODE_BOOL, "true" },
        { "TRUE", NODE_BOOL, "true" },
        { "false", NODE_BOOL, "false" },
        { "FALSE", NODE_BOOL, "false" },
        { "tRUE", NODE_STRING, "tRUE" },
        { "yes", NODE_STRING, "yes" },
        { "no", NODE_STRING, "no" },
        { "on", NODE_STRING, "on" },
        { "off", NODE_STRING, "off" },
        { "y", NODE_STRING, "y" },
        { "0", NODE_INT, "0" },
        { "-0", NODE_INT, "0" },
        { "+1", NODE_INT, "1" },
        { "-12", NODE_INT, "-12" },
        { "007", NODE_INT, "7" },
        { "0777", NODE_INT, "511" },
        { "0o17", NODE_INT, "15" },
        { "0O17", NODE_INT, "15" },
        { "-0o7", NODE_INT, "-7" },
        { "0x1F", NODE_INT, "31" },
        { "0Xff", NODE_INT, "255" },
        { "+0x10", NODE_INT, "16" },
        { "0b101", NODE_INT, "5" },
        { "1_000", NODE_INT, "1000" },
        { "1__0", NODE_INT, "10" },
        { "0_7", NODE_INT, "7" },
        { "0x_1F", NODE_INT, "31" },
        { "_1", NODE_STRING, "_1" },
        { "18446744073709551615", NODE_INT, "18446744073709551615" },
        { "-9223372036854775808", NODE_INT, "-9223372036854775808" },
        { "18446744073709551616", NODE_FLOAT, "1.8446744073709552e+19" },
        { "+9223372036854775808", NODE_FLOAT, "9.223372036854776e+18" },
        { "-9223372036854775809", NODE_FLOAT, "-9.223372036854776e+18" },
        { "0xFFFFFFFFFFFFFFFFF", NODE_STRING, "0xFFFFFFFFFFFFFFFFF" },
        { "08", NODE_FLOAT, "8" },
        { "0o8", NODE_STRING, "0o8" },
        { "0x", NODE_STRING, "0x" },
        { "0o", NODE_STRING, "0o" },
        { "-", NODE_STRING, "-" },
        { "+", NODE_STRING, "+" },
        { ".", NODE_STRING, "." },
        { "-.", NODE_STRING, "-." },
        { "1.", NODE_FLOAT, "1" },
        { ".5", NODE_FLOAT, "0.5" },
        { "+.5", NODE_FLOAT, "0.5" },
        { "1.10", NODE_FLOAT, "1.1" },
        { "1e3", NODE_FLOAT, "1000" },
        { "1E-7", NODE_FLOAT, "1e-07" },
        { "0.0001", NODE_FLOAT, "0.0001" },
        { "0.00001", NODE_FLOAT, "1e-05" },
        { "100000.0", NODE_FLOAT, "100000" },
        { "1000000.0", NODE_FLOAT, "1e+06" },
        { "1234567.5", NODE_FLOAT, "1.2345675e+06" },
        { "123456.5", NODE_FLOAT, "123456.5" },
        { "1e400", NODE_STRING, "1e400" },
        { "1e", NODE_STRING, "1e" },
        { "1e+", NODE_STRING, "1e+" },
        { "1_0.5", NODE_FLOAT, "10.5" },
        { "._5", NODE_STRING, "._5" },
        { ".inf", NODE_FLOAT, "+Inf" },
        { "+.INF", NODE_FLOAT, "+Inf" },
        { "-.Inf", NODE_FLOAT, "-Inf" },
        { ".nan", NODE_FLOAT, "NaN" },
        { "inf", NODE_STRING, "inf" },
        { "nan", NODE_STRING, "nan" },
        { "+Inf", NODE_STRING, "+Inf" },
        { "0x1p-2", NODE_STRING, "0x1p-2" },
        { "12:30", NODE_STRING, "12:30" },
        { "12:30:45", NODE_STRING, "12:30:45" },
        { "2001-12-14", NODE_STRING, "2001-12-14" },
        { "1,000", NODE_STRING, "1,000" },
        { "1.2.3", NODE_STRING, "1.2.3" },
        { "5m", NODE_STRING, "5m" },
        { "-x", NODE_STRING, "-x" },
};

static void test_kinds(void **state) {
        (void) state;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
                if (scalar_kind(cases[i].text) != cases[i].kind)
                        fail_msg("'%s' is %s, not %s", cases[i].text,
                                 node_kind_name(scalar_kind(cases[i].text)), node_kind_name(cases[i].kind));
}

static void test_canonical(void **state) {
        const Fixture *f = *state;

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                Node *n = node_new(f->arena, cases[i].kind, (Span){ 0 });

                if (n->kind != NODE_NULL)
                        n->text = cases[i].text;
                assert_string_equal(scalar_canonical(f->arena, n), cases[i].canonical);
                n->interpolated = true;
                assert_string_equal(scalar_canonical(f->arena, n), n->text);
        }
}

static void test_integers(void **state) {
        long long value = 42;

        (void) state;
        assert_true(scalar_parse_int("0644", &value));
        assert_int_equal(value, 420);
        assert_true(scalar_parse_int("-9223372036854775808", &value));
        assert_true(value == INT64_MIN);
        assert_true(scalar_parse_int("9223372036854775807", &value));
        assert_true(value == INT64_MAX);
        value = 42;
        assert_false(scalar_parse_int("9223372036854775808", &value));
        assert_false(scalar_parse_int("18446744073709551615", &value));
        assert_false(scalar_parse_int("1.5", &value));
        assert_false(scalar_parse_int("", &value));
        assert_false(scalar_parse_int("-", &value));
        assert_false(scalar_parse_int("_1", &value));
        assert_false(scalar_parse_int("1x", &value));
        assert_int_equal(value, 42);
}

static void test_very_long_digits(void **state) {
        static char digits[100001];
        const Fixture *f = *state;
        Node *n;

        memset(digits, '1', sizeof digits - 1);
        assert_int_equal(scalar_kind(digits), NODE_STRING);
        digits[300] = '\0';
        assert_int_equal(scalar_kind(digits), NODE_FLOAT);
        n = node_new(f->arena, NODE_FLOAT, (Span){ 0 });
        n->text = digits;
        assert_string_equal(scalar_canonical(f->arena, n), "1.1111111111111112e+299");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                TEST(test_kinds),
                TEST(test_canonical),
                TEST(test_integers),
                TEST(test_very_long_digits),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
