/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "generator/quadlet/quadlet.h"
#include "tests/unit/facts/case.h"
#include "tests/unit/facts/tree.h"

#define DIR "/run/systemd/generator/unitproof-s.quadlets"

static char root[64];
static Case c;

static int begin(void **state) {
        (void) state;
        tree_new(root);
        case_begin(&c);
        return 0;
}

static int end(void **state) {
        (void) state;
        tree_done(root);
        case_end(&c);
        return 0;
}

static const char *message(const char *said, const char *file) {
        const QuadletResult r = {
                .run = { .outcome = PROGRAM_EXITED, .status = 1, .said = said },
                .outcome = "ended with status 1",
        };

        return quadlet_message(c.arena, &r, DIR, file);
}

/* Words of quadlet 5.4.2. */
static const char said_542[] =
        "quadlet-generator[17]: Warning: c.container specifies the image \"x/y:1\" which not a fully "
        "qualified image name.\n"
        "quadlet-generator[17]: converting \"b.container\": unsupported key 'Foo' in group 'Container' "
        "in " DIR "/b.container\n"
        "converting \"c.container\": requested Quadlet unit zz.network was not found\n";

static void test_message_of_a_file(void **state) {
        (void) state;
        assert_string_equal(
                message(said_542, "b.container"),
                "converting \"b.container\": unsupported key 'Foo' in group 'Container' in b.container");
        assert_string_equal(message(said_542, "c.container"),
                            "converting \"c.container\": requested Quadlet unit zz.network was not found");
}

static void test_names_are_whole_words(void **state) {
        (void) state;
        assert_string_equal(
                message("converting \"ab.container\": x\nconverting \"b.container\": y\n", "b.container"),
                "converting \"b.container\": y");
        assert_string_equal(message("error in b.container.d\n", "b.container"),
                            "quadlet ended with status 1 and said: error in b.container.d");
}

/* A file that does not parse costs the whole folder: the others learn of it too. */
static void test_a_file_that_is_not_named_gets_the_last_words(void **state) {
        (void) state;
        assert_string_equal(
                message("quadlet-generator[1]: error loading \"" DIR "/bad.container\", no group\n\n",
                        "a.container"),
                "quadlet ended with status 1 and said: error loading \"bad.container\", no group");
        assert_string_equal(message("", "a.container"),
                            "quadlet ended with status 1 and said nothing about it");
}

static void test_long_and_odd_words(void **state) {
        char text[5000];

        (void) state;
        memset(text, 'x', sizeof(text));
        memcpy(text, "a.container ", 12);
        text[sizeof(text) - 1] = '\0';
        assert_true(strlen(message(text, "a.container")) <= 600);
        assert_string_equal(message("a.container \xff!", "a.container"), "a.container \\xff!");
}

static const char *version_of(const char *script) {
        char path[128];

        tree_write_mode(root, "quadlet", script, 0755);
        tree_path(path, sizeof(path), root, "quadlet");
        return quadlet_version(c.arena, path, 2000);
}

static void test_version(void **state) {
        (void) state;
        assert_string_equal(version_of("#!/bin/sh\n[ \"$1\" = -version ] && echo 5.4.2\n"), "5.4.2");
        assert_string_equal(version_of("#!/bin/sh\necho 5.6.0-dev\n"), "5.6.0-dev");
        assert_string_equal(version_of("#!/bin/sh\necho usage; exit 2\n"), "");
        assert_string_equal(version_of("#!/bin/sh\necho 5.4.2; exit 2\n"), "");
        assert_string_equal(version_of("#!/bin/sh\nexec sleep 30\n"), "");
}

static void test_old_versions(void **state) {
        (void) state;
        assert_true(quadlet_version_is_old("4.9.3"));
        assert_true(quadlet_version_is_old("5.3.9"));
        assert_false(quadlet_version_is_old("5.4.0"));
        assert_false(quadlet_version_is_old("5.4.2"));
        assert_false(quadlet_version_is_old("5.10"));
        assert_false(quadlet_version_is_old("6.0.0-rc1"));
        assert_false(quadlet_version_is_old(""));
}

static void test_absence_says_what_was_found(void **state) {
        (void) state;
        assert_non_null(strstr(quadlet_absence(c.arena, root), "there is no /usr/bin/podman"));
        tree_write_mode(root, "usr/bin/podman", "", 0755);
        assert_non_null(strstr(quadlet_absence(c.arena, root), "/usr/bin/podman is there"));
}

int main(void) {
#define QUADLET_TEST(fn) cmocka_unit_test_setup_teardown(fn, begin, end)
        const struct CMUnitTest tests[] = {
                QUADLET_TEST(test_message_of_a_file),
                QUADLET_TEST(test_names_are_whole_words),
                QUADLET_TEST(test_a_file_that_is_not_named_gets_the_last_words),
                QUADLET_TEST(test_long_and_odd_words),
                QUADLET_TEST(test_version),
                QUADLET_TEST(test_old_versions),
                QUADLET_TEST(test_absence_says_what_was_found),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
