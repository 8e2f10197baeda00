/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "generator/base/subnet.h"

static void test_parse(void **state) {
        static const struct {
                const char *text, *canonical; /* NULL: none */
        } cases[] = {
                { "192.168.1.0/24", "192.168.1.0/24" },
                { "192.168.1.77/24", "192.168.1.0/24" },
                { "10.1.2.3", "10.1.2.3/32" },
                { "255.255.255.255/0", "0.0.0.0/0" },
                { "10.255.255.255/9", "10.128.0.0/9" },
                { "FD00:0:0:1::5/64", "fd00:0:0:1::/64" },
                { "fe80::1", "fe80::1/128" },
                { "ffff::/1", "8000::/1" },
                { "", NULL },
                { "/8", NULL },
                { "10.0.0.0/", NULL },
                { "10.0.0.0/33", NULL },
                { "10.0.0.0/-1", NULL },
                { "10.0.0.0/+8", NULL },
                { "10.0.0.0/ 8", NULL },
                { "10.0.0.0/8 ", NULL },
                { "10.0.0.0/008", "10.0.0.0/8" },
                { "10.0.0.0/0008", NULL },
                { "10.0.0/8", NULL },
                { "10.0.0.0/255.0.0.0", NULL },
                { "fd00::/129", NULL },
                { "fe80::1%eth0", NULL },
                { "lan", NULL },
                { "10.0.0.0/8 }", NULL },
        };

        (void) state;
        for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
                char text[SUBNET_TEXT_SIZE];
                Subnet subnet;

                if (subnet_parse(cases[i].text, &subnet) != (cases[i].canonical != NULL))
                        fail_msg("\"%s\" is taken for what it is not", cases[i].text);
                if (cases[i].canonical)
                        assert_string_equal(subnet_text(&subnet, text), cases[i].canonical);
        }
}

static void test_contains(void **state) {
        static const struct {
                const char *outer, *inner;
                bool contains;
        } cases[] = {
                { "10.8.0.0/24", "10.8.0.255", true },   { "10.8.0.0/24", "10.8.1.0", false },
                { "10.8.0.0/24", "10.8.0.0/24", true },  { "10.8.0.0/24", "10.8.0.128/25", true },
                { "10.8.0.0/24", "10.8.0.0/23", false }, { "0.0.0.0/0", "10.8.0.1", true },
                { "0.0.0.0/0", "::1", false },           { "fd00::/64", "fd00::ffff:0:0:1", true },
                { "fd00::/64", "fd00:0:0:1::", false },
        };
        Subnet outer, inner;

        (void) state;
        for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
                assert_true(subnet_parse(cases[i].outer, &outer) && subnet_parse(cases[i].inner, &inner));
                if (subnet_contains(&outer, &inner) != cases[i].contains)
                        fail_msg("%s in %s", cases[i].inner, cases[i].outer);
        }
        assert_true(subnet_parse_address("10.8.0.1", &inner));
        assert_false(subnet_parse_address("10.8.0.1/32", &inner));
}

/* Each space, its last address, and the first one behind it. */
static void test_private(void **state) {
        static const char *const yes[] = {
                "10.0.0.0/8",    "10.255.255.255", "172.16.0.0/12",   "172.31.255.255", "192.168.0.0/16",
                "192.168.255.0", "100.64.0.0/10",  "100.127.255.255", "169.254.0.0/16", "fc00::/7",
                "fd00::1",       "fdff:ffff::1",   "fe80::/10",       "febf::1",
        };
        static const char *const no[] = {
                "10.0.0.0/7",  "9.255.255.255",  "11.0.0.0",        "172.16.0.0/11", "172.15.255.255",
                "172.32.0.0",  "192.168.0.0/15", "192.167.255.255", "192.169.0.0",   "100.63.255.255",
                "100.128.0.0", "100.64.0.0/9",   "169.253.0.1",     "0.0.0.0/0",     "::/0",
                "fbff::1",     "fe00::1",        "fec0::1",         "2001:db8::/32", "127.0.0.1",
                "224.0.0.1",   "8.8.8.8",        "fc00::/6",        "nonsense",
        };

        (void) state;
        for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
                if (!subnet_text_is_private(yes[i]))
                        fail_msg("%s is private", yes[i]);
        for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
                if (subnet_text_is_private(no[i]))
                        fail_msg("%s is not private", no[i]);
}

static void test_link_local(void **state) {
        Subnet subnet;

        (void) state;
        assert_true(subnet_parse("fe80::/64", &subnet) && subnet_is_link_local(&subnet));
        assert_true(subnet_parse("169.254.1.0/24", &subnet) && subnet_is_link_local(&subnet));
        assert_true(subnet_parse("fd00::/64", &subnet) && !subnet_is_link_local(&subnet));
        assert_true(subnet_parse("192.168.0.0/24", &subnet) && !subnet_is_link_local(&subnet));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_parse),
                cmocka_unit_test(test_contains),
                cmocka_unit_test(test_private),
                cmocka_unit_test(test_link_local),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
