/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The verdict of the egress proof as a pure function: one honest world, and one change at a time. */

#include <errno.h>
#include <net/if_arp.h>
#include <string.h>

#include "case.h"
#include "proofs/egress.h"
#include "proofs/handles.h"

enum { LO = 1, ETH0 = 2, TUN0 = 3 };
enum { HTTP_A4, HTTP_B4, HTTP_A6, STUN_4, N_PROBES };

/* Everything that EgressCase points at. */
typedef struct World {
        Source sources[3];
        Probe probes[N_PROBES];
        EgressLook host, inside, host_again, inside_again;
        HostAddresses host_addresses;
        EgressCase c;
} World;

static World world;

static Address parse(const char *text) {
        Address address = { .family = AF_UNSPEC };

        assert_int_equal(address_parse(text, &address), 0);
        return address;
}

static ProbeAnswer answered(const char *seen) {
        return (ProbeAnswer){ .state = PROBE_ANSWERED, .seen = parse(seen), .sent = 100, .received = 100 };
}

static void links_set(EgressLook *look) {
        look->before = (LinkSet) {
                .n = 3,
                .links = {
                        { .index = LO, .name = "lo", .flags = IFF_UP | IFF_LOOPBACK },
                        { .index = ETH0, .name = "eth0", .kind = "veth", .flags = IFF_UP, .arp_type = ARPHRD_ETHER },
                        { .index = TUN0, .name = "tun0", .kind = "tun", .flags = IFF_UP, .arp_type = ARPHRD_NONE,
                          .sent = 5000, .received = 5000 },
                },
        };
        look->after = look->before;
        look->after.links[2].sent += 1000;
        look->after.links[2].received += 1000;
}

static void ways_set(EgressLook *look, int link) {
        for (size_t i = 0; i < N_PROBES; i++)
                look->ways[i] = (EgressWay){ .route.link = link };
        for (Family f = 0; f < _FAMILY_MAX; f++)
                for (size_t i = 0; i < EGRESS_SAMPLES; i++)
                        look->samples[f][i] = look->samples_tcp[f][i] = (EgressWay){ .route.link = link };
}

static void world_make(void) {
        memset(&world, 0, sizeof(world));
        world.sources[0] = (Source){ .transport = TRANSPORT_TCP, .text = "http://a.example/" };
        world.sources[1] = (Source){ .transport = TRANSPORT_TCP, .text = "http://b.example/" };
        world.sources[2] = (Source){ .transport = TRANSPORT_UDP, .text = "stun.example:3478" };
        world.probes[HTTP_A4] = (Probe){ &world.sources[0], FAMILY_V4 };
        world.probes[HTTP_B4] = (Probe){ &world.sources[1], FAMILY_V4 };
        world.probes[HTTP_A6] = (Probe){ &world.sources[0], FAMILY_V6 };
        world.probes[STUN_4] = (Probe){ &world.sources[2], FAMILY_V4 };
        links_set(&world.host);
        links_set(&world.inside);
        ways_set(&world.host, ETH0);
        ways_set(&world.inside, TUN0);
        for (size_t i = 0; i < N_PROBES; i++) {
                bool v6 = world.probes[i].family == FAMILY_V6;

                world.host.answers[i] = answered(v6 ? "2001:db8:1::2" : "192.0.2.2");
                world.inside.answers[i] = answered(v6 ? "2001:db8:9::9" : "203.0.113.9");
                world.sources[0].addresses[world.probes[i].family] =
                        parse(v6 ? "2001:db8:e::1" : "198.51.100.1");
        }
        world.host_addresses.addresses[0] = parse("192.0.2.2");
        world.host_addresses.addresses[1] = parse("2001:db8:1::2");
        world.host_addresses.addresses[2] = parse("192.0.2.77");
        world.host_addresses.n = 3;
        world.c = (EgressCase){
                .probes = world.probes,
                .n_probes = N_PROBES,
                .host = &world.host,
                .inside = &world.inside,
                .host_addresses = &world.host_addresses,
        };
}

static void again(ProbeState inside, ProbeState host) {
        world.c.inside_again = &world.inside_again;
        world.c.host_again = &world.host_again;
        for (size_t i = 0; i < N_PROBES; i++)
                if (world.inside.answers[i].state != PROBE_ANSWERED) {
                        world.inside_again.answers[i].state = inside;
                        world.host_again.answers[i].state = host;
                }
}

static void family_off(EgressLook *look, Family family, EgressWay way) {
        for (size_t i = 0; i < N_PROBES; i++)
                if (world.probes[i].family == family) {
                        look->answers[i] = (ProbeAnswer){ .state = PROBE_NO_ROUTE, .error = ENETUNREACH };
                        look->ways[i] = way;
                }
        for (size_t i = 0; i < EGRESS_SAMPLES; i++)
                look->samples[family][i] = look->samples_tcp[family][i] = way;
}

static const EgressWay no_way = { .route.error = ENETUNREACH, .connect_error = ENETUNREACH };
static const EgressWay open_way = { .route.link = ETH0, .pushed = true };
static const EgressWay blocked_way = { .route.link = ETH0, .pushed = true, .push_error = EPERM };

static void honest(void) {
}
static void same4(void) {
        world.inside.answers[HTTP_B4] = answered("192.0.2.2");
}
static void same_interface(void) {
        world.inside.answers[STUN_4] = answered("192.0.2.77");
}
static void same6(void) {
        world.inside.answers[HTTP_A6] = answered("2001:db8:1::abcd");
}
static void same_again(void) {
        family_off(&world.inside, FAMILY_V6, no_way);
        again(PROBE_NO_ROUTE, PROBE_ANSWERED);
        world.inside_again.answers[HTTP_A6] = answered("2001:db8:1::2");
}
static void other_link(void) {
        world.inside.ways[HTTP_A4] = open_way;
}
static void other_link_blocked(void) {
        world.inside.ways[HTTP_A4] = blocked_way;
}
static void no_tunnel_link(void) {
        world.inside.before.n = world.inside.after.n = 2;
        ways_set(&world.inside, ETH0);
}
static void named_otherwise(void) {
        no_tunnel_link();
        world.c.interface = "wg0";
}
static void named_ethernet(void) {
        no_tunnel_link();
        world.c.interface = "eth0";
        world.inside.after.links[1].sent = world.inside.after.links[1].received = 1000;
}
static void tap(void) {
        world.inside.before.links[2].arp_type = ARPHRD_ETHER;
}
static void wireguard(void) {
        strcpy(world.inside.before.links[2].kind, "wireguard");
}
static void bridge(void) {
        strcpy(world.inside.before.links[2].kind, "bridge");
}
static void sample_open(void) {
        world.inside.samples[FAMILY_V4][3] = open_way;
}
static void sample_blocked(void) {
        world.inside.samples[FAMILY_V4][3] = blocked_way;
}
static void sample_unclear(void) {
        world.inside.samples[FAMILY_V4][3] =
                (EgressWay){ .route.link = ETH0, .pushed = true, .push_error = ENOBUFS };
}
static void sample_open_host_has_none(void) {
        sample_open();
        for (size_t i = 0; i < EGRESS_SAMPLES; i++)
                world.host.samples[FAMILY_V4][i] = no_way;
}
static void still_sent(void) {
        world.inside.after.links[2].sent = 5000 + 399;
}
static void still_received(void) {
        world.inside.after.links[2].received = 5000 + 399;
}
static void just_moved(void) {
        world.inside.after.links[2].sent = world.inside.after.links[2].received = 5000 + 400;
}
static void link_vanished(void) {
        world.inside.after.n = 2;
}
static void disagree(void) {
        world.inside.answers[HTTP_B4] = answered("203.0.113.10");
}
static void transports_differ(void) {
        world.inside.answers[STUN_4] = answered("203.0.113.10");
}
static void host_only(void) {
        world.inside.answers[STUN_4].state = PROBE_SILENT;
}
static void inside_only(void) {
        world.host.answers[STUN_4].state = PROBE_SILENT;
}
static void source_down(void) {
        host_only();
        inside_only();
}
static void all_down(void) {
        for (size_t i = 0; i < N_PROBES; i++)
                world.host.answers[i].state = world.inside.answers[i].state = PROBE_SILENT;
}
static void odd_inside(void) {
        world.inside.answers[HTTP_A4].state = PROBE_ODD;
}
static void odd_host(void) {
        world.host.answers[HTTP_A4].state = PROBE_ODD;
}
static void no_v6(void) {
        family_off(&world.inside, FAMILY_V6, no_way);
        again(PROBE_NO_ROUTE, PROBE_ANSWERED);
}
static void no_v6_unrepeated(void) {
        family_off(&world.inside, FAMILY_V6, no_way);
}
static void no_v6_control_lost(void) {
        family_off(&world.inside, FAMILY_V6, no_way);
        again(PROBE_NO_ROUTE, PROBE_SILENT);
}
static void no_v6_flapping(void) {
        family_off(&world.inside, FAMILY_V6, no_way);
        again(PROBE_ANSWERED, PROBE_ANSWERED);
        world.inside_again.answers[HTTP_A6].seen = parse("2001:db8:9::9");
}
static void no_v6_anywhere(void) {
        family_off(&world.inside, FAMILY_V6, no_way);
        family_off(&world.host, FAMILY_V6, no_way);
}
static void no_v6_contradiction(void) {
        family_off(&world.inside, FAMILY_V6, (EgressWay){ .route.link = TUN0, .connect_error = ENETUNREACH });
        again(PROBE_NO_ROUTE, PROBE_ANSWERED);
}
static void v6_new(void) {
        family_off(&world.host, FAMILY_V6, no_way);
}
static void v6_new_beside(void) {
        v6_new();
        world.inside.ways[HTTP_A6] = open_way;
}
static void v6_blocked(void) {
        family_off(&world.inside, FAMILY_V6, blocked_way);
        world.inside.answers[HTTP_A6].state = PROBE_SILENT;
        again(PROBE_SILENT, PROBE_ANSWERED);
}
static void v6_open_silent(void) {
        v6_blocked();
        world.inside.ways[HTTP_A6] = open_way;
}
static void v6_dead_end(void) {
        family_off(&world.host, FAMILY_V6, no_way);
        world.inside.answers[HTTP_A6].state = PROBE_SILENT;
}
static void v6_silent(void) {
        world.inside.answers[HTTP_A6].state = world.host.answers[HTTP_A6].state = PROBE_SILENT;
}
static void v4_only_sources(void) {
        world.probes[HTTP_A6] = (Probe){ &world.sources[1], FAMILY_V4 };
        world.host.answers[HTTP_A6] = answered("192.0.2.2");
        world.inside.answers[HTTP_A6] = answered("203.0.113.9");
}
static void v4_only_sources_no_v6(void) {
        v4_only_sources();
        for (size_t i = 0; i < EGRESS_SAMPLES; i++)
                world.inside.samples[FAMILY_V6][i] = no_way;
}
static void v4_only_sources_no_v6_on_host(void) {
        v4_only_sources();
        for (size_t i = 0; i < EGRESS_SAMPLES; i++)
                world.host.samples[FAMILY_V6][i] = no_way;
}
static void tunnel_down(void) {
        family_off(&world.inside, FAMILY_V4, no_way);
        family_off(&world.inside, FAMILY_V6, no_way);
        again(PROBE_NO_ROUTE, PROBE_ANSWERED);
}

/* As tunnel_down, but the tunnel is up and the routes lead past it into a kill rule. */
static void past_tunnel(void) {
        family_off(&world.inside, FAMILY_V4, blocked_way);
        family_off(&world.inside, FAMILY_V6, no_way);
        for (size_t i = 0; i < N_PROBES; i++)
                if (world.probes[i].family == FAMILY_V4)
                        world.inside.answers[i].state = PROBE_BLOCKED;
        again(PROBE_NO_ROUTE, PROBE_ANSWERED);
}
static void past_no_tunnel(void) {
        past_tunnel();
        world.inside.before.links[2].flags = 0;
}

static const struct Row {
        const char *name;
        void (*change)(void);
        Verdict verdict;
        bool leak;
        const char *code;
} rows[] = {
#define ROW(change, verdict, leak, code)                                                                     \
        { #change, change, VERDICT_##verdict, leak, code }
        ROW(honest, PASSED, false, "through-tunnel"),
        ROW(same4, FAILED, true, "same-address"),
        ROW(same_interface, FAILED, true, "same-address"),
        ROW(same6, FAILED, true, "same-address"),
        ROW(same_again, FAILED, true, "same-address"),
        ROW(other_link, FAILED, true, "other-link"),
        ROW(other_link_blocked, FAILED, true, "other-link"),
        ROW(no_tunnel_link, UNPROVEN, false, "no-tunnel-link"),
        ROW(named_otherwise, FAILED, true, "other-link"),
        ROW(named_ethernet, PASSED, false, "through-tunnel"),
        ROW(tap, UNPROVEN, false, "no-tunnel-link"),
        ROW(wireguard, PASSED, false, "through-tunnel"),
        ROW(bridge, UNPROVEN, false, "no-tunnel-link"),
        ROW(sample_open, FAILED, true, "open-way"),
        ROW(sample_blocked, PASSED, false, "through-tunnel"),
        ROW(sample_unclear, UNPROVEN, false, "unclear-way"),
        ROW(sample_open_host_has_none, PASSED, false, "through-tunnel"),
        ROW(still_sent, UNPROVEN, false, "counters-still"),
        ROW(still_received, UNPROVEN, false, "counters-still"),
        ROW(just_moved, PASSED, false, "through-tunnel"),
        ROW(link_vanished, UNPROVEN, false, "counters-still"),
        ROW(disagree, UNPROVEN, false, "sources-disagree"),
        ROW(transports_differ, PASSED, false, "through-tunnel"),
        ROW(host_only, UNPROVEN, false, "inside-silent"),
        ROW(inside_only, UNPROVEN, false, "host-unknown"),
        ROW(source_down, PASSED, false, "through-tunnel"),
        ROW(all_down, UNPROVEN, false, "no-answer"),
        ROW(odd_inside, UNPROVEN, false, "odd-answer"),
        ROW(odd_host, UNPROVEN, false, "odd-answer"),
        ROW(no_v6, PASSED, false, "through-tunnel"),
        ROW(no_v6_unrepeated, UNPROVEN, false, "control-lost"),
        ROW(no_v6_control_lost, UNPROVEN, false, "control-lost"),
        ROW(no_v6_flapping, UNPROVEN, false, "control-lost"),
        ROW(no_v6_anywhere, PASSED, false, "through-tunnel"),
        ROW(no_v6_contradiction, UNPROVEN, false, "inside-silent"),
        ROW(v6_new, PASSED, false, "through-tunnel"),
        ROW(v6_new_beside, FAILED, true, "other-link"),
        ROW(v6_blocked, PASSED, false, "through-tunnel"),
        ROW(v6_open_silent, FAILED, true, "open-way"),
        ROW(v6_dead_end, PASSED, false, "through-tunnel"),
        ROW(v6_silent, UNPROVEN, false, "family-silent"),
        ROW(v4_only_sources, UNPROVEN, false, "family-unprobed"),
        ROW(v4_only_sources_no_v6, PASSED, false, "through-tunnel"),
        ROW(v4_only_sources_no_v6_on_host, PASSED, false, "through-tunnel"),
        ROW(tunnel_down, UNPROVEN, false, "no-way-out"),
        ROW(past_tunnel, UNPROVEN, false, "past-tunnel"),
        ROW(past_no_tunnel, UNPROVEN, false, "no-way-out"),
#undef ROW
};

static void test_judge(void **state) {
        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
                CLEANUP(handle_json) json_t *evidence = NULL;
                EgressFinding finding;

                world_make();
                rows[i].change();
                egress_judge(&world.c, &finding);
                if (finding.verdict != rows[i].verdict || finding.leak != rows[i].leak ||
                    strcmp(finding.code, rows[i].code) != 0)
                        fail_msg("%s: %s %s (%s)", rows[i].name, verdict_name(finding.verdict), finding.code,
                                 finding.reason);
                assert_true(finding.reason[0] != '\0');
                assert_int_equal(finding.failed_if_lasting, strcmp(finding.code, "past-tunnel") == 0);
                assert_true(finding.verdict == VERDICT_PASSED || finding.remedy[0] != '\0');
                evidence = egress_evidence(&world.c, &finding);
                assert_non_null(evidence);
                assert_int_equal(json_array_size(json_object_get(evidence, "probes")), N_PROBES);
        }
}

/* With nothing seen at all nothing is proved. */
static void test_nothing(void **state) {
        EgressFinding finding;

        (void) state;
        world_make();
        memset(&world.host, 0, sizeof(world.host));
        memset(&world.inside, 0, sizeof(world.inside));
        egress_judge(&world.c, &finding);
        assert_int_equal(finding.verdict, VERDICT_UNPROVEN);
        world.c.n_probes = 0;
        egress_judge(&world.c, &finding);
        assert_int_equal(finding.verdict, VERDICT_UNPROVEN);
}

static void test_needs_again(void **state) {
        bool wanted[PROBES_MAX] = { false };

        (void) state;
        world_make();
        assert_false(egress_needs_again(&world.c, wanted));
        no_v6_unrepeated();
        assert_true(egress_needs_again(&world.c, wanted));
        assert_true(wanted[HTTP_A6]);
        assert_false(wanted[HTTP_A4]);
        world_make();
        no_v6_anywhere();
        assert_false(egress_needs_again(&world.c, wanted));
        world_make();
        host_only();
        assert_false(egress_needs_again(&world.c, wanted));
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_judge),
                cmocka_unit_test(test_nothing),
                cmocka_unit_test(test_needs_again),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
