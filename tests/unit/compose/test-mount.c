/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/compose/mount.h"
#include "tests/unit/compose/fixture.h"

static const char *show_mount(Fixture *f, const char *text) {
        MountSpec m;

        if (!mount_parse(f->arena, text, &m))
                return "bad";
        return arena_printf(f->arena, "%s %s>%s%s%s %s %s%s%s", m.bind ? "bind" : "volume",
                            m.source ? m.source : "-", m.target, m.read_only ? " ro" : "",
                            m.no_copy ? " nocopy" : "", m.propagation ? m.propagation : "-",
                            m.selinux ? m.selinux : "-", m.unknown ? " but " : "",
                            m.unknown ? m.unknown : "");
}

static void test_mounts(void **state) {
        static const char *const cases[][2] = {
                { "/a", "volume ->/a - -" },
                { "v:/a", "volume ->v:/a - -" }, /* one letter is a drive */
                { "vv:/a", "volume vv>/a - -" },
                { "./v:/a", "bind ./v>/a - -" },
                { "~/v:/a:ro", "bind ~/v>/a ro - -" },
                { "/v:/a:ro,z,rshared", "bind /v>/a ro rshared z" },
                { "vv:/a:nocopy,rw,unknown", "volume vv>/a nocopy - - but unknown" },
                { "/v:/a:nosuid,,ro,U", "bind /v>/a ro - - but nosuid,U" },
                { "C:\\x:/a", "bind C:\\x>/a - -" },
                { "\\\\x:/a", "bind \\\\x>/a - -" },
                { "ab", "volume ->ab - -" },
                { "", "bad" },
                { "vv:", "bad" },
                { ":/a", "bad" },
                { "vv::ro", "bad" },
                { "vv:/a:ro:x", "bad" },
                { "vv:/a:ro:x:y", "bad" },
        };
        Fixture *f = *state;

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
                assert_string_equal(show_mount(f, cases[i][0]), cases[i][1]);
}

static const char *show_ports(Fixture *f, const char *text) {
        PortSpec p;
        const char *wrong = ports_parse(f->arena, text, &p);

        if (wrong)
                return wrong;
        return arena_printf(f->arena, "%s:%s%u-%u:%u-%u/%s", p.address, p.has_host ? "" : "any ",
                            p.host_first, p.host_last, p.first, p.last, p.protocol);
}

static void test_ports(void **state) {
        static const char *const cases[][2] = {
                { "80", ":any 0-0:80-80/tcp" },
                { "80/UDP", ":any 0-0:80-80/udp" },
                { "80/", ":any 0-0:80-80/tcp" },
                { "8080:80", ":8080-8080:80-80/tcp" },
                { "8080-8082:80-82/sctp", ":8080-8082:80-82/sctp" },
                { "8080-8090:80", ":8080-8090:80-80/tcp" },
                { "127.0.0.1:8080:80", "127.0.0.1:8080-8080:80-80/tcp" },
                { "127.0.0.1::80", "127.0.0.1:any 0-0:80-80/tcp" },
                { "[::1]:8080:80", "::1:8080-8080:80-80/tcp" },
                { "::1:8080:80", "an IPv6 address stands in brackets" },
                { "[::1:8080:80", "the address lacks its closing bracket" },
                { "300.0.0.1:8080:80", "the address is none" },
                { "host:8080:80", "the address is none" },
                { "80/icmp", "the protocol is none of tcp, udp, sctp" },
                { "", "the container's port is no port or range from 0 to 65535" },
                { "65536", "the container's port is no port or range from 0 to 65535" },
                { "99999999999", "the container's port is no port or range from 0 to 65535" },
                { "82-80", "the container's port is no port or range from 0 to 65535" },
                { "1-2-3", "the container's port is no port or range from 0 to 65535" },
                { "x:80", "the host's port is no port or range from 0 to 65535" },
                { "80-82:80-83", "the two ranges differ in length" },
        };
        Fixture *f = *state;

        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
                assert_string_equal(show_ports(f, cases[i][0]), cases[i][1]);
}

int main(void) {
        const struct CMUnitTest tests[] = { TEST(test_mounts), TEST(test_ports) };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
