/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>

#include "case.h"
#include "proofs/handles.h"
#include "proofs/hostaddrs.h"

static Address parse(const char *text) {
        Address address;

        assert_int_equal(address_parse(text, &address), 0);
        return address;
}

static void test_parse(void **state) {
        static const char *const bad[] = {
                "",           "x",           "192.0.2",      "192.0.2.1.", "192.0.2.256",  "192.0.2.1/24",
                " 192.0.2.1", "192.0.2.1\n", "fe80::1%eth0", "[::1]",      "2001:db8:::1", "0x7f.1",
        };
        char text[ADDRESS_TEXT_SIZE];
        Address address;

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
                assert_int_equal(address_parse(bad[i], &address), -EINVAL);
        address = parse("::ffff:192.0.2.1");
        assert_int_equal(address.family, AF_INET);
        assert_string_equal(address_text(&address, text), "192.0.2.1");
        address = (Address){ .family = AF_UNSPEC };
        assert_string_equal(address_text(&address, text), "");
}

static void test_compare(void **state) {
        static const struct {
                const char *a, *b;
                bool equal, site, near;
        } rows[] = {
                { "192.0.2.1", "192.0.2.1", true, true, true },
                { "192.0.2.1", "192.0.2.2", false, false, true },
                { "192.0.2.1", "192.0.3.1", false, false, false },
                { "192.0.2.1", "::ffff:192.0.2.1", true, true, true },
                { "2001:db8::1", "2001:db8::1", true, true, false },
                { "2001:db8::1", "2001:db8::ffff:1", false, true, false },
                { "2001:db8:0:1::1", "2001:db8:0:2::1", false, false, false },
                { "192.0.2.1", "2001:db8::1", false, false, false },
        };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
                const Address a = parse(rows[i].a), b = parse(rows[i].b);

                assert_int_equal(address_equal(&a, &b), rows[i].equal);
                assert_int_equal(address_same_site(&a, &b), rows[i].site);
                assert_int_equal(address_same_site(&b, &a), rows[i].site);
                assert_int_equal(address_is_near(&a, &b), rows[i].near);
        }
}

static void test_none(void **state) {
        const Address none = { .family = AF_UNSPEC };

        (void) state;
        assert_false(address_equal(&none, &none));
        assert_false(address_same_site(&none, &none));
        assert_false(address_is_routable(&none));
}

static void test_routable(void **state) {
        static const char *const no[] = { "0.0.0.0",   "0.1.2.3",         "127.0.0.1",   "127.9.9.9",
                                          "224.0.0.1", "255.255.255.255", "169.254.1.1", "::",
                                          "::1",       "fe80::1",         "ff02::1" };
        static const char *const yes[] = { "10.0.0.1", "100.64.0.1", "192.0.2.1", "fd00::1", "2001:db8::1" };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(no); i++) {
                const Address address = parse(no[i]);

                assert_false(address_is_routable(&address));
        }
        for (size_t i = 0; i < ARRAY_LENGTH(yes); i++) {
                const Address address = parse(yes[i]);

                assert_true(address_is_routable(&address));
        }
}

static void test_host_set(void **state) {
        HostAddresses set = { .n = 0 };
        Address address = parse("192.0.2.1");

        (void) state;
        assert_int_equal(host_addresses_add(&set, &address), 0);
        assert_int_equal(host_addresses_add(&set, &address), 0);
        assert_int_equal(set.n, 1);
        assert_non_null(host_addresses_match(&set, &address));
        address = parse("2001:db8::1");
        assert_null(host_addresses_match(&set, &address));
        assert_int_equal(host_addresses_add(&set, &address), 0);
        address = parse("2001:db8::2");
        assert_non_null(host_addresses_match(&set, &address));
        for (unsigned i = 0; set.n < HOST_ADDRESSES_MAX; i++) {
                const uint8_t bytes[4] = { 10, 0, (uint8_t) (i >> 8), (uint8_t) i };

                address = address_from_bytes(AF_INET, bytes);
                assert_int_equal(host_addresses_add(&set, &address), 0);
        }
        address = parse("203.0.113.1");
        assert_int_equal(host_addresses_add(&set, &address), -E2BIG);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_parse),    cmocka_unit_test(test_compare),  cmocka_unit_test(test_none),
                cmocka_unit_test(test_routable), cmocka_unit_test(test_host_set),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
