/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "generator/base/str.h"
#include "generator/plan/plan.h"

static void test_stack(void **state) {
        _cleanup_arena_ Arena *a = arena_new(1 << 20);
        Sources s = { .arena = a };
        Diag d = { .arena = a, .sources = &s };
        const PlanItem *unit;
        Span span = { .line = 3, .column = 5 };
        Plan *p;

        (void) state;
        span.file = (uint32_t) sources_add(&s, "/etc/unitproof/s/compose.yaml", "a: b\n", 5);
        diag_warning(&d, span, "w", "only a warning");
        diag_error(&d, span, "bad", "50%% of it\nis \\");
        diag_hint(&d, "[Service]");
        p = plan_failed(a, "s", "/etc/unitproof/s/compose.yaml", &d);
        assert_int_equal(p->n_items, 3);
        assert_int_equal(p->items[p->n_items - 1].phase, PLAN_ACTIVATE);
        assert_string_equal(p->items[p->n_items - 1].target, "../s.target");
        assert_non_null(strstr(plan_find(p, "s.target")->text, "\nWants=s-failed.service\n"));
        unit = plan_find(p, "s-failed.service");
        assert_non_null(unit);
        assert_non_null(strstr(unit->text,
                               "\nStandardInputText=/etc/unitproof/s/compose.yaml:3:5: error: 50%% of it"));
        assert_non_null(strstr(unit->text, "\nStandardInputText=hint: [Service]\n"));
        assert_null(strstr(unit->text, "\n[Service]\n["));
        assert_null(strstr(unit->text, "only a warning"));

        Diag check = { .arena = a, .sources = &s };

        plan_check(p, &check);
        assert_int_equal(check.n_errors, 0);
}

static void test_hostile_names(void **state) {
        _cleanup_arena_ Arena *a = arena_new(1 << 20);
        Plan *p = plan_failed_unit(a, "s", "s-a.service", "", "line one\nSecond=\x01\xff line \\");
        const char *text = plan_find(p, "s-a.service")->text;
        const char *section = strstr(text, "[Service]");

        (void) state;
        assert_int_equal(p->n_items, 1);
        assert_non_null(section);
        assert_null(strstr(section + 1, "[Service]"));
        assert_true(str_is_utf8(text, strlen(text)));
        assert_null(strchr(text, '\x01'));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_stack),
                cmocka_unit_test(test_hostile_names),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
