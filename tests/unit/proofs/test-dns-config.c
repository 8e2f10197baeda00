/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* resolv.conf and nsswitch.conf as a resolver library reads them. */

#include <string.h>

#include "case.h"
#include "proofs/dns.h"
#include "proofs/handles.h"

/* "ADDRESS[%SCOPE] ...", and "odd" if there was something else. */
static void servers_are(const char *text, const char *wanted) {
        char seen[512] = "", server[ADDRESS_TEXT_SIZE + IF_NAMESIZE + 1];
        DnsConfig config;

        dns_config_parse(text, &config);
        for (size_t i = 0; i < config.n; i++) {
                strcat(seen, i > 0 ? " " : "");
                strcat(seen, dns_server_text(&config.servers[i], server, sizeof(server)));
        }
        strcat(seen, config.odd ? " odd" : "");
        assert_string_equal(seen, wanted);
}

static void test_servers(void **state) {
        static const struct {
                const char *text, *servers;
        } cases[] = {
                { "nameserver 10.64.0.1\n", "10.64.0.1" },
                { "nameserver 10.64.0.1", "10.64.0.1" },
                { "search lan\noptions ndots:0\nnameserver\t10.64.0.1\nnameserver 2001:db8::1\n",
                  "10.64.0.1 2001:db8::1" },
                { "nameserver   10.64.0.1  # the tunnel's\r\n", "10.64.0.1" },
                { "nameserver 10.64.0.1;x\n", "10.64.0.1" },
                { "nameserver fe80::1%eth0\n", "fe80::1%eth0" },
                /* In none of these is a server; the library then asks the host itself. */
                { "", "127.0.0.1" },
                { "# nameserver 10.64.0.1\n;nameserver 10.64.0.2\n", "127.0.0.1" },
                { " nameserver 10.64.0.1\n", "127.0.0.1" },
                { "nameserver10.64.0.1\nNAMESERVER 10.64.0.1\nnameservers 10.64.0.1\n", "127.0.0.1" },
                { "nameserver\n10.64.0.1\n", "127.0.0.1" },
                { "nameserver dns.example\n", "127.0.0.1 odd" },
                { "nameserver 10.64.0\nnameserver 10.64.0.1\n", "10.64.0.1 odd" },
                { "nameserver fe80::1%\n", "127.0.0.1 odd" },
                { "nameserver fe80::1%a-name-that-is-too-long\n", "127.0.0.1 odd" },
                { "nameserver 192.0.2.1\nnameserver 192.0.2.2\nnameserver 192.0.2.3\nnameserver 192.0.2.4\n"
                  "nameserver 192.0.2.5\nnameserver 192.0.2.6\nnameserver 192.0.2.7\nnameserver 192.0.2.8\n"
                  "nameserver 192.0.2.9\n",
                  "192.0.2.1 192.0.2.2 192.0.2.3 192.0.2.4 192.0.2.5 192.0.2.6 192.0.2.7 192.0.2.8 odd" },
        };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(cases); i++)
                servers_are(cases[i].text, cases[i].servers);
}

/* A line may be longer than any library reads; the next one counts again. */
static void test_long_line(void **state) {
        char text[2000] = "# ";

        (void) state;
        memset(text + 2, 'x', 1500);
        strcat(text, " nameserver 192.0.2.1\nnameserver 192.0.2.2\n");
        servers_are(text, "192.0.2.2");
}

static void test_hosts_line(void **state) {
        static const struct {
                const char *text, *line;
        } cases[] = {
                { "passwd: files\nhosts:  files \t mymachines dns # and no more\n", "files mymachines dns" },
                { "hosts: files resolve [!UNAVAIL=return] dns", "files resolve [!UNAVAIL=return] dns" },
                { "#hosts: files\n", "" },
                { "host: files\n", "" },
                { "hosts:\n", "" },
                { "", "" },
        };
        char line[160];

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
                dns_hosts_line(cases[i].text, sizeof(line), line);
                assert_string_equal(line, cases[i].line);
        }
}

static void test_hosts_line_room(void **state) {
        char line[12];

        (void) state;
        dns_hosts_line("hosts: files resolve dns\n", sizeof(line), line);
        assert_string_equal(line, "files");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_servers),
                cmocka_unit_test(test_long_line),
                cmocka_unit_test(test_hosts_line),
                cmocka_unit_test(test_hosts_line_room),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
