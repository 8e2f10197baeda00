/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "generator/base/buf.h"
#include "generator/facts/root.h"
#include "tests/unit/facts/case.h"
#include "tests/unit/facts/tree.h"

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

static const char *listed(const char *below, const char *path, RootEntry kind) {
        const char **names;
        Buf b = BUF(c.arena);
        size_t n;

        if (root_list(c.arena, below, path, kind, &names, &n) < 0)
                return "error";
        assert_null(names[n]);
        for (size_t i = 0; i < n; i++)
                buf_printf(&b, "%s ", names[i]);
        return buf_text(&b);
}

static void fill(void) {
        tree_write(root, "d/zeta/x", "");
        tree_write(root, "d/alpha/x", "");
        tree_write(root, "d/.hidden/x", "");
        tree_write(root, "d/file", "");
        tree_write(root, "other/x", "");
        tree_link(root, "d/link", "/other");
        tree_link(root, "d/filelink", "file");
        tree_link(root, "d/dangling", "nowhere");
        tree_link(root, "d/outside", "/etc/passwd");
}

static void test_directories_are_sorted(void **state) {
        (void) state;
        fill();
        assert_string_equal(listed(root, "/d", ROOT_DIRECTORIES), "alpha dangling link outside zeta ");
        assert_string_equal(listed(root, "/d", ROOT_FILES), "dangling file filelink outside ");
        assert_string_equal(listed(root, "/d/alpha", ROOT_DIRECTORIES), "");
        assert_string_equal(listed(root, "/none", ROOT_DIRECTORIES), "error");
}

static void test_a_directory_that_is_a_link_to_nothing(void **state) {
        const char **names;
        size_t n;

        (void) state;
        fill();
        assert_int_equal(root_list(c.arena, root, "/none", ROOT_FILES, &names, &n), -ENOENT);
        assert_int_equal(root_list(c.arena, root, "/d/dangling", ROOT_FILES, &names, &n), -ENOLINK);
        assert_int_equal(root_list(c.arena, root, "/d/filelink", ROOT_FILES, &names, &n), -ENOTDIR);
}

static void test_without_a_root_links_are_the_hosts(void **state) {
        (void) state;
        fill();
        assert_string_equal(listed("", arena_printf(c.arena, "%s/d", root), ROOT_FILES),
                            "dangling file filelink link outside ");
}

static void test_open_does_not_leave_the_root(void **state) {
        int fd;

        (void) state;
        fill();
        fd = root_open(root, "/../../../../other/x", O_RDONLY);
        assert_true(fd >= 0);
        (void) close(fd);
        assert_int_equal(root_open(root, "/d/outside", O_RDONLY), -ENOENT);
        assert_int_equal(root_open(root, "/etc/passwd", O_RDONLY), -ENOENT);
        assert_int_equal(root_open("/no/such/root", "/x", O_RDONLY), -ENOENT);
}

static void test_too_many(void **state) {
        char path[64];

        (void) state;
        tree_write(root, "many/x", "");
        for (int i = 0; i <= LIMIT_DIRECTORY_ENTRIES; i++) {
                (void) snprintf(path, sizeof(path), "many/%d", i);
                tree_write(root, path, "");
        }
        assert_string_equal(listed(root, "/many", ROOT_FILES), "error");
}

int main(void) {
#define ROOT_TEST(fn) cmocka_unit_test_setup_teardown(fn, begin, end)
        const struct CMUnitTest tests[] = {
                ROOT_TEST(test_directories_are_sorted),
                ROOT_TEST(test_a_directory_that_is_a_link_to_nothing),
                ROOT_TEST(test_without_a_root_links_are_the_hosts),
                ROOT_TEST(test_open_does_not_leave_the_root),
                ROOT_TEST(test_too_many),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
