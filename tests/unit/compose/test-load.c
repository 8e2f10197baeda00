/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/unit/compose/fixture.h"

/* What the differential test cannot see: positions, secrets, what is kept for the next phase. */

static Node *service(Node *model, const char *name) {
        return node_get(node_get(model, "services"), name);
}

static void assert_at(const Fixture *f, const Node *n, const char *path, uint32_t line, uint32_t column) {
        assert_non_null(n);
        assert_string_equal(sources_get(&f->sources, n->span.file)->path, path);
        assert_int_equal(n->span.line, line);
        assert_int_equal(n->span.column, column);
}

static void test_positions(void **state) {
        Fixture *f = *state;
        Node *m = project_load(
                f,
                PROJECT("compose.yaml",
                        "include: [i.yaml]\n"
                        "services:\n"
                        "  a:\n"
                        "    extends: {file: base.yaml, service: b}\n"
                        "    image: x\n"
                        "    ports:\n"
                        "      - 80:80\n"
                        "      - 81:81\n"
                        "    network_mode: service:i\n",
                        "base.yaml",
                        "services:\n  b:\n    environment:\n      - A=1\n    volumes: ['./v:/v']\n", "i.yaml",
                        "services:\n  i: {image: y, env_file: i.env}\n", "i.env", "# c\nFROM=file\n",
                        "compose.override.yaml", "services:\n  a:\n    hostname: h\n"));
        Node *a;

        assert_non_null(m);
        a = service(m, "a");
        assert_at(f, node_get(a, "image"), "/p/compose.yaml", 5, 12);
        assert_at(f, node_get(a, "ports")->items[1], "/p/compose.yaml", 8, 9);
        assert_at(f, node_get(node_get(a, "ports")->items[1], "target"), "/p/compose.yaml", 8, 9);
        assert_at(f, node_get(node_get(a, "environment"), "A"), "/p/base.yaml", 4, 9);
        assert_at(f, node_get(node_get(a, "volumes")->items[0], "source"), "/p/base.yaml", 5, 15);
        assert_at(f, node_get(a, "hostname"), "/p/compose.override.yaml", 3, 15);
        assert_at(f, node_get_pair(a, "hostname")->key, "/p/compose.override.yaml", 3, 5);
        /* what follows from another key stands where that key stands */
        assert_at(f, node_get_pair(node_get(a, "depends_on"), "i")->key, "/p/compose.yaml", 9, 19);
        assert_at(f, node_get_pair(node_get(m, "services"), "i")->key, "/p/i.yaml", 2, 3);
        assert_at(f, node_get(node_get(service(m, "i"), "environment"), "FROM"), "/p/i.env", 2, 1);
}

static void test_secrets(void **state) {
        Fixture *f = *state;
        Node *m = project_load(f, PROJECT("compose.yaml",
                                          "services:\n"
                                          "  a:\n"
                                          "    image: x\n"
                                          "    env_file: a.env\n"
                                          "    environment: {PLAIN: 1, COPY: 'x${DB_PASSWORD}y', "
                                          "API_TOKEN: abc, TAKEN: , DB_PASSWORD: }\n"
                                          "    command: run --key ${DB_PASSWORD}\n"
                                          "    labels: ['l=${DB_PASSWORD}']\n",
                                          ".env", "DB_PASSWORD=geheim\nTAKEN=t\n", "a.env",
                                          "FILE_SECRET=s\nFILE_PLAIN=p\nFILE_COPY=$DB_PASSWORD\n"));
        static const struct {
                const char *name;
                bool secret;
        } cases[] = {
                { "PLAIN", false },      { "COPY", true },        { "API_TOKEN", true },
                { "TAKEN", false },      { "DB_PASSWORD", true }, { "FILE_SECRET", true },
                { "FILE_PLAIN", false }, { "FILE_COPY", true },
        };
        Node *environment;

        assert_non_null(m);
        environment = node_get(service(m, "a"), "environment");
        assert_int_equal(environment->n, sizeof cases / sizeof *cases);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
                if (node_get(environment, cases[i].name)->secret != cases[i].secret)
                        fail_msg("%s", cases[i].name);
        assert_false(node_get(service(m, "a"), "command")->items[0]->secret == false);
        assert_true(node_get(node_get(service(m, "a"), "labels"), "l")->secret);
}

static void test_extensions_stay(void **state) {
        Fixture *f = *state;
        Node *m = project_load(f, FILE_ONLY("x-unitproof: {mode: quadlet}\n"
                                            "services:\n"
                                            "  a: {image: x, x-unitproof: {proofs: {b: on, a: off}}}\n"
                                            "  b: {extends: a, x-unitproof: {proofs: {a: on}}}\n"));

        assert_shows(f, m, "x-unitproof", "{mode: \"quadlet\"}");
        assert_shows(f, m, "services/a/x-unitproof", "{proofs: {a: \"off\", b: \"on\"}}");
        assert_shows(f, m, "services/b/x-unitproof", "{proofs: {a: \"on\", b: \"on\"}}");
}

static void test_base_of_extends_is_not_changed(void **state) {
        Fixture *f = *state;
        Node *m = project_load(f, FILE_ONLY("services:\n"
                                            "  a: {image: x, cap_add: [A], environment: {K: a}}\n"
                                            "  b: {extends: a, cap_add: [B], environment: {K: b}}\n"
                                            "  c: {extends: a, cap_add: [C]}\n"));

        assert_shows(f, m, "services/a/cap_add", "[\"A\"]");
        assert_shows(f, m, "services/b/cap_add", "[\"A\", \"B\"]");
        assert_shows(f, m, "services/c/cap_add", "[\"A\", \"C\"]");
        assert_shows(f, m, "services/a/environment", "{K: \"a\"}");
}

static void test_optional_dependency_stays(void **state) {
        Fixture *f = *state;
        Node *m = project_load(f, FILE_ONLY("services:\n"
                                            "  a: {image: x, depends_on: {b: {condition: "
                                            "service_started, required: false}}}\n"
                                            "  b: {image: x, profiles: [p]}\n"));

        assert_shows(f, m, "services/b", "(absent)");
        assert_shows(f, m, "services/a/depends_on/b/required", "false");
}

/* A thousand services that extend, depend and share: linear, so this ends at once. */
static void test_many(void **state) {
        Fixture *f = *state;
        Buf b = BUF(f->arena);
        Node *m;

        buf_add(&b, "services:\n  base: {image: x}\n");
        for (unsigned i = 0; i < 1000; i++)
                buf_printf(&b, "  s%04u: {extends: base, depends_on: [s%04u], ports: ['%u:80']}\n", i,
                           i == 0 ? 1000u : i - 1, 10000 + i);
        buf_add(&b, "  s1000: {image: y}\n");
        m = project_load(f, FILE_ONLY(buf_text(&b)));
        assert_clean(f, "many");
        assert_int_equal(node_get(m, "services")->n, 1002);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                TEST(test_positions),
                TEST(test_secrets),
                TEST(test_extensions_stay),
                TEST(test_base_of_extends_is_not_changed),
                TEST(test_optional_dependency_stays),
                TEST(test_many),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
