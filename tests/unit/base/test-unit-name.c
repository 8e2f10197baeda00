/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "generator/base/powers.h"
#include "generator/base/unit-name.h"

/* What systemd-escape --path --suffix=mount says. */
static void test_path(void **state) {
        static const struct {
                const char *path, *unit;
        } rows[] = {
                { "/srv/data", "srv-data.mount" },
                { "/srv", "srv.mount" },
                { "/mnt/usb-disk", "mnt-usb\\x2ddisk.mount" },
                { "/mnt/a b", "mnt-a\\x20b.mount" },
                { "/.hidden/.b", "\\x2ehidden-.b.mount" },
                { "/srv/caf\xc3\xa9", "srv-caf\\xc3\\xa9.mount" },
                { "/srv/a_b:c.d", "srv-a_b:c.d.mount" },
        };
        char unit[64] = "untouched", small[12];

        (void) state;
        for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
                assert_true(unit_name_from_path(rows[i].path, ".mount", sizeof(unit), unit));
                assert_string_equal(unit, rows[i].unit);
                assert_true(unit_name_is_valid(unit));
        }
        assert_false(unit_name_from_path("/", ".mount", sizeof(unit), unit));
        assert_false(unit_name_from_path("/srv/data", ".mount", sizeof(small), small));
}

static void test_powers(void **state) {
        (void) state;
        assert_string_equal(power_find("NET_RAW")->name, "CAP_NET_RAW");
        assert_string_equal(power_find("cap_net_raw")->name, "CAP_NET_RAW");
        assert_null(power_find("CAP_CHOWN"));
        assert_null(power_find("NET_BIND_SERVICE"));
        assert_null(power_find("CAP_"));
        assert_null(power_find(""));
        assert_true(power_is_all("all") && power_is_all("CAP_ALL"));
        assert_false(power_is_all("NET_RAW"));
        for (size_t i = 0; i < POWERS_MAX; i++)
                assert_ptr_equal(power_find(power_rows[i].name), &power_rows[i]);
}

int main(void) {
        const struct CMUnitTest tests[] = { cmocka_unit_test(test_path), cmocka_unit_test(test_powers) };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
