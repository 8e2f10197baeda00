/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "generator/base/str.h"
#include "generator/plan/plan.h"

static size_t errors_of(PlanItem item, const PlanItem *second, const char *expected) {
        _cleanup_arena_ Arena *a = arena_new(8 << 20);
        Sources s = { .arena = a };
        Diag d = { .arena = a, .sources = &s };
        Plan p = { .arena = a, .stack = "s" };

        plan_add(&p, item);
        if (second)
                plan_add(&p, *second);
        if (expected)
                plan_expect(&p, (PlanExpected){ .quadlet = "x.container", .unit = expected });
        plan_sort(&p);
        plan_check(&p, &d);
        for (size_t i = 0; i < d.n_entries; i++)
                assert_string_equal(d.entries[i].code, "plan");
        return d.n_errors;
}

static PlanItem unit(const char *path, const char *text) {
        return (PlanItem){ .phase = PLAN_UNIT, .path = path, .mode = 0644, .text = text };
}

static void test_paths(void **state) {
        (void) state;
        assert_int_equal(errors_of(unit("a.service", "[Unit]\n"), NULL, NULL), 0);
        assert_int_equal(errors_of(unit("../a.service", ""), NULL, NULL), 1);
        assert_int_equal(errors_of(unit("x/../../a.service", ""), NULL, NULL), 1);
        assert_int_equal(errors_of(unit("/etc/a", ""), NULL, NULL), 1);
        assert_true(errors_of(unit("", ""), NULL, NULL) >= 1);
        assert_int_equal(errors_of(unit("a b.service", ""), NULL, NULL), 1);
}

static void test_twice(void **state) {
        PlanItem other = unit("a.service", "");

        (void) state;
        assert_int_equal(errors_of(unit("a.service", ""), &other, NULL), 1);
        assert_int_equal(errors_of(unit("a.service", ""), NULL, "a.service"), 1);
        assert_int_equal(errors_of(unit("a.service", ""), NULL, "b.service"), 0);
}

static void test_text(void **state) {
        char *line = malloc(1024 * 1024 + 1), name[260];

        (void) state;
        assert_int_equal(errors_of(unit("a.service", "A=\xff"), NULL, NULL), 1);
        memset(line, 'a', 1024 * 1024);
        line[1024 * 1024] = '\0';
        assert_int_equal(errors_of(unit("a.service", line), NULL, NULL), 1);
        line[1024 * 1024 - 1] = '\0';
        assert_int_equal(errors_of(unit("a.service", line), NULL, NULL), 0);
        free(line);
        memset(name, 'a', sizeof(name));
        memcpy(name + 239, ".service", sizeof(".service"));
        assert_int_equal(errors_of(unit(name, ""), NULL, NULL), 1);
        memcpy(name + 238, ".service", sizeof(".service"));
        assert_int_equal(errors_of(unit(name, ""), NULL, NULL), 0);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_paths),
                cmocka_unit_test(test_twice),
                cmocka_unit_test(test_text),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
