/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "generator/model/build.h"

/* calendar.c: what is taken, systemd-analyze calendar takes too. */

static void test_taken(void **state) {
        static const char *const good[] = {
                "hourly",        "weekly",           "Weekly",   "annually",
                "04:00",         "04:00:30",         "23:59:59", "Sun",
                "Sun 04:00",     "sunday 04:00",     "Mon,Thu",  "Mon..Fri",
                "Mon..Wed,Sat",  "Mon..Fri 03:30",   "*-*-01",   "*-*-31 00:00",
                "*-03-15 12:30", "Sat *-*-01 04:00", "4:00",     "Sun *-*-* 04:00:00",
                "Sun 04:00 UTC", "*-02-29",          "*-04-30",
        };

        (void) state;
        for (size_t i = 0; i < ELEMENTS(good); i++)
                if (!calendar_is_valid(good[i]))
                        fail_msg("\"%s\" was refused", good[i]);
}

static void test_refused(void **state) {
        static const char *const bad[] = {
                "",
                " ",
                "often",
                "24:00",
                "04:60",
                "04",
                "04:00:60",
                "*-02-30",
                "Sun  04:00",
                "Sun 04:00 ",
                " Sun",
                "04:00 Sun",
                "Sun Mon",
                "Mon,",
                "Mon...Fri",
                "Mon..",
                ",Mon",
                "Fun",
                "*-*-00",
                "*-*-32",
                "*-13-01",
                "*-*",
                "*-*-01-",
                "2026-01-01",
                "weekly 04:00",
                "Sun\n04:00",
                "04:00\nUser=root",
                "%n",
                "*-*-01 *-*-02",
                "04:00 05:00",
                "*-04-31",
                "UTC",
                "04:00 UTC UTC",
                "04:00 Europe/Berlin",
                "14:0",
                "24:0",
                "minutely",
                "2020-01-01 04:00",
        };

        (void) state;
        for (size_t i = 0; i < ELEMENTS(bad); i++)
                if (calendar_is_valid(bad[i]))
                        fail_msg("\"%s\" was taken", bad[i]);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_taken),
                cmocka_unit_test(test_refused),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
