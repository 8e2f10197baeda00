/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What the packets of the kill-switch proof look like, and how they are found again. Every payload holds the
 * run's random bytes, the shot and the phase; a packet without payload (SYN) is known by its ends. */

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <netinet/icmp6.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/ip_icmp.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <stdio.h>
#include <string.h>

#include "proofs/killswitch.h"
#include "proofs/mutate.h"
#include "proofs/stun.h"

enum {
        TOKEN_SIZE = KS_RUN_SIZE + 4, /* as long as a STUN transaction */
        TOKEN_TAIL = 0x75,
        DNS_HEADER = 12,
        HOPS = 64,
};

static void token_write(const KsNonce *nonce, const KsShot *shot, KsPhase phase, uint8_t ret[TOKEN_SIZE]) {
        memcpy(ret, nonce->run, KS_RUN_SIZE);
        ret[KS_RUN_SIZE] = (uint8_t) (shot->id >> 8);
        ret[KS_RUN_SIZE + 1] = (uint8_t) shot->id;
        ret[KS_RUN_SIZE + 2] = (uint8_t) phase;
        ret[KS_RUN_SIZE + 3] = TOKEN_TAIL;
}

static void hex_write(const uint8_t *bytes, size_t n, char *ret) {
        for (size_t i = 0; i < n; i++)
                (void) snprintf(ret + 2 * i, 3, "%02x", bytes[i]);
}

/* RFC 1035 4.1: a question for the address of TOKEN.unitproof.invalid, which nobody has (RFC 6761 6.4). */
static size_t dns_write(const uint8_t token[TOKEN_SIZE], const KsShot *shot, uint8_t *ret) {
        static const char rest[] = "\011unitproof\007invalid\0\0\1\0\1";
        char hex[2 * TOKEN_SIZE + 1];
        const uint8_t header[DNS_HEADER] = { (uint8_t) (shot->id >> 8), (uint8_t) shot->id, 0x01, 0, 0, 1 };

        hex_write(token, TOKEN_SIZE, hex);
        memcpy(ret, header, sizeof(header));
        ret[DNS_HEADER] = 2 * TOKEN_SIZE;
        memcpy(ret + DNS_HEADER + 1, hex, 2 * TOKEN_SIZE);
        memcpy(ret + DNS_HEADER + 1 + 2 * TOKEN_SIZE, rest, sizeof(rest) - 1);
        return DNS_HEADER + 1 + 2 * TOKEN_SIZE + sizeof(rest) - 1;
}

size_t ks_payload(const KsNonce *nonce, const KsShot *shot, KsPhase phase, uint8_t ret[KS_PAYLOAD_MAX]) {
        char hex[2 * TOKEN_SIZE + 1];
        uint8_t token[TOKEN_SIZE];
        size_t n;

        token_write(nonce, shot, phase, token);
        switch (ks_probes[shot->probe].method) {
        case KS_DNS_UDP:
                return dns_write(token, shot, ret);
        case KS_DNS_TCP:
                n = dns_write(token, shot, ret + 2);
                ret[0] = (uint8_t) (n >> 8);
                ret[1] = (uint8_t) n;
                return n + 2;
        case KS_FLOW_TCP: /* never finished, so that a web server waits for more */
                hex_write(token, TOKEN_SIZE, hex);
                return (size_t) snprintf((char *) ret, KS_PAYLOAD_MAX,
                                         "GET / HTTP/1.1\r\nX-Unitproof: %s\r\n", hex);
        case KS_TCP:
        case KS_UDP:
        case KS_PING:
        case KS_ICMP:
        case KS_FRAME:
        case KS_FLOW_UDP:
                break;
        }
        stun_request_build(token, ret);
        return STUN_REQUEST_SIZE;
}

static uint32_t sum_add(uint32_t sum, const void *data, size_t length) {
        const uint8_t *p = data;

        for (size_t i = 0; i + 1 < length; i += 2)
                sum += (uint32_t) (p[i] << 8 | p[i + 1]);
        return length % 2 ? sum + (uint32_t) (p[length - 1] << 8) : sum;
}

static uint16_t sum_finish(uint32_t sum) {
        while (sum >> 16)
                sum = (sum & 0xffff) + (sum >> 16);
        return htons((uint16_t) ~sum);
}

/* The ICMP echo request of a shot, header and payload. With a ping or raw socket for IPv6 the kernel adds the
 * checksum. */
static size_t icmp_write(const KsNonce *nonce, const KsShot *shot, KsPhase phase, uint8_t *ret) {
        const bool v6 = shot->to.family == AF_INET6;
        struct icmphdr header = { .type = v6 ? ICMP6_ECHO_REQUEST : ICMP_ECHO };
        size_t n;

        header.un.echo.id = htons(shot->id);
        n = ks_payload(nonce, shot, phase, ret + sizeof(header));
        memcpy(ret, &header, sizeof(header));
        if (!v6) {
                header.checksum = sum_finish(sum_add(0, ret, sizeof(header) + n));
                memcpy(ret, &header, sizeof(header));
        }
        return sizeof(header) + n;
}

static size_t udp_write(const KsNonce *nonce, const KsShot *shot, KsPhase phase, const Address *from,
                        uint8_t *ret) {
        const size_t address = shot->to.family == AF_INET6 ? 16 : 4;
        size_t n = ks_payload(nonce, shot, phase, ret + sizeof(struct udphdr)) + sizeof(struct udphdr);
        struct udphdr header = {
                .source = htons(40000),
                .dest = htons(shot->port),
                .len = htons((uint16_t) n),
        };
        uint32_t sum = IPPROTO_UDP + (uint32_t) n;

        memcpy(ret, &header, sizeof(header));
        sum = sum_add(sum, from->bytes, address);
        sum = sum_add(sum, shot->to.bytes, address);
        header.check = sum_finish(sum_add(sum, ret, n));
        memcpy(ret, &header, sizeof(header));
        return n;
}

size_t ks_packet(const KsNonce *nonce, const KsShot *shot, KsPhase phase, const Address *from,
                 uint8_t ret[KS_PACKET_MAX]) {
        KsMethod method = ks_probes[shot->probe].method;
        uint8_t body[KS_PACKET_MAX / 2];
        size_t n;

        if (method == KS_PING || method == KS_ICMP)
                return icmp_write(nonce, shot, phase, ret);
        n = udp_write(nonce, shot, phase, from, body);
        if (shot->to.family == AF_INET6) {
                struct ip6_hdr header = {
                        .ip6_flow = htonl(6u << 28),
                        .ip6_plen = htons((uint16_t) n),
                        .ip6_nxt = IPPROTO_UDP,
                        .ip6_hlim = shot->hop_limited ? 1 : HOPS,
                };

                memcpy(&header.ip6_src, from->bytes, 16);
                memcpy(&header.ip6_dst, shot->to.bytes, 16);
                memcpy(ret, &header, sizeof(header));
                memcpy(ret + sizeof(header), body, n);
                return sizeof(header) + n;
        }
        struct iphdr header = {
                .version = 4,
                .ihl = 5,
                .tot_len = htons((uint16_t) (sizeof(header) + n)),
                .ttl = shot->hop_limited ? 1 : HOPS,
                .protocol = IPPROTO_UDP,
        };

        memcpy(&header.saddr, from->bytes, 4);
        memcpy(&header.daddr, shot->to.bytes, 4);
        header.check = sum_finish(sum_add(0, &header, sizeof(header)));
        memcpy(ret, &header, sizeof(header));
        memcpy(ret + sizeof(header), body, n);
        return sizeof(header) + n;
}

bool ks_dns_is_answer(const uint8_t *bytes, size_t length, const KsNonce *nonce, const KsShot *shot) {
        uint8_t code;

        (void) nonce;
        if (length < DNS_HEADER || bytes[0] != (uint8_t) (shot->id >> 8) || bytes[1] != (uint8_t) shot->id ||
            !(bytes[2] & 0x80))
                return false;
        /* "No such name" is the answer to this question; a refusal is none. */
        code = bytes[3] & 0x0f;
        return code == 0 || code == 3;
}

/* ---- finding them again ---- */

static int hex_digit(uint8_t c) {
        if (c >= '0' && c <= '9')
                return c - '0';
        c |= 0x20; /* resolvers mix upper and lower case on purpose */
        return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool hex_read(const uint8_t *text, size_t n, uint8_t *ret) {
        for (size_t i = 0; i < n; i++) {
                int high = hex_digit(text[2 * i]), low = hex_digit(text[2 * i + 1]);

                if (high < 0 || low < 0)
                        return false;
                ret[i] = (uint8_t) (high << 4 | low);
        }
        return true;
}

static bool token_take(const uint8_t *token, const KsNonce *nonce, const KsShot *shots, size_t n,
                       KsSighting *ret) {
        size_t id = (size_t) (token[KS_RUN_SIZE] << 8 | token[KS_RUN_SIZE + 1]);

        if (memcmp(token, nonce->run, KS_RUN_SIZE) != 0 || token[KS_RUN_SIZE + 3] != TOKEN_TAIL || id < 1 ||
            id > n || shots[id - 1].id != id || token[KS_RUN_SIZE + 2] >= _KS_PHASE_MAX)
                return false;
        ret->shot = (int) id - 1;
        ret->phase = (KsPhase) token[KS_RUN_SIZE + 2];
        return true;
}

/* The token anywhere in the packet, as bytes or as hexadecimal digits. */
static bool find_token(const KsNonce *nonce, const KsShot *shots, size_t n, const uint8_t *packet,
                       size_t length, KsSighting *ret) {
        uint8_t token[TOKEN_SIZE];

        if (mutation_is_on("sniff-token"))
                return false;
        for (size_t i = 0; i + TOKEN_SIZE <= length; i++) {
                if (token_take(packet + i, nonce, shots, n, ret))
                        return true;
                if (i + 2 * TOKEN_SIZE <= length && hex_digit(packet[i]) == nonce->run[0] >> 4 &&
                    hex_read(packet + i, TOKEN_SIZE, token) && token_take(token, nonce, shots, n, ret))
                        return true;
        }
        return false;
}

typedef struct Ends {
        int family;
        uint8_t protocol;
        Address from, to;
        uint16_t from_port, to_port;
        const uint8_t *body; /* above the network header */
        size_t length;
} Ends;

static bool ends_read(uint16_t protocol, const uint8_t *packet, size_t length, Ends *ret) {
        Ends ends = { .family = AF_UNSPEC };
        size_t header;

        if (protocol == ETH_P_IP && length >= sizeof(struct iphdr)) {
                const struct iphdr *ip = (const void *) packet;

                header = (size_t) ip->ihl * 4;
                ends.family = AF_INET;
                ends.protocol = ip->protocol;
                ends.from = address_from_bytes(AF_INET, &ip->saddr);
                ends.to = address_from_bytes(AF_INET, &ip->daddr);
        } else if (protocol == ETH_P_IPV6 && length >= sizeof(struct ip6_hdr)) {
                const struct ip6_hdr *ip = (const void *) packet;

                header = sizeof(*ip);
                ends.family = AF_INET6;
                ends.protocol = ip->ip6_nxt;
                ends.from = address_from_bytes(AF_INET6, &ip->ip6_src);
                ends.to = address_from_bytes(AF_INET6, &ip->ip6_dst);
                /* A hop-by-hop header, as those of multicast listeners. */
                if (ends.protocol == IPPROTO_HOPOPTS && length >= header + 8) {
                        ends.protocol = packet[header];
                        header += 8 + 8 * (size_t) packet[header + 1];
                }
        } else
                return false;
        if (header < sizeof(struct iphdr) || header > length)
                return false;
        ends.body = packet + header;
        ends.length = length - header;
        if ((ends.protocol == IPPROTO_TCP || ends.protocol == IPPROTO_UDP) && ends.length >= 4) {
                ends.from_port = (uint16_t) (ends.body[0] << 8 | ends.body[1]);
                ends.to_port = (uint16_t) (ends.body[2] << 8 | ends.body[3]);
        }
        *ret = ends;
        return true;
}

static int find_tcp(const KsShot *shots, size_t n, KsPhase now, const Ends *ends) {
        if (ends->protocol != IPPROTO_TCP || mutation_is_on("sniff-tcp"))
                return -1;
        for (size_t i = 0; i < n; i++)
                if (shots[i].fired[now] && shots[i].local_port != 0 && shots[i].port == ends->to_port &&
                    shots[i].local_port == ends->from_port && address_equal(&shots[i].to, &ends->to))
                        return (int) i;
        return -1;
}

/* A search for the next hop of a packet that is then still to be sent: the way is open, and only nobody has
 * answered yet. */
static int find_asked(const KsShot *shots, size_t n, KsPhase now, const Address *target) {
        int found = -1;

        if (mutation_is_on("sniff-asking"))
                return -1;
        /* Whoever is bound to the link asks for the far end itself; others mostly ask for a gateway. */
        for (size_t i = 0; i < n; i++)
                if (shots[i].fired[now] && shots[i].reach == KS_REACH_WORLD &&
                    ks_probes[shots[i].probe].target != KS_TO_ENDPOINT &&
                    address_equal(&shots[i].to, target) &&
                    (found < 0 || (ks_probes[shots[found].probe].by != KS_BY_DEVICE &&
                                   ks_probes[shots[i].probe].by == KS_BY_DEVICE)))
                        found = (int) i;
        return found;
}

static bool is_link_control(const Ends *ends) {
        if (ends->protocol == IPPROTO_IGMP)
                return true;
        return ends->protocol == IPPROTO_ICMPV6 && ends->length > 0 &&
               ((ends->body[0] >= MLD_LISTENER_QUERY && ends->body[0] <= ND_REDIRECT) ||
                ends->body[0] == 143 /* RFC 3810 */);
}

void ks_recognize(const KsNonce *nonce, const KsShot *shots, size_t n, KsPhase now, uint16_t protocol,
                  const uint8_t *packet, size_t length, KsSighting *ret) {
        enum { ARP_TARGET = 24, ND_TARGET = 8 };
        KsSighting sighting = { .shot = -1, .phase = now };
        Address target;
        Ends ends;

        *ret = sighting;
        if (find_token(nonce, shots, n, packet, length, ret))
                return;
        if (protocol == ETH_P_ARP && length >= ARP_TARGET + 4) {
                target = address_from_bytes(AF_INET, packet + ARP_TARGET);
                ret->shot = find_asked(shots, n, now, &target);
                ret->asking = ret->shot >= 0;
                return;
        }
        if (!ends_read(protocol, packet, length, &ends))
                return;
        if (ends.protocol == IPPROTO_ICMPV6 && ends.length >= ND_TARGET + 16 &&
            ends.body[0] == ND_NEIGHBOR_SOLICIT) {
                target = address_from_bytes(AF_INET6, ends.body + ND_TARGET);
                ret->shot = find_asked(shots, n, now, &target);
                ret->asking = ret->shot >= 0;
        }
        if (ret->shot < 0)
                ret->shot = find_tcp(shots, n, now, &ends);
        if (ret->shot < 0 && !is_link_control(&ends))
                ret->flow = (KsFlow){
                        .family = ends.family,
                        .protocol = ends.protocol,
                        .remote = ends.to,
                        .port = ends.to_port,
                };
}
