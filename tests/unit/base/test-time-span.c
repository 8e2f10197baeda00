/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "generator/base/time-span.h"

static void test_taken(void **state) {
        static const struct {
                const char *text;
                unsigned seconds;
        } rows[] = {
                { "90", 90 },     { "90s", 90 },    { "2min", 120 },
                { "2m", 120 },    { "2m30s", 150 }, { "1h 30min", 5400 },
                { "24h", 86400 }, { "1hr", 3600 },  { "2 minutes 1 second", 121 },
                { "0", 0 },       { "1h5", 3605 },
        };

        (void) state;
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
                unsigned seconds = 1;

                assert_true(time_span_parse(rows[i].text, 86400, &seconds));
                assert_int_equal(seconds, rows[i].seconds);
        }
}

static void test_refused(void **state) {
        static const char *const bad[] = {
                "",     " ",     "s",
                "soon", "-1",    "1.5s",
                "1d",   "1w",    "2 fortnights",
                "25h",  "86401", "99999999999999999999999",
                " 90",  "1ms",   "1M",
        };

        (void) state;
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
                unsigned seconds = 7;

                if (time_span_parse(bad[i], 86400, &seconds))
                        fail_msg("\"%s\" was taken", bad[i]);
                assert_int_equal(seconds, 7);
        }
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_taken),
                cmocka_unit_test(test_refused),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
