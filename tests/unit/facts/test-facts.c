/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <errno.h>

#include "generator/facts/facts.h"
#include "tests/unit/facts/case.h"

static int parse(Case *c, const char *text, Facts *ret) {
        return facts_parse(c->arena, &c->diag, &c->sources, case_file(c, "facts.ini", text), ret);
}

static void test_round_trip(void **state) {
        const Facts f = {
                .os_id = "debian",
                .os_version = "13",
                .systemd_version = 257,
                .podman_version = "5.4.2",
                .quadlet_path = "/usr/libexec/podman/quadlet",
                .kernel = "6.12.0",
        };
        Facts back;
        Case c;

        (void) state;
        case_begin(&c);
        assert_int_equal(parse(&c, facts_print(c.arena, &f), &back), 0);
        assert_string_equal(back.os_id, f.os_id);
        assert_string_equal(back.os_version, f.os_version);
        assert_int_equal(back.systemd_version, f.systemd_version);
        assert_string_equal(back.podman_version, f.podman_version);
        assert_string_equal(back.quadlet_path, f.quadlet_path);
        assert_string_equal(back.kernel, f.kernel);
        case_end(&c);
}

static void test_what_is_missing_is_unknown(void **state) {
        Facts f;
        Case c;

        (void) state;
        case_begin(&c);
        assert_int_equal(parse(&c, "[facts]\nos_id = x\n", &f), 0);
        assert_string_equal(f.os_id, "x");
        assert_string_equal(f.podman_version, "");
        assert_string_equal(f.quadlet_path, "");
        assert_int_equal(f.systemd_version, 0);
        case_end(&c);
}

static void test_versions(void **state) {
        static const char *const good[] = { "", "5", "5.4", "5.4.2", "5.6.0-dev", "5.4.2+ds1-2", "6.0~rc1" };

        (void) state;
        for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
                Facts f;
                Case c;

                case_begin(&c);
                assert_int_equal(
                        parse(&c, arena_printf(c.arena, "[facts]\npodman_version = %s\n", good[i]), &f), 0);
                assert_string_equal(f.podman_version, good[i]);
                case_end(&c);
        }
}

static void test_old_systemd(void **state) {
        static const struct {
                unsigned version;
                size_t n;
        } cases[] = { { 0, 0 }, { 248, 1 }, { 249, 0 }, { 257, 0 } };

        (void) state;
        for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
                const Facts f = { .systemd_version = cases[i].version };
                Case c;

                case_begin(&c);
                facts_check_systemd(&c.diag, (Span){ 0 }, &f);
                assert_int_equal(c.diag.n_entries, cases[i].n);
                assert_int_equal(c.diag.n_errors, 0);
                case_end(&c);
        }
}

static void test_mistakes(void **state) {
        static const struct {
                const char *text, *diag;
        } cases[] = {
                { "[facts]\n  systemd_version = many\n", "2:3 not-a-number" },
                { "[facts]\nsystemd_version = 257x\n", "2:1 not-a-number" },
                { "[facts]\nsystemd_version =\n", "2:1 not-a-number" },
                { "[facts]\npodman_version = five\n", "2:1 not-a-version" },
                { "[facts]\npodman_version = 5.\n", "2:1 not-a-version" },
                { "[facts]\npodman_version = .4\n", "2:1 not-a-version" },
                { "[facts]\npodman_version = v5.4\n", "2:1 not-a-version" },
                { "[facts]\npodman_version = 5.4 rc\n", "2:1 not-a-version" },
                { "[facts]\n\nquadlet = /x\n", "3:1 unknown-key" },
                { "[fact]\nos_id = x\n", "1:1 unknown-section" },
                { "os_id = x\n", "1:1 unknown-section" },
                { "[facts]\nnonsense\n", "2:1 ini" },
        };

        (void) state;
        for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
                Facts f = { .os_id = "untouched" };
                Case c;

                case_begin(&c);
                assert_int_equal(parse(&c, cases[i].text, &f), -EINVAL);
                assert_string_equal(case_diag(&c, 0), cases[i].diag);
                assert_string_equal(f.os_id, "untouched");
                case_end(&c);
        }
}

static void test_near_name_is_suggested(void **state) {
        Facts f;
        Case c;

        (void) state;
        case_begin(&c);
        assert_int_equal(parse(&c, "[facts]\npodman_versoin = 5\n", &f), -EINVAL);
        assert_non_null(strstr(c.diag.entries[0].hint, "podman_version"));
        case_end(&c);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_round_trip), cmocka_unit_test(test_what_is_missing_is_unknown),
                cmocka_unit_test(test_versions),   cmocka_unit_test(test_old_systemd),
                cmocka_unit_test(test_mistakes),   cmocka_unit_test(test_near_name_is_suggested),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
