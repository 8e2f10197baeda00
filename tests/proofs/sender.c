/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sends one packet in the way that is asked for, as a client behind a tunnel could.
 *
 *     sender WAY ADDRESS PORT [OPTION=VALUE...]
 *
 * WAY: udp, tcp, icmp (needs CAP_NET_RAW), ip (a whole IP packet through a raw socket), frame (a whole
 * Ethernet frame), xdp (the same through AF_XDP). OPTION: device (bind to it; the link of a frame), mark,
 * priority, source, bypass=1 (frame: past the queueing discipline), mac (of a frame), payload (hexadecimal
 * digits). Exit status 0: the kernel took it, 1: refused. */

#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <linux/if_xdp.h>
#include <net/if.h>
#include <netinet/icmp6.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/ip_icmp.h>
#include <netinet/udp.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

typedef struct Order {
        struct sockaddr_storage to, source;
        socklen_t size;
        uint16_t port;
        const char *device;
        uint32_t mark, priority;
        bool bypass;
        uint8_t mac[6];
        uint8_t payload[256];
        size_t length;
} Order;

static socklen_t address_parse(const char *text, uint16_t port, struct sockaddr_storage *ret) {
        struct sockaddr_in *in = (void *) ret;
        struct sockaddr_in6 *in6 = (void *) ret;

        memset(ret, 0, sizeof(*ret));
        if (inet_pton(AF_INET, text, &in->sin_addr) == 1) {
                in->sin_family = AF_INET;
                in->sin_port = htons(port);
                return sizeof(*in);
        }
        if (inet_pton(AF_INET6, text, &in6->sin6_addr) != 1)
                errx(2, "%s is no address", text);
        in6->sin6_family = AF_INET6;
        in6->sin6_port = htons(port);
        return sizeof(*in6);
}

static void option_parse(const char *text, Order *order) {
        const char *value = strchr(text, '=');

        if (!value++)
                errx(2, "%s: no option", text);
        if (strncmp(text, "device=", 7) == 0)
                order->device = value;
        else if (strncmp(text, "mark=", 5) == 0)
                order->mark = (uint32_t) strtoul(value, NULL, 0);
        else if (strncmp(text, "priority=", 9) == 0)
                order->priority = (uint32_t) strtoul(value, NULL, 0);
        else if (strncmp(text, "source=", 7) == 0)
                (void) address_parse(value, 0, &order->source);
        else if (strncmp(text, "bypass=", 7) == 0)
                order->bypass = true;
        else if (strncmp(text, "mac=", 4) == 0)
                (void) sscanf(value, "%2hhx:%2hhx:%2hhx:%2hhx:%2hhx:%2hhx", &order->mac[0], &order->mac[1],
                              &order->mac[2], &order->mac[3], &order->mac[4], &order->mac[5]);
        else if (strncmp(text, "payload=", 8) == 0)
                for (order->length = 0; sscanf(value, "%2hhx", &order->payload[order->length]) == 1;
                     value += 2)
                        order->length++;
        else
                errx(2, "%s: no option", text);
}

static int refused(const char *what) {
        warn("%s", what);
        return 1;
}

static int socket_open(const Order *order, int family, int type, int protocol) {
        int fd = socket(family, type | SOCK_CLOEXEC, protocol);

        if (fd < 0)
                err(2, "socket");
        if (order->device && family != AF_PACKET &&
            setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, order->device, (socklen_t) strlen(order->device)) < 0)
                err(2, "SO_BINDTODEVICE");
        if (order->mark && setsockopt(fd, SOL_SOCKET, SO_MARK, &order->mark, sizeof(order->mark)) < 0)
                err(2, "SO_MARK");
        if (order->priority &&
            setsockopt(fd, SOL_SOCKET, SO_PRIORITY, &order->priority, sizeof(order->priority)) < 0)
                err(2, "SO_PRIORITY");
        if (order->source.ss_family && family != AF_PACKET &&
            bind(fd, (const void *) &order->source, order->size) < 0)
                err(2, "bind");
        return fd;
}

static int send_udp(const Order *order) {
        int fd = socket_open(order, order->to.ss_family, SOCK_DGRAM, 0);

        return sendto(fd, order->payload, order->length, 0, (const void *) &order->to, order->size) < 0
                       ? refused("sendto")
                       : 0;
}

/* A moment is waited for: what stands behind decides whether anything answers. */
static int send_tcp(const Order *order) {
        int fd = socket_open(order, order->to.ss_family, SOCK_STREAM | SOCK_NONBLOCK, 0), error = 0;
        struct pollfd poller = { .fd = fd, .events = POLLOUT };
        socklen_t size = sizeof(error);

        if (connect(fd, (const void *) &order->to, order->size) < 0 && errno != EINPROGRESS)
                return refused("connect");
        if (poll(&poller, 1, 300) <= 0)
                return 1;
        return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0 || error != 0;
}

static uint16_t checksum(const void *data, size_t size) {
        const uint8_t *bytes = data;
        uint32_t sum = 0;

        for (size_t i = 0; i < size; i++)
                sum += (uint32_t) bytes[i] << (i % 2 ? 0 : 8);
        while (sum >> 16)
                sum = (sum & 0xffff) + (sum >> 16);
        return htons((uint16_t) ~sum);
}

static int send_icmp(const Order *order) {
        bool six = order->to.ss_family == AF_INET6;
        struct icmphdr echo = { .type = six ? ICMP6_ECHO_REQUEST : ICMP_ECHO };
        struct sockaddr_storage to = order->to;
        int fd = socket_open(order, to.ss_family, SOCK_RAW, six ? IPPROTO_ICMPV6 : IPPROTO_ICMP);

        if (six)
                ((struct sockaddr_in6 *) (void *) &to)->sin6_port = 0;
        echo.checksum = checksum(&echo, sizeof(echo));
        return sendto(fd, &echo, sizeof(echo), 0, (const void *) &to, order->size) < 0 ? refused("sendto")
                                                                                       : 0;
}

/* IP and UDP headers and the payload. */
static size_t packet_build(const Order *order, uint8_t *packet) {
        struct udphdr udp = { .dest = htons(order->port), .source = htons(4242) };
        size_t head;

        udp.len = htons((uint16_t) (sizeof(udp) + order->length));
        if (order->to.ss_family == AF_INET) {
                struct iphdr ip = { .version = 4, .ihl = 5, .ttl = 64, .protocol = IPPROTO_UDP };

                head = sizeof(ip);
                ip.tot_len = htons((uint16_t) (head + sizeof(udp) + order->length));
                ip.daddr = ((const struct sockaddr_in *) (const void *) &order->to)->sin_addr.s_addr;
                ip.saddr = ((const struct sockaddr_in *) (const void *) &order->source)->sin_addr.s_addr;
                ip.check = checksum(&ip, sizeof(ip));
                memcpy(packet, &ip, head);
        } else {
                struct ip6_hdr ip = { .ip6_hops = 64, .ip6_nxt = IPPROTO_UDP };

                head = sizeof(ip);
                ip.ip6_vfc = 0x60;
                ip.ip6_plen = udp.len;
                ip.ip6_dst = ((const struct sockaddr_in6 *) (const void *) &order->to)->sin6_addr;
                ip.ip6_src = ((const struct sockaddr_in6 *) (const void *) &order->source)->sin6_addr;
                memcpy(packet, &ip, head);
        }
        memcpy(packet + head, &udp, sizeof(udp));
        memcpy(packet + head + sizeof(udp), order->payload, order->length);
        return head + sizeof(udp) + order->length;
}

static int send_ip(const Order *order) {
        Order unbound = *order;
        uint8_t packet[512];
        struct sockaddr_storage to = order->to;
        size_t size = packet_build(order, packet);
        int fd;

        unbound.source.ss_family = 0; /* stands in the packet */
        fd = socket_open(&unbound, to.ss_family, SOCK_RAW, IPPROTO_RAW);
        if (to.ss_family == AF_INET6)
                ((struct sockaddr_in6 *) (void *) &to)->sin6_port = 0;
        return sendto(fd, packet, size, 0, (const void *) &to, order->size) < 0 ? refused("sendto") : 0;
}

static size_t frame_build(const Order *order, uint8_t *frame) {
        struct ethhdr head = { .h_source = { 2 } };

        memcpy(head.h_dest, order->mac, sizeof(order->mac));
        head.h_proto = htons(order->to.ss_family == AF_INET ? ETH_P_IP : ETH_P_IPV6);
        memcpy(frame, &head, sizeof(head));
        return sizeof(head) + packet_build(order, frame + sizeof(head));
}

static int send_frame(const Order *order) {
        struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_IP) };
        int fd = socket_open(order, AF_PACKET, SOCK_RAW, 0), one = 1;
        uint8_t frame[512];

        to.sll_ifindex = (int) if_nametoindex(order->device ?: "eth0");
        if (order->bypass && setsockopt(fd, SOL_PACKET, PACKET_QDISC_BYPASS, &one, sizeof(one)) < 0)
                err(2, "PACKET_QDISC_BYPASS");
        return sendto(fd, frame, frame_build(order, frame), 0, (const void *) &to, sizeof(to)) < 0
                       ? refused("sendto")
                       : 0;
}

static int send_xdp(const Order *order) {
        enum { FRAMES = 4, FRAME = 4096 };
        struct sockaddr_xdp to = { .sxdp_family = AF_XDP, .sxdp_flags = XDP_COPY };
        struct xdp_umem_reg memory = { .len = FRAMES * FRAME, .chunk_size = FRAME };
        struct xdp_mmap_offsets offsets;
        int fd = socket(AF_XDP, SOCK_RAW | SOCK_CLOEXEC, 0), entries = FRAMES;
        socklen_t size = sizeof(offsets);
        struct xdp_desc *descriptors;
        uint8_t *area, *ring;

        if (fd < 0)
                return refused("socket");
        area = mmap(NULL, FRAMES * FRAME, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        memory.addr = (uintptr_t) area;
        to.sxdp_ifindex = if_nametoindex(order->device ?: "eth0");
        if (setsockopt(fd, SOL_XDP, XDP_UMEM_REG, &memory, sizeof(memory)) < 0 ||
            setsockopt(fd, SOL_XDP, XDP_UMEM_FILL_RING, &entries, sizeof(entries)) < 0 ||
            setsockopt(fd, SOL_XDP, XDP_UMEM_COMPLETION_RING, &entries, sizeof(entries)) < 0 ||
            setsockopt(fd, SOL_XDP, XDP_TX_RING, &entries, sizeof(entries)) < 0 ||
            getsockopt(fd, SOL_XDP, XDP_MMAP_OFFSETS, &offsets, &size) < 0)
                return refused("setsockopt");
        ring = mmap(NULL, offsets.tx.desc + FRAMES * sizeof(*descriptors), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_POPULATE, fd, XDP_PGOFF_TX_RING);
        if (ring == MAP_FAILED)
                return refused("mmap");
        if (bind(fd, (const void *) &to, sizeof(to)) < 0)
                return refused("bind");
        descriptors = (void *) (ring + offsets.tx.desc);
        descriptors[0] = (struct xdp_desc){ .addr = 0, .len = (uint32_t) frame_build(order, area) };
        __atomic_store_n((uint32_t *) (void *) (ring + offsets.tx.producer), 1, __ATOMIC_RELEASE);
        return sendto(fd, NULL, 0, MSG_DONTWAIT, NULL, 0) < 0 ? refused("sendto") : 0;
}

int main(int argc, char **argv) {
        static const struct {
                const char *name;
                int (*send)(const Order *order);
        } ways[] = {
                { "udp", send_udp }, { "tcp", send_tcp },     { "icmp", send_icmp },
                { "ip", send_ip },   { "frame", send_frame }, { "xdp", send_xdp },
        };
        Order order = { .mac = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff }, .payload = "hello", .length = 5 };

        if (argc < 4)
                errx(2, "usage: sender WAY ADDRESS PORT [OPTION=VALUE...]");
        order.port = (uint16_t) atoi(argv[3]);
        order.size = address_parse(argv[2], order.port, &order.to);
        for (int i = 4; i < argc; i++)
                option_parse(argv[i], &order);
        for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
                if (strcmp(argv[1], ways[i].name) == 0)
                        return ways[i].send(&order);
        errx(2, "no way: %s", argv[1]);
}
