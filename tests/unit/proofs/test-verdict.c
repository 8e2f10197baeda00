/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "case.h"
#include "proofs/handles.h"
#include "proofs/verdict.h"

static void test_names_and_statuses(void **state) {
        (void) state;
        assert_int_equal(verdict_exit_status(VERDICT_PASSED), 0);
        assert_int_equal(verdict_exit_status(VERDICT_FAILED), 1);
        assert_int_equal(verdict_exit_status(VERDICT_UNPROVEN), 3);
        for (Verdict v = 0; v < _VERDICT_MAX; v++) {
                assert_int_equal(verdict_from_name(verdict_name(v)), v);
                assert_int_equal(verdict_from_exit_status(verdict_exit_status(v)), v);
        }
}

/* Whatever is unknown is unproven, and never passed. */
static void test_unknown(void **state) {
        (void) state;
        assert_int_equal(verdict_from_name("PASSED"), _VERDICT_INVALID);
        assert_int_equal(verdict_from_name(""), _VERDICT_INVALID);
        assert_int_equal(verdict_from_name(NULL), _VERDICT_INVALID);
        assert_int_equal(verdict_exit_status(_VERDICT_INVALID), 3);
        assert_int_equal(verdict_exit_status((Verdict) 77), 3);
        assert_string_equal(verdict_name((Verdict) 77), "unproven");
        for (int status = 2; status < 256; status++)
                assert_int_equal(verdict_from_exit_status(status), VERDICT_UNPROVEN);
        assert_int_equal(verdict_weaker(VERDICT_PASSED, (Verdict) 77), VERDICT_UNPROVEN);
}

static void test_weaker(void **state) {
        static const Verdict order[] = { VERDICT_PASSED, VERDICT_UNPROVEN, VERDICT_FAILED };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(order); i++)
                for (size_t k = 0; k < ARRAY_LENGTH(order); k++)
                        assert_int_equal(verdict_weaker(order[i], order[k]), order[i > k ? i : k]);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_names_and_statuses),
                cmocka_unit_test(test_unknown),
                cmocka_unit_test(test_weaker),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
