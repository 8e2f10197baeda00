/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The pure parts of the kill-switch proof: its packets are found again, whatever else passes by; what was
 * seen means what it should; what is kept in a file comes back, or nothing does. */

#include <errno.h>
#include <fcntl.h>
#include <linux/if_ether.h>
#include <linux/rtnetlink.h>
#include <netinet/ip.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "case.h"
#include "proofs/handles.h"
#include "proofs/killswitch.h"
#include "proofs/killswitch-earlier.h"

enum { LO = 1, ETH0 = 2, TUN0 = 3 };

static const KsNonce nonce = { .run = { 0xde, 0xad, 0x00, 0xbe, 0xef, 0x11, 0x22, 0x9f } };
static KsRun run;
static KsFinding finding;

static Address parse(const char *text) {
        Address address = { .family = AF_UNSPEC };

        assert_int_equal(address_parse(text, &address), 0);
        return address;
}

static size_t probe_find(const char *name) {
        for (size_t i = 0; i < ks_n_probes; i++)
                if (strcmp(ks_probes[i].name, name) == 0)
                        return i;
        fail_msg("no probe %s", name);
        return 0;
}

static KsShot *shot_add(const char *probe, const char *to) {
        KsShot *shot = &run.shots[run.n_shots];

        *shot = (KsShot){
                .probe = (uint16_t) probe_find(probe),
                .id = (uint16_t) ++run.n_shots,
                .reach = ks_probes[probe_find(probe)].reach,
                .to = parse(to),
                .port = 80,
                .local_port = (uint16_t) (40000 + run.n_shots),
        };
        for (KsPhase phase = 0; phase < _KS_PHASE_MAX; phase++)
                shot->fired[phase] = true;
        return shot;
}

/* A run in which nothing got out. */
static void run_make(void) {
        memset(&run, 0, sizeof(run));
        run.step = KS_STEP_DONE;
        run.scene.tunnel = TUN0;
        run.scene.links = (LinkSet) {
                .n = 3,
                .links = {
                        { .index = LO, .name = "lo", .flags = IFF_UP | IFF_LOOPBACK },
                        { .index = ETH0, .name = "eth0", .kind = "veth", .flags = IFF_UP },
                        { .index = TUN0, .name = "tun0", .kind = "tun", .flags = IFF_UP },
                },
        };
        for (size_t i = 0; i < ks_n_probes; i++)
                (void) shot_add(ks_probes[i].name, i % 2 ? "2001:db8:e::10" : "198.51.100.10");
}

static const KsFinding *judge(bool unprivileged) {
        const KsCase c = { .run = &run, .unit = "vpn.service", .unprivileged = unprivileged };

        ks_judge(&c, &finding);
        return &finding;
}

static void seen(KsShot *shot, KsPhase phase) {
        shot->seen_outside[phase] = 1;
        shot->seen_link[phase] = ETH0;
}

static KsSighting recognize(uint16_t protocol, const uint8_t *packet, size_t length) {
        KsSighting sighting;

        ks_recognize(&nonce, run.shots, run.n_shots, KS_PHASE_DOWN, protocol, packet, length, &sighting);
        return sighting;
}

static void test_names(void **state) {
        (void) state;
        for (size_t i = 0; i < ks_n_probes; i++)
                for (size_t k = 0; k < i; k++)
                        assert_string_not_equal(ks_probes[i].name, ks_probes[k].name);
}

/* Every payload, wherever it stands in the packet. */
static void test_payloads_are_found(void **state) {
        (void) state;
        run_make();
        for (size_t i = 0; i < run.n_shots; i++)
                for (KsPhase phase = 0; phase < _KS_PHASE_MAX; phase++) {
                        uint8_t packet[KS_PACKET_MAX] = { 0x45 };
                        size_t n = ks_payload(&nonce, &run.shots[i], phase, packet + 33);
                        KsMethod method = ks_probes[run.shots[i].probe].method;
                        KsSighting s = recognize(ETH_P_IP, packet, 33 + n);

                        /* A bare TCP connection has nothing to carry: see below. */
                        assert_in_range(n, 20, KS_PAYLOAD_MAX - 1);
                        assert_int_equal(s.shot, i);
                        assert_int_equal(s.phase, phase);
                        if (method != KS_DNS_UDP && method != KS_DNS_TCP)
                                continue;
                        for (size_t k = 33; k < 33 + n; k++) /* as resolvers write names */
                                if (packet[k] >= 'a' && packet[k] <= 'f' && k % 2)
                                        packet[k] -= 0x20;
                        assert_int_equal(recognize(ETH_P_IP, packet, 33 + n).shot, i);
                }
}

static void test_another_run(void **state) {
        const KsNonce other = { .run = { 1, 2, 3, 4, 5, 6, 7, 8 } };
        uint8_t packet[KS_PACKET_MAX] = { 0x45 };
        size_t n;

        (void) state;
        run_make();
        for (size_t i = 0; i < run.n_shots; i++) {
                n = ks_payload(&other, &run.shots[i], KS_PHASE_DOWN, packet + 20);
                assert_int_equal(recognize(ETH_P_IP, packet, 20 + n).shot, -1);
        }
}

static size_t syn(uint8_t *packet, const KsShot *shot, uint16_t from_port) {
        struct iphdr ip = { .version = 4, .ihl = 5, .protocol = IPPROTO_TCP };
        struct tcphdr tcp = { .source = htons(from_port), .dest = htons(shot->port), .doff = 5, .syn = 1 };

        memcpy(&ip.daddr, shot->to.bytes, 4);
        memcpy(packet, &ip, sizeof(ip));
        memcpy(packet + sizeof(ip), &tcp, sizeof(tcp));
        return sizeof(ip) + sizeof(tcp);
}

static void test_syn(void **state) {
        uint8_t packet[KS_PACKET_MAX] = { 0 };
        size_t n;

        (void) state;
        run_make();
        n = syn(packet, &run.shots[0], 40001);
        assert_int_equal(recognize(ETH_P_IP, packet, n).shot, 0);
        n = syn(packet, &run.shots[0], 40002); /* somebody else's */
        assert_int_equal(recognize(ETH_P_IP, packet, n).shot, -1);
        assert_int_equal(recognize(ETH_P_IP, packet, n).flow.port, 80);
        run.shots[0].fired[KS_PHASE_DOWN] = false;
        n = syn(packet, &run.shots[0], 40001);
        assert_int_equal(recognize(ETH_P_IP, packet, n).shot, -1);
}

static void test_asking(void **state) {
        uint8_t arp[28] = { 0, 1, 8, 0, 6, 4, 0, 1 }, solicit[64] = { 0x60, 0, 0, 0, 0, 24, 58, 255 };
        const Address v4 = parse("198.51.100.10"), v6 = parse("2001:db8:e::10"), gateway = parse("10.77.0.1");
        KsSighting s;

        (void) state;
        run_make();
        memcpy(arp + 24, v4.bytes, 4);
        s = recognize(ETH_P_ARP, arp, sizeof(arp));
        assert_true(s.asking);
        assert_int_equal(ks_probes[run.shots[s.shot].probe].by, KS_BY_DEVICE);
        memcpy(arp + 24, gateway.bytes, 4);
        assert_int_equal(recognize(ETH_P_ARP, arp, sizeof(arp)).shot, -1);
        solicit[40] = 135;
        memcpy(solicit + 48, v6.bytes, 16);
        s = recognize(ETH_P_IPV6, solicit, sizeof(solicit));
        assert_true(s.asking && s.shot >= 0);
}

/* Any bytes, cut off anywhere. */
static void test_any_bytes(void **state) {
        static const uint16_t protocols[] = { ETH_P_IP, ETH_P_IPV6, ETH_P_ARP, 0x1234 };
        uint32_t seed = 1;

        (void) state;
        run_make();
        for (unsigned round = 0; round < 20000; round++) {
                size_t n = round % 120;
                uint8_t *packet = malloc(n + 1); /* its own, so that a read beyond is noticed */

                assert_non_null(packet);
                for (size_t i = 0; i < n; i++)
                        packet[i] = (uint8_t) ((seed = seed * 1103515245 + 12345) >> 16);
                if (n > 0 && round % 3)
                        packet[0] = round % 2 ? 0x45 : 0x60;
                assert_int_equal(recognize(protocols[round % ARRAY_LENGTH(protocols)], packet, n).shot, -1);
                free(packet);
        }
}

static void test_dns_answers(void **state) {
        KsShot shot = { .id = 0x1234 };
        uint8_t answer[12] = { 0x12, 0x34, 0x81, 0x83 };

        (void) state;
        assert_true(ks_dns_is_answer(answer, sizeof(answer), &nonce, &shot));
        answer[3] = 0x80;
        assert_true(ks_dns_is_answer(answer, sizeof(answer), &nonce, &shot));
        answer[3] = 0x85; /* refused */
        assert_false(ks_dns_is_answer(answer, sizeof(answer), &nonce, &shot));
        answer[3] = 0x83;
        answer[2] = 0x01; /* a question */
        assert_false(ks_dns_is_answer(answer, sizeof(answer), &nonce, &shot));
        answer[2] = 0x81;
        answer[1] = 0;
        assert_false(ks_dns_is_answer(answer, sizeof(answer), &nonce, &shot));
        assert_false(ks_dns_is_answer(answer, 11, &nonce, &shot));
}

static void test_passed(void **state) {
        (void) state;
        run_make();
        assert_int_equal(judge(false)->verdict, VERDICT_PASSED);
        assert_string_equal(finding.code, "closed");
        for (KsStep step = 0; step < KS_STEP_DONE; step++) {
                run.step = step;
                assert_int_equal(judge(false)->verdict, VERDICT_UNPROVEN);
        }
}

/* Each probe alone, in each phase. */
static void test_leaks(void **state) {
        (void) state;
        for (size_t i = 0; i < ks_n_probes; i++)
                for (KsPhase phase = 0; phase < _KS_PHASE_MAX; phase++) {
                        const bool world = ks_probes[i].reach == KS_REACH_WORLD;

                        run_make();
                        seen(&run.shots[i], phase);
                        assert_int_equal(judge(false)->leak, world);
                        assert_int_equal(finding.verdict, world ? VERDICT_FAILED : VERDICT_PASSED);
                        assert_int_equal(judge(true)->leak, world && !ks_probes[i].needs_raw);
                        /* Whatever else went wrong: it got out. */
                        run.trouble = KS_CONTROL_LOST;
                        run.step = KS_STEP_CONTROL_BETWEEN;
                        assert_int_equal(judge(false)->leak, world);
                        if (!world)
                                assert_int_equal(finding.verdict, VERDICT_UNPROVEN);
                        run_make();
                        run.shots[i].seen_asking[phase] = 1;
                        assert_int_equal(judge(false)->leak, world);
                }
}

/* What no client can send is stopped by our own rule too, or that is not what it is taken for. */
static void test_kill_rule(void **state) {
        KsCase c = { .run = &run, .unit = "vpn.service", .unprivileged = true, .guarded = true };

        (void) state;
        run_make();
        ks_judge(&c, &finding);
        assert_int_equal(finding.verdict, VERDICT_PASSED);
        seen(&run.shots[probe_find("frame")], KS_PHASE_DOWN);
        ks_judge(&c, &finding);
        assert_int_equal(finding.verdict, VERDICT_FAILED);
        assert_false(finding.leak);
        assert_string_equal(finding.code, "kill-rule");
        assert_non_null(
                strstr(finding.reason, "(frame) leaves by eth0 when the tunnel's interface is down, past"));
        /* A client that can send it makes it a leak, and so does anything else that got out. */
        c.unprivileged = false;
        ks_judge(&c, &finding);
        assert_true(finding.leak);
        c.unprivileged = true;
        seen(&run.shots[probe_find("udp")], KS_PHASE_DEAD);
        ks_judge(&c, &finding);
        assert_true(finding.leak);
        assert_non_null(strstr(finding.reason, "(udp)"));
}

/* Root and nobody always; a client's own user for one destination of each kind, and once. */
static void test_client_users(void **state) {
        Source source = { .transport = TRANSPORT_TCP, .port = 80 };
        const Probe probes[] = { { &source, FAMILY_V4 } };
        KsOrder order = { .probes = probes, .n_probes = 1, .users = { 4242 }, .n_users = 1 };
        const KsFlow carrier = { .family = AF_UNSPEC };
        KsScene scene = { .tunnel = TUN0 };
        size_t n[3] = { 0 }, samples = 0;

        (void) state;
        source.addresses[FAMILY_V4] = parse("198.51.100.10");
        memset(&run, 0, sizeof(run));
        assert_int_equal(ks_plan(&order, &scene, &carrier, &run), 0);
        for (size_t i = 0; i < run.n_shots; i++) {
                const KsShot *shot = &run.shots[i];

                if (strcmp(ks_probes[shot->probe].name, "udp") != 0)
                        continue;
                if (!shot->hop_limited)
                        n[shot->user == 0 ? 0 : shot->user == KS_USER_NOBODY ? 1 : 2]++;
                else
                        samples += shot->user == 4242;
        }
        assert_int_equal(n[0], 1);
        assert_int_equal(n[1], 1);
        assert_int_equal(n[2], 1);
        assert_int_equal(samples, 0);
        seen(&run.shots[0], KS_PHASE_DEAD);
        run.shots[0].fired[KS_PHASE_DEAD] = true;
        run.shots[0].user = 4242;
        assert_true(judge(true)->leak);
        assert_non_null(strstr(finding.reason, ", user 4242) leaves by"));
}

static void test_resolver_near(void **state) {
        KsShot *shot;

        (void) state;
        run_make();
        shot = &run.shots[probe_find("gateway-dns-udp")];
        shot->answered[KS_PHASE_DOWN] = true;
        assert_int_equal(judge(false)->verdict, VERDICT_PASSED); /* somebody in the namespace */
        seen(shot, KS_PHASE_DOWN);
        assert_true(judge(false)->leak);
        shot->answered[KS_PHASE_DOWN] = false;
        assert_int_equal(judge(false)->verdict, VERDICT_PASSED);
        assert_non_null(strstr(finding.reason, "own network can be reached"));
}

static void test_answers(void **state) {
        KsShot *shot;

        (void) state;
        run_make();
        shot = &run.shots[probe_find("udp")];
        shot->answered[KS_PHASE_UP] = true;
        assert_int_equal(judge(false)->verdict, VERDICT_PASSED);
        shot->answered[KS_PHASE_DOWN] = true;
        assert_string_equal(judge(false)->code, "answered-unseen");
        shot->answered[KS_PHASE_DOWN] = false;
        shot->answered[KS_PHASE_DEAD] = true;
        assert_string_equal(judge(false)->code, "not-severed");
        assert_int_equal(finding.verdict, VERDICT_UNPROVEN);
        shot->to = parse("127.0.0.1");
        assert_int_equal(judge(false)->verdict, VERDICT_PASSED);
}

static void test_troubles(void **state) {
        (void) state;
        for (KsTrouble t = KS_FINE + 1; t < _KS_TROUBLE_MAX; t++) {
                run_make();
                run.trouble = t;
                assert_int_equal(judge(false)->verdict, VERDICT_UNPROVEN);
                assert_non_null(finding.code);
                assert_true(finding.reason[0] && finding.remedy[0]);
        }
}

static void test_evidence(void **state) {
        const KsCase c = { .run = &run, .unit = "vpn.service" };
        json_t *evidence;

        (void) state;
        run_make();
        seen(&run.shots[probe_find("flow-tcp")], KS_PHASE_DEAD);
        ks_judge(&c, &finding);
        evidence = ks_evidence(&c, &finding);
        assert_non_null(evidence);
        assert_int_equal(json_array_size(json_object_get(evidence, "leaks")), 1);
        assert_int_equal(json_object_size(json_object_get(evidence, "probes")), ks_n_probes);
        json_decref(evidence);
}

/* ---- what is kept ---- */

static int directory_make(char path[32]) {
        int fd;

        strcpy(path, "/tmp/test-killswitch-XXXXXX");
        assert_non_null(mkdtemp(path));
        fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        assert_true(fd >= 0);
        return fd;
}

static void directory_remove(const char *path, int fd, const char *name) {
        (void) unlinkat(fd, name, 0);
        (void) close(fd);
        assert_int_equal(rmdir(path), 0);
}

static void test_kept(void **state) {
        struct {
                struct nlmsghdr header;
                struct rtmsg route;
        } message = {
                .header = { .nlmsg_len = sizeof(message), .nlmsg_type = RTM_NEWROUTE },
                .route = { .rtm_family = AF_INET },
        };
        Kept kept = {
                .head = { .magic = "unitkep", .name = "tun0", .index = 3, .n = 1, .length = sizeof(message) },
                .messages = (uint8_t *) &message,
        };
        Kept back = { .messages = NULL };
        char path[32];
        int dir = directory_make(path), fd;
        struct stat st;
        uint8_t byte;

        (void) state;
        memcpy(kept.head.magic, "unitkep1", 8);
        assert_int_equal(kept_load(dir, "kept", &back), -ENOENT);
        assert_int_equal(kept_save(dir, "kept", &kept), 0);
        assert_int_equal(fstatat(dir, "kept", &st, 0), 0);
        assert_int_equal(st.st_mode & 07777, 0600);
        assert_int_equal(kept_load(dir, "kept", &back), 0);
        assert_memory_equal(&back.head, &kept.head, sizeof(KeptHead));
        assert_memory_equal(back.messages, &message, sizeof(message));
        kept_done(&back);
        /* Cut off at any byte, or with any byte of the lengths changed, it is none. */
        for (off_t n = st.st_size - 1; n >= 0; n--) {
                assert_int_equal(kept_save(dir, "kept", &kept), 0);
                fd = openat(dir, "kept", O_RDWR | O_CLOEXEC);
                assert_int_equal(ftruncate(fd, n), 0);
                (void) close(fd);
                assert_int_equal(kept_load(dir, "kept", &back), -EBADMSG);
        }
        for (off_t at = (off_t) sizeof(KeptHead); at < (off_t) sizeof(KeptHead) + 6; at++) {
                assert_int_equal(kept_save(dir, "kept", &kept), 0);
                fd = openat(dir, "kept", O_RDWR | O_CLOEXEC);
                assert_int_equal(pread(fd, &byte, 1, at), 1);
                byte ^= 0x41;
                assert_int_equal(pwrite(fd, &byte, 1, at), 1);
                (void) close(fd);
                assert_int_equal(kept_load(dir, "kept", &back), -EBADMSG);
        }
        assert_int_equal(kept_save(dir, "kept", &kept), 0);
        assert_int_equal(fchmodat(dir, "kept", 0644, 0), 0);
        assert_int_equal(kept_load(dir, "kept", &back), -EBADMSG);
        directory_remove(path, dir, "kept");
}

static void test_earlier(void **state) {
        KsEarlier e = {
                .run = "0123456789abcdef0123456789abcdef",
                .boot_id = "b",
                .invocation_id = "i",
                .digest = "d",
                .cookie = 7,
                .realtime_usec = 5,
        };
        const KsOwner owner = { "b", "i", 7 };
        const KsOwner others[] = { { "x", "i", 7 }, { "b", "x", 7 }, { "b", "i", 8 } };
        KsEarlier back;
        char path[32];
        int dir = directory_make(path);

        (void) state;
        assert_int_equal(ks_earlier_read(dir, "vpn", &back), -ENOENT);
        assert_int_equal(ks_earlier_write(dir, "vpn", &e), 0);
        assert_int_equal(ks_earlier_read(dir, "vpn", &back), 0);
        assert_string_equal(back.run, e.run);
        assert_null(ks_earlier_differs(&back, &owner, "d"));
        assert_non_null(ks_earlier_differs(&back, &owner, "e"));
        for (size_t i = 0; i < ARRAY_LENGTH(others); i++)
                assert_non_null(ks_earlier_differs(&back, &others[i], "d"));
        ks_earlier_forget(dir, "vpn");
        assert_int_equal(ks_earlier_read(dir, "vpn", &back), -ENOENT);
        directory_remove(path, dir, ".passed-killswitch-vpn");
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_names),        cmocka_unit_test(test_payloads_are_found),
                cmocka_unit_test(test_another_run),  cmocka_unit_test(test_syn),
                cmocka_unit_test(test_asking),       cmocka_unit_test(test_any_bytes),
                cmocka_unit_test(test_dns_answers),  cmocka_unit_test(test_passed),
                cmocka_unit_test(test_leaks),        cmocka_unit_test(test_kill_rule),
                cmocka_unit_test(test_client_users), cmocka_unit_test(test_resolver_near),
                cmocka_unit_test(test_answers),      cmocka_unit_test(test_troubles),
                cmocka_unit_test(test_evidence),     cmocka_unit_test(test_kept),
                cmocka_unit_test(test_earlier),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
