/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/compose/value.h"

#include <math.h>

#include "tests/unit/compose/fixture.h"

static void test_bytes(void **state) {
        static const struct {
                const char *text;
                long long bytes;
        } cases[] = {
                { "0", 0 },
                { "1024", 1024 },
                { "1k", 1024 },
                { "1K", 1024 },
                { "1kb", 1024 },
                { "1KiB", 1024 },
                { "1 k", 1024 },
                { "512m", 536870912 },
                { "1.5g", 1610612736 },
                { "2tb", 2199023255552 },
                { "1pib", 1125899906842624 },
                { "128b", 128 },
                { "0.5b", 0 },
                { ".5k", 512 },
        };
        static const char *const bad[] = {
                "",      "m",  "five", "5 apples", "-1",   "1bb", "1kx",
                "1kibb", "1e", "0x10", "1 2 m",    "9e9p", "nan", "inf",
        };
        long long bytes;

        (void) state;
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                bytes = -7;
                if (!value_parse_bytes(cases[i].text, &bytes))
                        fail_msg("'%s' was refused", cases[i].text);
                if (bytes != cases[i].bytes)
                        fail_msg("'%s' gave %lld", cases[i].text, bytes);
        }
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
                bytes = -7;
                if (value_parse_bytes(bad[i], &bytes))
                        fail_msg("'%s' gave %lld", bad[i], bytes);
                assert_int_equal(bytes, -7);
        }
}

static void test_durations(void **state) {
        static const char *const cases[][2] = {
                { "0", "0s" },        { "0s", "0s" },       { "10s", "10s" },     { "90s", "1m30s" },
                { "1m30s", "1m30s" }, { "1h", "1h0m0s" },   { "0.5h", "30m0s" },  { "1.5s", "1.5s" },
                { "500ms", "500ms" }, { "1us", "1µs" },     { "1µs", "1µs" },     { "1500us", "1.5ms" },
                { "999ns", "999ns" }, { "1d", "24h0m0s" },  { "1w", "168h0m0s" }, { "-5s", "-5s" },
                { "+5s", "5s" },      { "1h1h", "2h0m0s" }, { ".5m", "30s" },     { "61.5m", "1h1m30s" },
        };
        static const char *const bad[] = {
                "",
                "-",
                "10",
                "s",
                "1x",
                "1 s",
                ".s",
                "1ss",
                "99999999999999w",
                "9223372036854775808ns",
                "9000000000s9000000000s",
        };
        const Fixture *f = *state;
        long long ns;

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                if (!value_parse_duration(cases[i][0], &ns))
                        fail_msg("'%s' was refused", cases[i][0]);
                assert_string_equal(value_duration_text(f->arena, ns), cases[i][1]);
        }
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
                if (value_parse_duration(bad[i], &ns))
                        fail_msg("'%s' was taken", bad[i]);
}

static void test_floats(void **state) {
        static const struct {
                double value;
                bool single, json;
                const char *text;
        } cases[] = {
                { 0.1, false, true, "0.1" },        { (double) 0.1f, true, true, "0.1" },
                { 1e6, false, false, "1e+06" },     { 1e6, false, true, "1000000" },
                { 123456, false, false, "123456" }, { 1234567.5, false, false, "1.2345675e+06" },
                { 1e21, false, true, "1e+21" },     { 1e-5, false, false, "1e-05" },
                { 1e-5, false, true, "0.00001" },   { 1e-7, false, true, "1e-7" },
                { -2.5, false, true, "-2.5" },      { 0, false, true, "0" },
        };
        const Fixture *f = *state;
        double value;

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
                assert_string_equal(
                        value_float_text(f->arena, cases[i].value, cases[i].single, cases[i].json),
                        cases[i].text);
        assert_true(value_parse_float("1.50", &value) && fabs(value - 1.5) < 1e-9);
        assert_true(value_parse_float("-1e3", &value) && fabs(value + 1000) < 1e-9);
        assert_false(value_parse_float("0x10", &value));
        assert_false(value_parse_float("nan", &value));
        assert_false(value_parse_float("1 ", &value));
        assert_false(value_parse_float("", &value));
}

static void test_booleans(void **state) {
        bool value = false;

        (void) state;
        assert_true(value_parse_bool("TRUE", &value) && value);
        assert_true(value_parse_bool("Yes", &value) && value);
        assert_true(value_parse_bool("off", &value) && !value);
        assert_true(value_parse_bool("n", &value) && !value);
        assert_false(value_parse_bool("1", &value));
        assert_false(value_parse_bool("", &value));
        assert_false(value_parse_bool("truee", &value));
}

static void test_sorted_mapping(void **state) {
        Fixture *f = *state;
        Load l = { .arena = f->arena };
        Node *m = mapping_new(&l, (Span){ 0 });

        assert_null(mapping_find(m, "a"));
        for (const char *name = "dacb"; *name; name++) {
                const char *key = arena_strndup(f->arena, name, 1);

                mapping_add(&l, m, key_new(&l, m->span, key), key_new(&l, m->span, key));
        }
        mapping_sort(m);
        for (const char *name = "abcd"; *name; name++)
                assert_string_equal(mapping_find(m, arena_strndup(f->arena, name, 1))->text,
                                    arena_strndup(f->arena, name, 1));
        assert_null(mapping_find(m, "e"));
        assert_null(mapping_find(NULL, "e"));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                TEST(test_bytes),    TEST(test_durations),      TEST(test_floats),
                TEST(test_booleans), TEST(test_sorted_mapping),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
