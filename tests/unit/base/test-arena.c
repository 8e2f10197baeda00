/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "generator/base/buf.h"

static void test_blocks_are_zeroed_aligned_and_apart(void **state) {
        _cleanup_arena_ Arena *a = arena_new(16 * 1024 * 1024);
        unsigned char *previous = NULL;
        size_t sizes[] = { 1, 7, 16, 100, 5000, 70000, 3, 0, 1 };

        (void) state;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
                unsigned char *p = arena_alloc(a, sizes[i]);

                assert_int_equal((uintptr_t) p % _Alignof(max_align_t), 0);
                for (size_t k = 0; k < sizes[i]; k++)
                        assert_int_equal(p[k], 0);
                memset(p, 0xff, sizes[i]);
                if (previous && sizes[i] > 0)
                        assert_ptr_not_equal(p, previous);
                previous = sizes[i] > 0 ? p : NULL;
        }
}

static void test_grow_keeps_what_was_there(void **state) {
        _cleanup_arena_ Arena *a = arena_new(16 * 1024 * 1024);
        size_t capacity = 0;
        int *array = NULL;

        (void) state;
        for (int i = 0; i < 10000; i++) {
                array = arena_grow(a, array, sizeof *array, &capacity, (size_t) i + 1);
                array[i] = i;
        }
        for (int i = 0; i < 10000; i++)
                assert_int_equal(array[i], i);
        assert_true(capacity >= 10000);
}

/* Runs the attempt in a child and returns its exit status. */
static int status_of(void (*attempt)(Arena *), size_t limit) {
        static Arena *a; /* reachable at exit, so that it is no leak */
        int status;
        pid_t pid = fork();

        if (pid == 0) {
                (void) !freopen("/dev/null", "w", stderr);
                a = arena_new(limit);
                attempt(a);
                _exit(77);
        }
        assert_true(pid > 0);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void attempt_many_small(Arena *a) {
        for (int i = 0; i < 100000; i++)
                (void) arena_alloc(a, 100);
}

static void attempt_one_huge(Arena *a) {
        (void) arena_alloc(a, SIZE_MAX - 8);
}

static void attempt_overflow(Arena *a) {
        (void) arena_alloc_array(a, SIZE_MAX / 2, 3);
}

static void test_the_limit_ends_the_process(void **state) {
        (void) state;
        assert_int_equal(status_of(attempt_many_small, 1024 * 1024), EXIT_FAILURE);
        assert_int_equal(status_of(attempt_one_huge, 1024 * 1024), EXIT_FAILURE);
        assert_int_equal(status_of(attempt_overflow, SIZE_MAX), EXIT_FAILURE);
        assert_int_equal(status_of(attempt_many_small, 64 * 1024 * 1024), 77);
}

/* Chunks grow, and the last one is as large as what is left. */
static void test_small_blocks_use_the_whole_limit(void **state) {
        enum { MIB = 1024 * 1024, BLOCK = 1000 };
        _cleanup_arena_ Arena *a = arena_new(21 * MIB);

        (void) state;
        for (size_t used = 0; used < 20 * MIB; used += BLOCK) {
                unsigned char *p = arena_alloc(a, BLOCK);

                assert_int_equal(p[0], 0);
                assert_int_equal(p[BLOCK - 1], 0);
                memset(p, 0xff, BLOCK);
        }
}

static void test_printf_of_any_length(void **state) {
        _cleanup_arena_ Arena *a = arena_new(16 * 1024 * 1024);
        char *s = arena_printf(a, "%0*d", 255, 7);

        (void) state;
        assert_int_equal(strlen(s), 255);
        s = arena_printf(a, "%0*d", 256, 7);
        assert_int_equal(strlen(s), 256);
        s = arena_printf(a, "%0*d|", 100000, 7);
        assert_int_equal(strlen(s), 100001);
        assert_int_equal(s[100000], '|');
}

static void test_buf_collects_text(void **state) {
        _cleanup_arena_ Arena *a = arena_new(16 * 1024 * 1024);
        Buf b = BUF(a);

        (void) state;
        assert_string_equal(buf_text(&b), "");
        buf_add(&b, "one");
        buf_add_char(&b, ' ');
        buf_printf(&b, "%d%s", 2, "!");
        buf_add_mem(&b, "\0x", 2);
        assert_int_equal(b.len, 8);
        assert_memory_equal(b.data, "one 2!\0x", 9);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_blocks_are_zeroed_aligned_and_apart),
                cmocka_unit_test(test_grow_keeps_what_was_there),
                cmocka_unit_test(test_the_limit_ends_the_process),
                cmocka_unit_test(test_small_blocks_use_the_whole_limit),
                cmocka_unit_test(test_printf_of_any_length),
                cmocka_unit_test(test_buf_collects_text),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
