/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/sniffer.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/filter.h>
#include <linux/if_arp.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <netinet/icmp6.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "proofs/handles.h"

enum {
        IP6_HEADER = 40,
        UDP_HEADER = 8,
        DNS_NAME = 12 + 1,       /* the label's first character, behind header and length */
        MAGIC = 0x756e6974,      /* "unit" */
        LOWER_CASE = 0x20202020, /* resolvers may ask in mixed case */
        PACKET_MAX = 256,
        BUFFER_BYTES = 1 << 20,
};

#define AUXILIARY(what) ((uint32_t) (SKF_AD_OFF + (what)))
#define LOAD(size, where) BPF_STMT(BPF_LD | (size) | BPF_ABS, (where))
#define LOAD_INDEXED(size, where) BPF_STMT(BPF_LD | (size) | BPF_IND, (where))
#define HEADER_LENGTH BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, 0)
#define WHEN(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (yes), (no))
#define WITH(operation, value) BPF_STMT(BPF_ALU | (operation) | BPF_K, (value))
#define TAKE BPF_STMT(BPF_RET | BPF_K, PACKET_MAX)
#define LEAVE BPF_STMT(BPF_RET | BPF_K, 0)

/* Jumps count the instructions to skip. */
static struct sock_filter program[] = {
        /*  0 */ LOAD(BPF_B, AUXILIARY(SKF_AD_PKTTYPE)),
        /*  1 */ WHEN(PACKET_OUTGOING, 0, 27),
        /*  2 */ LOAD(BPF_H, AUXILIARY(SKF_AD_PROTOCOL)),
        /*  3 */ WHEN(ETH_P_ARP, 24, 0),
        /*  4 */ WHEN(ETH_P_IPV6, 11, 0),
        /*  5 */ WHEN(ETH_P_IP, 0, 23),
        /*  6 */ LOAD(BPF_B, 9),
        /*  7 */ HEADER_LENGTH,
        /*  8 */ WHEN(IPPROTO_UDP, 0, 3),
        /*  9 */ LOAD_INDEXED(BPF_W, UDP_HEADER + DNS_NAME),
        /* 10 */ WITH(BPF_OR, LOWER_CASE),
        /* 11 */ WHEN(MAGIC, 16, 17),
        /* 12 */ WHEN(IPPROTO_TCP, 0, 16),
        /* 13 */ LOAD_INDEXED(BPF_B, 13),
        /* 14 */ WITH(BPF_AND, 0x12), /* SYN and ACK */
        /* 15 */ WHEN(0x02, 12, 13),
        /* 16 */ LOAD(BPF_B, 6),
        /* 17 */ WHEN(IPPROTO_UDP, 0, 3),
        /* 18 */ LOAD(BPF_W, IP6_HEADER + UDP_HEADER + DNS_NAME),
        /* 19 */ WITH(BPF_OR, LOWER_CASE),
        /* 20 */ WHEN(MAGIC, 7, 8),
        /* 21 */ WHEN(IPPROTO_TCP, 0, 3),
        /* 22 */ LOAD(BPF_B, IP6_HEADER + 13),
        /* 23 */ WITH(BPF_AND, 0x12),
        /* 24 */ WHEN(0x02, 3, 4),
        /* 25 */ WHEN(IPPROTO_ICMPV6, 0, 3),
        /* 26 */ LOAD(BPF_B, IP6_HEADER),
        /* 27 */ WHEN(ND_NEIGHBOR_SOLICIT, 0, 1),
        /* 28 */ TAKE,
        /* 29 */ LEAVE,
};

void sniffer_label(uint64_t nonce, uint8_t index, char ret[SNIFFER_LABEL_LENGTH + 1]) {
        (void) snprintf(ret, SNIFFER_LABEL_LENGTH + 1, "unitproof-%016" PRIx64 "%02x", nonce, index);
}

int sniffer_open(int *ret_fd) {
        const struct sock_fprog filter = { .len = ARRAY_LENGTH(program), .filter = program };
        const int size = BUFFER_BYTES;
        struct sockaddr_ll everything = {
                .sll_family = AF_PACKET,
                .sll_protocol = htons(ETH_P_ALL),
        };
        CLEANUP(handle_close) int fd = -1;

        /* Without a protocol it hears nothing until the filter is there. */
        fd = socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0 || setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter)) < 0)
                return -errno;
        (void) setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size));
        if (bind(fd, (struct sockaddr *) &everything, sizeof(everything)) < 0)
                return -errno;
        *ret_fd = handle_take_fd(&fd);
        return 0;
}

static uint16_t read16(const uint8_t *p) {
        return (uint16_t) (p[0] << 8 | p[1]);
}

/* The filter let it through, so it is one of the three. */
static bool packet_parse(const uint8_t *p, size_t n, uint16_t protocol, Sniffed *ret) {
        size_t header = protocol == ETH_P_IPV6 ? IP6_HEADER : n > 0 ? (size_t) (p[0] & 15) * 4 : 0;
        char text[SNIFFER_LABEL_LENGTH + 1];
        uint64_t nonce;
        unsigned index;
        uint8_t next;

        if (protocol == ETH_P_ARP || (protocol == ETH_P_IPV6 && n > 6 && p[6] == IPPROTO_ICMPV6)) {
                ret->what = SNIFFED_NEIGHBOUR;
                return true;
        }
        if (n < header + UDP_HEADER)
                return false;
        next = p[protocol == ETH_P_IPV6 ? 6 : 9];
        if (next == IPPROTO_TCP) {
                ret->what = SNIFFED_SYN;
                ret->source_port = read16(p + header);
                ret->port = read16(p + header + 2);
                ret->to = protocol == ETH_P_IPV6 ? address_from_bytes(AF_INET6, p + 24)
                                                 : address_from_bytes(AF_INET, p + 16);
                return true;
        }
        if (n < header + UDP_HEADER + DNS_NAME + SNIFFER_LABEL_LENGTH)
                return false;
        memcpy(text, p + header + UDP_HEADER + DNS_NAME, SNIFFER_LABEL_LENGTH);
        text[SNIFFER_LABEL_LENGTH] = '\0';
        if (strncasecmp(text, "unitproof-", 10) != 0 ||
            sscanf(text + 10, "%16" SCNx64 "%2x", &nonce, &index) != 2)
                return false;
        ret->what = SNIFFED_NONCE;
        ret->nonce = nonce;
        ret->index = (uint8_t) index;
        return true;
}

int sniffer_next(int fd, Sniffed *ret) {
        uint8_t packet[PACKET_MAX];
        struct sockaddr_ll from;
        socklen_t size;
        ssize_t n;

        do {
                size = sizeof(from);
                n = recvfrom(fd, packet, sizeof(packet), 0, (struct sockaddr *) &from, &size);
                if (n < 0)
                        return errno == EAGAIN ? 0 : -errno;
                *ret = (Sniffed){ .link = from.sll_ifindex };
        } while (!packet_parse(packet, (size_t) n, ntohs(from.sll_protocol), ret));
        return 1;
}
