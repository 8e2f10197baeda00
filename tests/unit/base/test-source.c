/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_PATH */
#endif
#include "generator/base/source.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "generator/base/limits.h"
#include "generator/base/source-file.h"

/* A directory with a root in it, and a file beside the root that nothing may reach. */
typedef struct Tree {
        char dir[64], root[80];
} Tree;

static void write_file(const char *dir, const char *name, const char *text) {
        char path[256];
        FILE *f;

        (void) snprintf(path, sizeof path, "%s/%s", dir, name);
        f = fopen(path, "we");
        assert_non_null(f);
        assert_true(fputs(text, f) >= 0);
        assert_int_equal(fclose(f), 0);
}

static void link_to(const Tree *t, const char *target, const char *name) {
        char path[256];

        (void) snprintf(path, sizeof path, "%s/%s", t->root, name);
        assert_int_equal(symlink(target, path), 0);
}

static void make_dir(const Tree *t, const char *name) {
        char path[256];

        (void) snprintf(path, sizeof path, "%s/%s", t->root, name);
        assert_int_equal(mkdir(path, 0755), 0);
}

static int setup(void **state) {
        static Tree t;
        char path[256];

        (void) snprintf(t.dir, sizeof t.dir, "/tmp/unitproof-test-XXXXXX");
        assert_non_null(mkdtemp(t.dir));
        (void) snprintf(t.root, sizeof t.root, "%s/root", t.dir);
        assert_int_equal(mkdir(t.root, 0755), 0);
        write_file(t.dir, "outside", "outside");
        make_dir(&t, "a");
        make_dir(&t, "a/b");
        write_file(t.root, "top", "top");
        write_file(t.root, "a/b/file", "inside");
        write_file(t.root, "empty", "");
        link_to(&t, "b/file", "a/relative");
        link_to(&t, "/a/b/file", "absolute");
        link_to(&t, "../../../../../../outside", "a/escape");
        link_to(&t, "/../outside", "escape");
        link_to(&t, "a/b", "dir");
        link_to(&t, "/a/b/../../top", "a/up");
        link_to(&t, "loop", "loop");
        link_to(&t, "nowhere", "dangling");
        (void) snprintf(path, sizeof path, "%s/fifo", t.root);
        assert_int_equal(mkfifo(path, 0644), 0);
        *state = &t;
        return 0;
}

static int teardown(void **state) {
        static const char *const names[] = {
                "root/fifo",     "root/dangling", "root/loop",
                "root/a/up",     "root/dir",      "root/escape",
                "root/a/escape", "root/absolute", "root/a/relative",
                "root/empty",    "root/a/b/file", "root/top",
                "root/large",    "outside",       "root/a/b",
                "root/a",        "root",          "",
        };
        const Tree *t = *state;
        char path[256];

        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
                (void) snprintf(path, sizeof path, "%s/%s", t->dir, names[i]);
                (void) remove(path);
        }
        return access(t->dir, F_OK) == 0 ? -1 : 0;
}

typedef struct OpenCase {
        const char *path, *content; /* content NULL: error */
        int error;
} OpenCase;

static const OpenCase open_cases[] = {
        { "/top", "top", 0 },
        { "top", "top", 0 },
        { "//a///b/./file", "inside", 0 },
        { "/a/b/../../top", "top", 0 },
        { "/../../../top", "top", 0 },
        { "/../outside", NULL, -ENOENT },
        { "/a/relative", "inside", 0 },
        { "/absolute", "inside", 0 },
        { "/dir/file", "inside", 0 },
        { "/dir/../b/file", "inside", 0 }, /* ".." of where the link leads */
        { "/a/up", "top", 0 },
        { "/a/escape", NULL, -ENOLINK },
        { "/escape", NULL, -ENOLINK },
        { "/loop", NULL, -ELOOP },
        { "/dangling", NULL, -ENOLINK },
        { "/dangling/file", NULL, -ENOENT },
        { "/dir/nothing", NULL, -ENOENT },
        { "/nothing/file", NULL, -ENOENT },
        { "/top/file", NULL, -ENOTDIR },
};

static void check_opener(const Tree *t, int (*opener)(int, const char *)) {
        int root_fd = open(t->root, O_PATH | O_DIRECTORY | O_CLOEXEC);

        assert_true(root_fd >= 0);
        for (size_t i = 0; i < sizeof open_cases / sizeof *open_cases; i++) {
                const OpenCase *c = open_cases + i;
                char content[32] = "";
                int fd = opener(root_fd, c->path);

                if (!c->content) {
                        assert_int_equal(fd, c->error);
                        continue;
                }
                if (fd < 0)
                        fail_msg("%s: %s", c->path, strerror(-fd));
                assert_true(read(fd, content, sizeof content - 1) >= 0);
                assert_string_equal(content, c->content);
                assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
                assert_int_equal(close(fd), 0);
        }
        assert_int_equal(close(root_fd), 0);
}

static void test_openat2(void **state) {
        int fd = open_in_root(AT_FDCWD, "/dev/null");

        if (fd == -ENOSYS || fd == -EPERM)
                skip();
        assert_true(fd < 0 || close(fd) == 0);
        check_opener(*state, open_in_root);
}

static void test_by_steps(void **state) {
        check_opener(*state, open_in_root_by_steps);
}

static void test_names_that_are_too_long(void **state) {
        const Tree *t = *state;
        int root_fd = open(t->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
        static char path[10000];

        memset(path, 'x', 300);
        assert_int_equal(open_in_root(root_fd, path), -ENAMETOOLONG);
        assert_int_equal(open_in_root_by_steps(root_fd, path), -ENAMETOOLONG);
        memset(path, '/', sizeof path - 1);
        assert_int_equal(open_in_root(root_fd, path), -ENAMETOOLONG);
        assert_int_equal(open_in_root_by_steps(root_fd, path), -ENAMETOOLONG);
        assert_int_equal(close(root_fd), 0);
}

static int read_path(const Tree *t, const char *path, Arena *a, char **bytes, size_t *length) {
        return source_read_file((void *) t->root, a, path, bytes, length);
}

static void test_only_regular_files(void **state) {
        _cleanup_arena_ Arena *a = arena_new(LIMIT_ARENA_BYTES);
        const Tree *t = *state;
        char *bytes = NULL;
        size_t length = 99;

        assert_int_equal(read_path(t, "/fifo", a, &bytes, &length), -EINVAL); /* and no waiting */
        assert_int_equal(read_path(t, "/a", a, &bytes, &length), -EISDIR);
        assert_int_equal(read_path(t, "/dangling", a, &bytes, &length), -ENOLINK);
        assert_int_equal(source_read_file(NULL, a, arena_printf(a, "%s/dangling", t->root), &bytes, &length),
                         -ENOLINK);
        assert_int_equal(read_path(t, "/nothing", a, &bytes, &length), -ENOENT);
        assert_int_equal(source_read_file(NULL, a, "/dev/null", &bytes, &length), -EINVAL);
        assert_int_equal(source_read_file(NULL, a, "/dev/tty", &bytes, &length), -EINVAL);
        assert_null(bytes);
        assert_int_equal(length, 99);
}

static void test_content(void **state) {
        _cleanup_arena_ Arena *a = arena_new(LIMIT_ARENA_BYTES);
        const Tree *t = *state;
        char *bytes, path[256], none[] = "", slash[] = "/";
        size_t length;

        assert_int_equal(read_path(t, "/empty", a, &bytes, &length), 0);
        assert_int_equal(length, 0);
        assert_string_equal(bytes, "");
        assert_int_equal(read_path(t, "/a/b/file", a, &bytes, &length), 0);
        assert_int_equal(length, 6);
        assert_string_equal(bytes, "inside");
        (void) snprintf(path, sizeof path, "%s/root/top", t->dir);
        assert_int_equal(source_read_file(none, a, path, &bytes, &length), 0);
        assert_string_equal(bytes, "top");
        assert_int_equal(source_read_file(slash, a, path, &bytes, &length), 0);
        /* Its size is 0 until it is read. */
        assert_int_equal(source_read_file(NULL, a, "/proc/self/status", &bytes, &length), 0);
        assert_int_equal(strlen(bytes), length);
        assert_true(length > 100);
}

static void test_size_limit(void **state) {
        _cleanup_arena_ Arena *a = arena_new(LIMIT_ARENA_BYTES);
        const Tree *t = *state;
        char *bytes, path[256];
        size_t length;

        write_file(t->root, "large", "");
        (void) snprintf(path, sizeof path, "%s/large", t->root);
        assert_int_equal(truncate(path, LIMIT_FILE_BYTES), 0);
        assert_int_equal(read_path(t, "/large", a, &bytes, &length), 0);
        assert_int_equal(length, LIMIT_FILE_BYTES);
        assert_int_equal(truncate(path, LIMIT_FILE_BYTES + 1), 0);
        assert_int_equal(read_path(t, "/large", a, &bytes, &length), -EFBIG);
}

static void test_permission(void **state) {
        _cleanup_arena_ Arena *a = arena_new(LIMIT_ARENA_BYTES);
        const Tree *t = *state;
        char *bytes, path[256];
        size_t length;

        if (geteuid() == 0)
                assert_int_equal(seteuid(65534), 0);
        (void) snprintf(path, sizeof path, "%s/top", t->root);
        if (geteuid() != 65534) {
                assert_int_equal(chmod(path, 0), 0);
                assert_int_equal(read_path(t, "/top", a, &bytes, &length), -EACCES);
                assert_int_equal(chmod(path, 0644), 0);
                return;
        }
        /* mkdtemp's directory belongs to root, mode 0700. */
        assert_int_equal(read_path(t, "/top", a, &bytes, &length), -EACCES);
        assert_int_equal(seteuid(0), 0);
}

static int count_reads(void *userdata, Arena *arena, const char *path, char **ret_bytes, size_t *ret_length) {
        int *n = userdata;

        (*n)++;
        if (strcmp(path, "missing") == 0)
                return -ENOENT;
        *ret_bytes = arena_strdup(arena, path);
        *ret_length = strlen(path);
        return 0;
}

static void test_each_path_is_read_once(void **state) {
        _cleanup_arena_ Arena *a = arena_new(LIMIT_ARENA_BYTES);
        int n = 0;
        Sources s = { .arena = a, .read = count_reads, .userdata = &n };

        (void) state;
        assert_int_equal(sources_open(&s, "one"), 1);
        assert_int_equal(sources_open(&s, "two"), 2);
        assert_int_equal(sources_open(&s, "one"), 1);
        assert_int_equal(n, 2);
        assert_string_equal(sources_get(&s, 2)->bytes, "two");
        assert_int_equal(sources_open(&s, "missing"), -ENOENT);
        assert_int_equal(s.n_files, 2);
        /* A name for diagnostics is not a file that was read. */
        assert_int_equal(sources_add(&s, "missing", NULL, 0), 3);
        assert_int_equal(sources_open(&s, "missing"), -ENOENT);
        assert_int_equal(n, 4);
        assert_int_equal(sources_add(&s, "memory", "x", 1), 4);
        assert_int_equal(sources_open(&s, "memory"), 4);
        assert_null(sources_get(&s, 0));
        assert_null(sources_get(&s, 5));
}

static void test_number_of_files(void **state) {
        _cleanup_arena_ Arena *a = arena_new(LIMIT_ARENA_BYTES);
        int n = 0;
        Sources s = { .arena = a, .read = count_reads, .userdata = &n };

        (void) state;
        for (int i = 0; i < LIMIT_FILES; i++)
                assert_int_equal(sources_open(&s, arena_printf(a, "file-%d", i)), i + 1);
        assert_int_equal(sources_open(&s, "another"), -E2BIG);
        assert_int_equal(sources_open(&s, "file-7"), 8);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_openat2),
                cmocka_unit_test(test_by_steps),
                cmocka_unit_test(test_names_that_are_too_long),
                cmocka_unit_test(test_only_regular_files),
                cmocka_unit_test(test_content),
                cmocka_unit_test(test_size_limit),
                cmocka_unit_test(test_permission),
                cmocka_unit_test(test_each_path_is_read_once),
                cmocka_unit_test(test_number_of_files),
        };

        return cmocka_run_group_tests(tests, setup, teardown);
}
