/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/unit/compose/fixture.h"

/* One mistake, one diagnostic: where, and which. More of them, with their whole text, are cases of
 * tests/compose. */
static void test_single(void **state) {
        static const struct {
                const char *text;
                uint32_t line, column;
                const char *code;
        } cases[] = {
                { "services:\n  a: {imgae: x}\n", 2, 7, "unknown-key" },
                { "srvices: {}\n", 1, 1, "unknown-key" },
                { "services:\n  a: {image: x, user: 5}\n", 2, 23, "wrong-type" },
                { "services:\n  a:\n", 2, 5, "wrong-type" },
                { "- x\n", 1, 1, "wrong-type" },
                { "services:\n  a: {command: x}\n", 2, 3, "no-image" },
                { "services:\n  a b: {image: x}\n", 2, 3, "bad-name" },
                { "services:\n  a: {image: x, networks: [n]}\n", 2, 28, "undefined-network" },
                { "services:\n  a: {image: x, volumes: ['vv:/v']}\n", 2, 27, "undefined-volume" },
                { "services:\n  a: {image: x, secrets: [s]}\n", 2, 27, "undefined-secret" },
                { "services:\n  a: {image: x, configs: [c]}\n", 2, 27, "undefined-config" },
                { "services:\n  a: {image: x, depends_on: [b]}\n", 2, 30, "undefined-service" },
                { "services:\n  a: {image: x, network_mode: 'service:b'}\n", 2, 31, "undefined-service" },
                { "services:\n  a: {image: x, network_mode: host, networks: [default]}\n", 2, 17,
                  "exclusive" },
                { "services:\n  a: {image: x, depends_on: [a]}\n", 2, 30, "dependency-cycle" },
                { "services:\n  a: {image: x, extends: a}\n", 2, 26, "extends-cycle" },
                { "services:\n  a: {image: x, extends: b}\n", 2, 26, "extends" },
                { "services:\n  a: {image: x, extends: {file: f}}\n", 2, 26, "extends" },
                { "services:\n  a: {image: x, extends: {file: f, service: b}}\n", 2, 33, "unreadable" },
                { "include: [f]\nservices: {a: {image: x}}\n", 1, 11, "unreadable" },
                { "include: [compose.yaml]\nservices: {a: {image: x}}\n", 1, 11, "include-cycle" },
                { "include: {path: f}\nservices: {a: {image: x}}\n", 1, 10, "wrong-type" },
                { "include: [{path: []}]\nservices: {a: {image: x}}\n", 1, 18, "include" },
                { "services:\n  a: {image: x, ports: [http]}\n", 2, 25, "bad-value" },
                { "services:\n  a: {image: x, command: \"'\"}\n", 2, 26, "bad-value" },
                { "services:\n  a: {image: x, mem_limit: much}\n", 2, 28, "bad-value" },
                { "services:\n  a: {image: x, stop_grace_period: long}\n", 2, 36, "bad-value" },
                { "services:\n  a: {image: x, tty: perhaps}\n", 2, 22, "bad-value" },
                { "services:\n  a: {image: x, volumes: ['./a:/x', './b:/x/']}\n", 0, 0, "" },
                { "services:\n  a: {image: x, scale: 2, container_name: nn}\n", 2, 43, "exclusive" },
                { "services:\n  a: {image: x, pids_limit: 1, deploy: {resources: {limits: {}}}}\n", 2, 29,
                  "exclusive" },
                { "models: {m: {model: x}}\nservices: {a: {image: x}}\n", 1, 1, "unsupported" },
        };
        Fixture *f = *state;

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
                Node *m = project_load(f, FILE_ONLY(cases[i].text));

                if (!*cases[i].code)
                        assert_non_null(m); /* the later mount takes the place of the earlier */
                else {
                        assert_error(f, cases[i].text, cases[i].line, cases[i].column, cases[i].code);
                        assert_null(m);
                }
        }
}

/* Frequent mistakes of people who write their first file. */
static void test_what_to_do_next(void **state) {
        static const struct {
                const char *text, *hint;
        } cases[] = {
                { "web: {image: x}\n", "stands below 'services:'" },
                { "services:\n  web:\n  image: x\n", "'image' belongs to a service" },
                { "services:\n  web:\n    image:nginx\n", "a blank belongs behind the ':'" },
                { "services: {a: {image: x, ports: '80:80'}}\n", "[\"80:80\"]" },
                { "services: {a: {image: x, depends_on: b}, b: {image: x}}\n", "[\"b\"]" },
                { "services: {a: {image: x, environment: [{A: b}]}}\n", "write A=VALUE" },
                { "services: {a: {image: x, user: 5}}\n", "in quotes: \"5\"" },
                { "services: {a: {image: x, privileged: 5}}\n", "true or false" },
                { "services: {a: {image: x, stop_grace_period: 5}}\n", "\"5s\"" },
                { "services: {a: {image: x, deploy: }, b: }\n", "give it a value" },
                { "services: {a: {image: x, port: ['80:80']}}\n", "did you mean 'ports'" },
        };
        Fixture *f = *state;

        for (size_t i = 0; i < ELEMENTS(cases); i++) {
                const char *hint;

                assert_null(project_load(f, FILE_ONLY(cases[i].text)));
                hint = f->diag.entries[f->diag.n_entries - 1].hint;
                if (!hint || !strstr(hint, cases[i].hint))
                        fail_msg("%s: the hint is: %s", cases[i].text, hint ? hint : "none");
        }
}

static void test_all_are_told(void **state) {
        Fixture *f = *state;

        assert_null(project_load(f, FILE_ONLY("services:\n"
                                              "  a: {image: x, networks: [n], depends_on: [q]}\n"
                                              "  b: {command: c, volumes: ['data:/d']}\n")));
        assert_int_equal(f->diag.n_errors, 4);
}

static void test_cycle_names_the_way(void **state) {
        Fixture *f = *state;

        assert_null(project_load(f, FILE_ONLY("services:\n"
                                              "  a: {image: x, depends_on: [b]}\n"
                                              "  b: {image: x, depends_on: [c]}\n"
                                              "  c: {image: x, depends_on: [b]}\n")));
        assert_int_equal(f->diag.n_entries, 1);
        assert_non_null(strstr(f->diag.entries[0].text, "b -> c -> b"));
        assert_null(project_load(
                f, PROJECT("compose.yaml", "services: {a: {extends: {file: o.yaml, service: b}}}\n", "o.yaml",
                           "services: {b: {extends: {file: compose.yaml, service: a}}}\n")));
        assert_non_null(strstr(f->diag.entries[0].text, "a -> b -> a"));
}

/* Each level includes or extends the next: ends in a diagnostic, not in the stack's overflow. */
static void test_depth(void **state) {
        Fixture *f = *state;
        Buf b = BUF(f->arena);

        buf_add(&b, "services:\n  s0: {image: x}\n");
        for (unsigned i = 1; i < 200; i++)
                buf_printf(&b, "  s%u: {extends: s%u}\n", i, i - 1);
        assert_non_null(
                project_load(f, FILE_ONLY(buf_text(&b)))); /* resolved from the start, each has one step */
        b = BUF(f->arena);
        buf_add(&b, "services:\n");
        for (unsigned i = 0; i < 200; i++)
                buf_printf(&b, "  s%u: {extends: s%u}\n", i, i + 1);
        buf_add(&b, "  s200: {image: x}\n");
        assert_null(project_load(f, FILE_ONLY(buf_text(&b))));
        assert_string_equal(f->diag.entries[0].code, "extends-depth");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                TEST(test_single),       TEST(test_what_to_do_next),
                TEST(test_all_are_told), TEST(test_cycle_names_the_way),
                TEST(test_depth),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
