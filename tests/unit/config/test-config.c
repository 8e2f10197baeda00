/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "generator/base/buf.h"
#include "generator/config/config.h"
#include "tests/unit/facts/case.h"

static const char *words(Arena *a, const char **list, size_t n) {
        Buf b = BUF(a);

        for (size_t i = 0; i < n; i++)
                buf_printf(&b, "%s ", list[i]);
        return buf_text(&b);
}

static void parse(Case *c, const char *text, Config *config) {
        config_parse(c->arena, &c->diag, &c->sources, case_file(c, "unitproof.conf", text), config);
}

static void test_values(void **state) {
        Config config = { 0 };
        Case c;

        (void) state;
        case_begin(&c);
        parse(&c,
              "[echo]\nurl = https://a.example/  http://b.example:8080/ip\nurl = http://[2001:db8::1]/\n"
              "stun = stun.example:3478 [2001:db8::1]:19302\n[proofs]\ntimeout = 2min\n",
              &config);
        assert_int_equal(c.diag.n_entries, 0);
        assert_string_equal(words(c.arena, config.echo, config.n_echo),
                            "https://a.example/ http://b.example:8080/ip http://[2001:db8::1]/ ");
        assert_string_equal(words(c.arena, config.stun, config.n_stun),
                            "stun.example:3478 [2001:db8::1]:19302 ");
        assert_int_equal(config.proof_timeout_sec, 120);
        case_end(&c);
}

static void test_later_files(void **state) {
        Config config = { 0 };
        Case c;

        (void) state;
        case_begin(&c);
        parse(&c, "[echo]\nurl=http://a/\n[proofs]\ntimeout=10\n", &config);
        parse(&c, "[echo]\nurl=http://b/\n[proofs]\ntimeout=20 s\n", &config);
        assert_string_equal(words(c.arena, config.echo, config.n_echo), "http://a/ http://b/ ");
        assert_int_equal(config.proof_timeout_sec, 20);
        parse(&c, "[echo]\nurl=\nurl=http://c/\n", &config);
        assert_string_equal(words(c.arena, config.echo, config.n_echo), "http://c/ ");
        assert_int_equal(c.diag.n_entries, 0);
        case_end(&c);
}

static void test_mistakes(void **state) {
        static const struct {
                const char *text, *diag;
        } cases[] = {
                { "[echo]\nurl = ftp://x/\n", "2:1 bad-value" },
                { "[echo]\nurl = http://\n", "2:1 bad-value" },
                { "[echo]\nurl = https://:80/\n", "2:1 bad-value" },
                { "[echo]\nurls = http://x/\n", "2:1 unknown-key" },
                { "[echoes]\nurl = http://x/\nstun = y\n", "1:1 unknown-section" },
                { "[echoes]\n", "1:1 unknown-section" },
                { "[]\n[echo]\n", "1:1 unknown-section" },
                { "  [echoes]\nurl = http://x/\n", "2:1 unknown-section" },
                { "url = http://x/\n", "1:1 unknown-section" },
                { "[echo]\nstun = host\n", "2:1 bad-value" },
                { "[echo]\nstun = :3478\n", "2:1 bad-value" },
                { "[echo]\nstun = host:0\n", "2:1 bad-value" },
                { "[echo]\nstun = host:65536\n", "2:1 bad-value" },
                { "[echo]\nstun = host:+80\n", "2:1 bad-value" },
                { "[echo]\nstun = 2001:db8::1:3478\n", "2:1 bad-value" },
                { "[echo]\nstun = [2001:db8::1:3478\n", "2:1 bad-value" },
                { "[proofs]\ntimeout = 0\n", "2:1 bad-value" },
                { "[proofs]\ntimeout = -1\n", "2:1 bad-value" },
                { "[proofs]\ntimeout = 25h\n", "2:1 bad-value" },
                { "[proofs]\ntimeout = 5 parsecs\n", "2:1 bad-value" },
                { "[proofs]\ntimeout = 99999999999999999999\n", "2:1 bad-value" },
        };

        (void) state;
        for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
                Config config = { 0 };
                Case c;

                case_begin(&c);
                parse(&c, cases[i].text, &config);
                assert_string_equal(case_diag(&c, 0), cases[i].diag);
                assert_int_equal(c.diag.n_entries, 1);
                assert_int_equal(config.n_echo + config.n_stun + config.proof_timeout_sec, 0);
                case_end(&c);
        }
}

static void test_one_bad_word_costs_only_itself(void **state) {
        Config config = { 0 };
        Case c;

        (void) state;
        case_begin(&c);
        parse(&c, "[echo]\nurl = http://a/ gopher://b/ http://c/\n", &config);
        assert_string_equal(words(c.arena, config.echo, config.n_echo), "http://a/ http://c/ ");
        assert_string_equal(case_diag(&c, 0), "2:1 bad-value");
        case_end(&c);
}

static void test_names_of_stacks(void **state) {
        static const char *const good[] = { "media", "m", "0", "media-2", "my_stack", "001" };
        static const char *const bad[] = { "",       "Media",     "-media",         "_x",  "me dia", "me.dia",
                                           "me@dia", "unitproof", "unitproof-host", "mäh", "a/b" };
        char longest[80];

        (void) state;
        for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
                assert_null(config_stack_name_problem(good[i]));
        for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
                assert_non_null(config_stack_name_problem(bad[i]));
        memset(longest, 'a', sizeof(longest));
        longest[64] = '\0';
        assert_null(config_stack_name_problem(longest));
        longest[64] = 'a';
        longest[65] = '\0';
        assert_non_null(config_stack_name_problem(longest));
}

static void test_every_key_has_a_meaning(void **state) {
        (void) state;
        for (size_t i = 0; i < config_n_keys; i++) {
                assert_true(strlen(config_keys[i].section) > 0);
                assert_true(strlen(config_keys[i].name) > 0);
                assert_true(strlen(config_keys[i].meaning) > 10);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_values),          cmocka_unit_test(test_later_files),
                cmocka_unit_test(test_mistakes),        cmocka_unit_test(test_one_bad_word_costs_only_itself),
                cmocka_unit_test(test_names_of_stacks), cmocka_unit_test(test_every_key_has_a_meaning),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
