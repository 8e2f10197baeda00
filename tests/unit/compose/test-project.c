/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tests/unit/compose/fixture.h"

static const char image[] = "services: {a: {image: x}}\n";

static void test_names(void **state) {
        static const char *const good[] = { "a", "0", "a-b_c9" };
        static const char *const bad[] = { "", "-a", "_a", "A", "a b", "a.b", "ä" };
        Fixture *f = *state;

        for (size_t i = 0; i < sizeof good / sizeof *good; i++)
                assert_true(compose_name_is_valid(good[i]));
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
                assert_false(compose_name_is_valid(bad[i]));
        assert_string_equal(compose_name_normalize(f->arena, "_-My App.2_"), "myapp2_");
        assert_string_equal(compose_name_normalize(f->arena, "..."), "");
}

static void test_name_order(void **state) {
        Fixture *f = *state;
        Node *m;

        m = project_load(f, PROJECT("compose.yaml", image));
        assert_shows(f, m, "name", "\"p\"");
        m = project_load_with(f, PROJECT("compose.yaml", image), (ComposeOptions){ .name = "Media" });
        assert_shows(f, m, "name", "\"media\"");
        m = project_load_with(f, PROJECT("compose.yaml", "name: file\nservices: {a: {image: x}}\n"),
                              (ComposeOptions){ .name = "media" });
        assert_shows(f, m, "name", "\"file\"");
        m = project_load(f, PROJECT("compose.yaml", "name: file\nservices: {a: {image: x}}\n", ".env",
                                    "COMPOSE_PROJECT_NAME=env\n"));
        assert_shows(f, m, "name", "\"env\"");
        assert_shows(f, m, "networks/default/name", "\"env_default\"");
}

static size_t find(Fixture *f, const char *const *files, const char **ret) {
        f->sources = (Sources){ .arena = f->arena, .read = project_read, .userdata = (void *) files };
        f->diag = (Diag){ .arena = f->arena, .sources = &f->sources };
        return compose_find_files(f->arena, &f->sources, &f->diag, "/p", ret);
}

static void test_find_files(void **state) {
        Fixture *f = *state;
        const char *found[2] = { "untouched", "untouched" };

        assert_int_equal(find(f, PROJECT("other.yaml", image), found), 0);
        assert_string_equal(found[0], "untouched");
        assert_int_equal(find(f, PROJECT("docker-compose.yml", image, "compose.yml", image), found), 1);
        assert_string_equal(found[0], "/p/compose.yml");
        assert_int_equal(find(f,
                              PROJECT("docker-compose.yaml", image, "docker-compose.override.yml", image,
                                      "compose.override.yaml", image),
                              found),
                         2);
        assert_string_equal(found[0], "/p/docker-compose.yaml");
        assert_string_equal(found[1], "/p/compose.override.yaml");
        /* one that cannot be read is not passed over */
        assert_int_equal(find(f, PROJECT("compose.yaml", UNREADABLE, "compose.yml", image), found), 1);
        assert_string_equal(found[0], "/p/compose.yaml");
}

static void test_files_that_are_not_taken(void **state) {
        Fixture *f = *state;
        const char *found[2];

        assert_int_equal(find(f,
                              PROJECT("compose.yml", image, "compose.override.yaml", image, ".env", "A=1\n"),
                              found),
                         2);
        assert_int_equal(f->diag.n_entries, 0);
        assert_int_equal(find(f, PROJECT("docker-compose.yaml", image, "compose.yml", image), found), 1);
        assert_string_equal(found[0], "/p/compose.yml");
        assert_int_equal(f->diag.n_entries, 1);
        assert_int_equal(f->diag.entries[0].level, DIAG_WARNING);
        assert_string_equal(f->diag.entries[0].code, "file-ignored");
        assert_string_equal(f->diag.entries[0].text,
                            "'docker-compose.yaml' is ignored, since 'compose.yml' is there");
        assert_string_equal(sources_get(&f->sources, f->diag.entries[0].span.file)->path, "/p/compose.yml");
        /* … and they are no part of the stack */
        assert_int_equal(f->sources.n_files, 1);
        assert_int_equal(find(f,
                              PROJECT("compose.yaml", image, "docker-compose.override.yml", image,
                                      "compose.override.yaml", UNREADABLE, "docker-compose.yml", UNREADABLE),
                              found),
                         2);
        assert_string_equal(found[1], "/p/compose.override.yaml");
        assert_int_equal(f->diag.n_entries, 2);
        assert_string_equal(
                f->diag.entries[1].text,
                "'docker-compose.override.yml' is ignored, since 'compose.override.yaml' is there");
}

static void test_unreadable(void **state) {
        Fixture *f = *state;

        assert_null(project_load(f, PROJECT("compose.yaml", UNREADABLE)));
        assert_error(f, "compose.yaml", 0, 0, "unreadable");
        assert_null(project_load(f, PROJECT("compose.yaml", image, ".env", UNREADABLE)));
        assert_error(f, ".env", 0, 0, "unreadable");
        assert_null(project_load(
                f, PROJECT("compose.yaml", "services: {a: {image: x, env_file: e}}\n", "e", UNREADABLE)));
        assert_error(f, "e", 1, 36, "unreadable");
        assert_null(project_load(f, PROJECT("compose.yaml", "include: [i.yaml]\nservices: {a: {image: x}}\n",
                                            "i.yaml", UNREADABLE)));
        assert_error(f, "i.yaml", 1, 11, "unreadable");
        /* what need not be there must still be readable if it is */
        assert_null(
                project_load(f, PROJECT("compose.yaml",
                                        "services: {a: {image: x, env_file: [{path: e, required: false}]}}\n",
                                        "e", UNREADABLE)));
        assert_error(f, "e", 1, 44, "unreadable");
}

static void test_home(void **state) {
        Fixture *f = *state;
        static const char text[] = "services: {a: {image: x, volumes: ['~/a:/b']}}\n";
        Node *m;

        m = project_load(f, PROJECT("compose.yaml", text));
        assert_string_equal(
                node_get_text(node_get(node_get(node_get(m, "services"), "a"), "volumes")->items[0],
                              "source"),
                "/root/a");
        m = project_load_with(f, PROJECT("compose.yaml", text), (ComposeOptions){ .home = "/home/u" });
        assert_string_equal(
                node_get_text(node_get(node_get(node_get(m, "services"), "a"), "volumes")->items[0],
                              "source"),
                "/home/u/a");
}

static void test_compose_file_is_said_to_be_ignored(void **state) {
        Fixture *f = *state;

        assert_non_null(project_load(f, PROJECT("compose.yaml", image, ".env", "COMPOSE_FILE=a:b\n")));
        assert_int_equal(f->diag.n_entries, 1);
        assert_string_equal(f->diag.entries[0].code, "ignored");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                TEST(test_names),
                TEST(test_name_order),
                TEST(test_find_files),
                TEST(test_files_that_are_not_taken),
                TEST(test_unreadable),
                TEST(test_home),
                TEST(test_compose_file_is_said_to_be_ignored),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
