/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <string.h>

#include "case.h"
#include "proofs/handles.h"
#include "proofs/probe.h"

static void test_bodies(void **state) {
        static const struct {
                const char *body, *address; /* NULL: refused */
        } rows[] = {
                { "192.0.2.1", "192.0.2.1" },
                { "192.0.2.1\n", "192.0.2.1" },
                { " \r\n192.0.2.1\r\n\r\n", "192.0.2.1" },
                { "2001:db8::1\n", "2001:db8::1" },
                { "{\"ip\": \"192.0.2.1\", \"country\": \"NL\"}\n", "192.0.2.1" },
                { "", NULL },
                { "\n", NULL },
                { "<html>192.0.2.1</html>", NULL },
                { "192.0.2.1 192.0.2.2", NULL },
                { "192.0.2.1\n192.0.2.2\n", NULL },
                { "Your IP is 192.0.2.1", NULL },
                { "{\"ip\": 1}", NULL },
                { "{\"ip\": \"x\"}", NULL },
                { "{\"address\": \"192.0.2.1\"}", NULL },
                { "{\"ip\": \"192.0.2.1\", \"ip\": \"192.0.2.2\"}", NULL },
                { "[\"192.0.2.1\"]", NULL },
        };
        char text[ADDRESS_TEXT_SIZE];

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
                Address address = { .family = 77 };
                int r = echo_body_parse(rows[i].body, strlen(rows[i].body), &address);

                if (rows[i].address) {
                        assert_int_equal(r, 0);
                        assert_string_equal(address_text(&address, text), rows[i].address);
                } else {
                        assert_int_equal(r, -EBADMSG);
                        assert_int_equal(address.family, 77);
                }
        }
        assert_int_equal(echo_body_parse("192.0.2.1\0.5", 12, &(Address){ 0 }), -EBADMSG);
}

static void test_states(void **state) {
        (void) state;
        assert_int_equal(probe_state_from_errno(ENETUNREACH), PROBE_NO_ROUTE);
        assert_int_equal(probe_state_from_errno(EADDRNOTAVAIL), PROBE_NO_ROUTE);
        assert_int_equal(probe_state_from_errno(EPERM), PROBE_BLOCKED);
        assert_int_equal(probe_state_from_errno(ECONNREFUSED), PROBE_SILENT);
        /* A router said so, not our own routing table: that is no "no path". */
        assert_int_equal(probe_state_from_errno(EHOSTUNREACH), PROBE_SILENT);
}

int main(void) {
        const struct CMUnitTest tests[] = { cmocka_unit_test(test_bodies), cmocka_unit_test(test_states) };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
