/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

static void test_empty_map_has_nothing(void **state) {
        Map m = { 0 };

        (void) state;
        assert_null(map_get(&m, "a"));
        assert_null(map_get(&m, ""));
}

static void test_many_names(void **state) {
        _cleanup_arena_ Arena *a = arena_new(64 * 1024 * 1024);
        Map m = { 0 };
        char *names[5000];

        (void) state;
        for (size_t i = 0; i < 5000; i++) {
                names[i] = arena_printf(a, "name-%zu", i);
                map_set(a, &m, names[i], names[i]);
        }
        assert_int_equal(m.n, 5000);
        for (size_t i = 0; i < 5000; i++)
                assert_ptr_equal(map_get(&m, arena_printf(a, "name-%zu", i)), names[i]);
        assert_null(map_get(&m, "name-5000"));
        assert_null(map_get(&m, "name-"));
}

static void test_set_again_replaces(void **state) {
        _cleanup_arena_ Arena *a = arena_new(1024 * 1024);
        Map m = { 0 };
        int one, two;

        (void) state;
        map_set(a, &m, "k", &one);
        map_set(a, &m, "", &one);
        map_set(a, &m, "k", &two);
        assert_int_equal(m.n, 2);
        assert_ptr_equal(map_get(&m, "k"), &two);
        assert_ptr_equal(map_get(&m, ""), &one);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_empty_map_has_nothing),
                cmocka_unit_test(test_many_names),
                cmocka_unit_test(test_set_again_replaces),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
