/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "generator/base/str.h"
#include "generator/compose/compose.h"
#include "generator/plan/lower.h"

static void test_sorted(void **state) {
        (void) state;
        for (size_t i = 1; i < n_service_keys; i++)
                assert_true(strcmp(service_keys[i - 1].key, service_keys[i].key) < 0);
}

/* No key of the specification is without a row, and what one table refuses the other does not map. */
static void test_complete(void **state) {
        (void) state;
        assert_true(compose_n_service_keys >= 90);
        for (size_t i = 0; i < compose_n_service_keys; i++) {
                const KeyRow *row = compose_service_keys + i;
                const ServiceKey *key = service_key_find(row->key);

                if (!key)
                        fail_msg("'%s' has no row", row->key);
                if ((row->quadlet == KEY_REFUSED) != (key->emit == emit_refused))
                        fail_msg("'%s' is refused in one table and not in the other", row->key);
                if (row->quadlet != KEY_MAPPED && !row->reason)
                        fail_msg("'%s' is not simply mapped, and no reason is given", row->key);
        }
        for (size_t i = 0; i < n_service_keys; i++) {
                bool known = false;

                for (size_t j = 0; j < compose_n_service_keys; j++)
                        known |= str_equal(compose_service_keys[j].key, service_keys[i].key);
                if (!known)
                        fail_msg("'%s' is in no specification", service_keys[i].key);
        }
}

/* Keys that quadlet 5.4.2 does not know make it drop the whole unit. */
static void test_baseline(void **state) {
        static const char *const younger[] = {
                "AppArmor",  "BuildArg",     "HttpProxy", "Memory",     "NetworkDeleteOnStop",
                "ReloadCmd", "ReloadSignal", "Retry",     "RetryDelay",
        };

        (void) state;
        for (size_t i = 0; i < n_service_keys; i++)
                for (size_t j = 0; j < sizeof(younger) / sizeof(younger[0]); j++)
                        assert_false(str_equal(service_keys[i].name, younger[j]));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_sorted),
                cmocka_unit_test(test_complete),
                cmocka_unit_test(test_baseline),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
