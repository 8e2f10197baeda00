/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What all looks mean together: one honest client, and one change at a time. */

#include <errno.h>
#include <net/if_arp.h>
#include <string.h>

#include "case.h"
#include "proofs/dns.h"
#include "proofs/handles.h"

enum { LO = 1, ETH0 = 2, TUN0 = 3 };
enum { SERVER_UDP, SERVER_TCP, LOCAL_UDP, GATEWAY_UDP, GATEWAY_MDNS, N_TARGETS };
enum { ROOT, USER, N_LOOKS };

static DnsLook looks[N_LOOKS];
static HelperState states[N_LOOKS][HELPERS_MAX];
static SocketHolders holders;
static DnsCase c;
static DnsFinding finding;

static DnsTarget target(DnsRole role, const char *address, uint16_t port, bool tcp) {
        DnsTarget t = { .role = role, .port = port, .tcp = tcp };

        assert_int_equal(address_parse(address, &t.server.address), 0);
        return t;
}

/* Two users whose resolver answers through the tunnel; nobody else answers, and nothing leaves beside it. */
static void case_make(void) {
        memset(looks, 0, sizeof(looks));
        memset(states, 0, sizeof(states));
        for (size_t s = 0; s < N_LOOKS; s++) {
                DnsLook *look = &looks[s];

                look->uid = s == ROOT ? 0 : 4242;
                look->links = (LinkSet){
                        .n = 3,
                        .links = {
                                { .index = LO, .name = "lo", .flags = IFF_UP | IFF_LOOPBACK },
                                { .index = ETH0, .name = "eth0", .kind = "veth", .flags = IFF_UP,
                                  .arp_type = ARPHRD_ETHER },
                                { .index = TUN0, .name = "tun0", .kind = "tun", .flags = IFF_UP,
                                  .arp_type = ARPHRD_NONE },
                        },
                };
                look->targets[SERVER_UDP] = target(DNS_NAMESERVER, "10.64.0.1", 53, false);
                look->targets[SERVER_TCP] = target(DNS_NAMESERVER, "10.64.0.1", 53, true);
                look->targets[LOCAL_UDP] = target(DNS_LOCAL, "127.0.0.11", 53, false);
                look->targets[GATEWAY_UDP] = target(DNS_NEIGHBOUR, "10.77.0.1", 53, false);
                look->targets[GATEWAY_MDNS] = target(DNS_NEIGHBOUR, "10.77.0.1", 5353, false);
                look->n_targets = N_TARGETS;
                for (size_t i = 0; i < N_TARGETS; i++)
                        look->tries[i] = (DnsTry){ .route.link = TUN0, .sent = true };
                look->tries[SERVER_UDP].through = look->tries[SERVER_UDP].answered = true;
                look->tries[SERVER_TCP].through = true;
                look->tries[LOCAL_UDP] =
                        (DnsTry){ .route.link = LO, .sent = true, .kept = true, .error = ECONNREFUSED };
                look->tries[GATEWAY_UDP] = look->tries[GATEWAY_MDNS] =
                        (DnsTry){ .route.link = ETH0, .sent = false, .error = EPERM };
                look->control_before = look->control_after = true;
        }
        holders = (SocketHolders){ .n_inside = 1 };
        c = (DnsCase){ .looks = looks, .n_looks = N_LOOKS, .states = states, .holders = &holders };
}

static void judged(Verdict verdict, const char *code, const char *reason) {
        memset(&finding, 0, sizeof(finding));
        dns_judge(&c, &finding);
        assert_string_equal(finding.code, code);
        assert_int_equal(finding.verdict, verdict);
        assert_int_equal(finding.leak, verdict == VERDICT_FAILED);
        if (!strstr(finding.reason, reason))
                fail_msg("\"%s\" is not in \"%s\"", reason, finding.reason);
}

static void test_passed(void **state) {
        (void) state;
        case_make();
        judged(VERDICT_PASSED, "through-tunnel",
               "names are asked of 10.64.0.1 (through-tunnel) and of nobody else");
        assert_false(dns_needs_holders(&c));
        looks[ROOT].tries[SERVER_UDP].answered = looks[USER].tries[SERVER_UDP].answered = false;
        judged(VERDICT_PASSED, "silent", "10.64.0.1 (silent), which does not answer");
        for (size_t s = 0; s < N_LOOKS; s++)
                looks[s].tries[SERVER_UDP] = looks[s].tries[SERVER_TCP] = (DnsTry){ .error = ENETUNREACH };
        judged(VERDICT_PASSED, "closed", "the way to 10.64.0.1 is closed");
}

/* The way of one question, by what was seen of it. */
static void test_ways(void **state) {
        static const struct {
                DnsTry try;
                DnsWay way;
        } cases[] = {
                { { .sent = true, .through = true, .answered = true }, DNS_THROUGH },
                { { .sent = true, .kept = true, .answered = true }, DNS_KEPT },
                { { .sent = true, .through = true }, DNS_SILENT },
                { { .sent = true, .kept = true, .error = ECONNREFUSED }, DNS_SILENT },
                { { .sent = true, .beside = ETH0 }, DNS_BESIDE },
                { { .sent = true, .beside = ETH0, .through = true, .answered = true }, DNS_BESIDE },
                /* Answered, and no link was seen to carry it. */
                { { .sent = true, .answered = true }, DNS_BESIDE },
                { { .error = EPERM }, DNS_CLOSED },
                { { .error = ENETUNREACH }, DNS_CLOSED },
                { { .error = EMFILE }, DNS_UNCLEAR },
                { { .sent = true, .route.link = TUN0 }, DNS_CLOSED },
                { { .sent = true, .route.link = ETH0 }, DNS_CLOSED },
        };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
                case_make();
                looks[ROOT].tries[SERVER_UDP] = cases[i].try;
                assert_int_equal(dns_way(&c, &looks[ROOT], SERVER_UDP), cases[i].way);
        }
        /* It waited for a next hop by which it would have left. */
        looks[ROOT].neighbour_sought = true;
        assert_int_equal(dns_way(&c, &looks[ROOT], SERVER_UDP), DNS_UNCLEAR);
        looks[ROOT].tries[SERVER_UDP].route.link = TUN0;
        assert_int_equal(dns_way(&c, &looks[ROOT], SERVER_UDP), DNS_CLOSED);
        looks[ROOT].tries[SERVER_UDP].route = (RouteAnswer){ .link = 99 };
        assert_int_equal(dns_way(&c, &looks[ROOT], SERVER_UDP), DNS_UNCLEAR);
        /* Silence counts only with both controls. */
        looks[ROOT].neighbour_sought = false;
        looks[ROOT].control_after = false;
        assert_int_equal(dns_way(&c, &looks[ROOT], SERVER_UDP), DNS_UNCLEAR);
}

static void test_interface_named(void **state) {
        (void) state;
        case_make();
        c.interface = "wg9";
        looks[ROOT].tries[SERVER_UDP] = (DnsTry){ .sent = true, .route.link = TUN0 };
        looks[ROOT].neighbour_sought = true;
        assert_int_equal(dns_way(&c, &looks[ROOT], SERVER_UDP), DNS_UNCLEAR);
}

static void test_resolver_beside(void **state) {
        (void) state;
        case_make();
        looks[USER].tries[SERVER_TCP].beside = ETH0;
        judged(VERDICT_FAILED, "resolver-beside",
               "what user 4242 asks of the resolver 10.64.0.1 leaves by eth0");
        looks[USER].tries[SERVER_TCP].answered = true;
        judged(VERDICT_FAILED, "resolver-beside", ", and is answered");
        case_make();
        looks[ROOT].tries[LOCAL_UDP].beside = ETH0;
        judged(VERDICT_FAILED, "resolver-beside", "the resolver 127.0.0.11 leaves by eth0");
}

static void test_neighbours(void **state) {
        (void) state;
        case_make();
        /* That it is asked is our own doing. */
        looks[ROOT].tries[GATEWAY_MDNS] = (DnsTry){ .route.link = ETH0, .sent = true, .beside = ETH0 };
        judged(VERDICT_PASSED, "through-tunnel", "");
        looks[ROOT].tries[GATEWAY_MDNS].answered = true;
        judged(VERDICT_FAILED, "neighbour-answers", "10.77.0.1 answers on port 5353 (UDP) by eth0");
}

static void test_holders(void **state) {
        (void) state;
        case_make();
        looks[ROOT].tries[LOCAL_UDP] =
                (DnsTry){ .route.link = LO, .sent = true, .kept = true, .answered = true };
        assert_true(dns_needs_holders(&c));
        judged(VERDICT_PASSED, "through-tunnel", "");
        holders.n_outside = 1;
        holders.outside_pid = 77;
        (void) snprintf(holders.outside_name, sizeof(holders.outside_name), "aardvark-dns");
        judged(VERDICT_FAILED, "resolver-outside", "process 77 (aardvark-dns)");
        holders = (SocketHolders){ .n_inside = 0 };
        judged(VERDICT_UNPROVEN, "resolver-unknown", "cannot be told");
        c.holders = NULL;
        judged(VERDICT_UNPROVEN, "resolver-unknown", "cannot be told");
}

static size_t helper_find(HelperKind kind) {
        for (size_t i = 0; i < HELPERS_MAX; i++)
                if (helper_rows[i].kind == kind)
                        return i;
        fail_msg("no such helper");
        return 0;
}

static void test_helpers(void **state) {
        size_t resolver = helper_find(HELPER_RESOLVER), engine = helper_find(HELPER_ENGINE);

        (void) state;
        case_make();
        states[USER][resolver] = HELPER_INSIDE;
        states[USER][engine] = HELPER_OUTSIDE; /* asks for no names */
        judged(VERDICT_PASSED, "through-tunnel", "");
        states[USER][resolver] = HELPER_UNKNOWN;
        judged(VERDICT_UNPROVEN, "helper-unknown", "user 4242 reaches nscd at /run/nscd/socket");
        states[USER][resolver] = HELPER_OUTSIDE;
        judged(VERDICT_FAILED, "helper-reachable", "user 4242 reaches nscd at /run/nscd/socket");
}

static void test_cannot_tell(void **state) {
        (void) state;
        case_make();
        looks[USER].config_error = EACCES;
        judged(VERDICT_UNPROVEN, "no-resolv-conf", "cannot be read");
        case_make();
        looks[USER].control_before = false;
        judged(VERDICT_UNPROVEN, "control-lost", "could not be watched");
        case_make();
        looks[USER].tries[SERVER_UDP] = (DnsTry){ .sent = true, .route.link = ETH0 };
        looks[USER].neighbour_sought = true;
        judged(VERDICT_UNPROVEN, "unclear-way", "10.64.0.1 would leave by eth0");
}

/* A leak that was seen counts, whatever else could not be told. */
static void test_leak_first(void **state) {
        (void) state;
        case_make();
        looks[ROOT].config_error = EACCES;
        looks[ROOT].control_after = false;
        looks[USER].tries[SERVER_UDP].beside = ETH0;
        judged(VERDICT_FAILED, "resolver-beside", "user 4242");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_passed),          cmocka_unit_test(test_ways),
                cmocka_unit_test(test_interface_named), cmocka_unit_test(test_resolver_beside),
                cmocka_unit_test(test_neighbours),      cmocka_unit_test(test_holders),
                cmocka_unit_test(test_helpers),         cmocka_unit_test(test_cannot_tell),
                cmocka_unit_test(test_leak_first),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
