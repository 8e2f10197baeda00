/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A tunnel for tests: two TUN interfaces in two network namespaces and a process that carries packets from
 * one to the other. Stands where a VPN stands, with a real link of kind "tun" on both ends.
 *
 *     wire [--tap] [--delay MS] NAMESPACE-FILE INTERFACE NAMESPACE-FILE INTERFACE
 *
 *     wire [--tap] NAMESPACE-FILE INTERFACE NAMESPACE-FILE INTERFACE ADDRESS PORT
 *
 * With an address the packets travel as datagrams from the first namespace to that address of the second,
 * made unreadable, as a VPN's do: the tunnel has a carrier that can be seen and cut.
 *
 * Prints "ready" when both exist, and then stands in the first namespace, as a tunnel's process does. Each
 * packet takes the delay. As a service of Type=notify it is ready then. */

#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
        PACKET_MAX = 65536,
        QUEUE_MAX = 1024, /* what does not fit is lost, as in any queue */
};

/* Packets on their way, in the order in which they arrive. */
static struct Packet {
        uint64_t due_ms;
        int to;
        size_t size;
        char *bytes;
} queue[QUEUE_MAX];
static size_t queue_first, queue_n;

static uint64_t now_ms(void) {
        struct timespec now;

        (void) clock_gettime(CLOCK_MONOTONIC, &now);
        return (uint64_t) now.tv_sec * 1000 + (uint64_t) now.tv_nsec / 1000000;
}

static void namespace_enter(const char *namespace) {
        int fd = open(namespace, O_RDONLY | O_CLOEXEC);

        if (fd < 0 || setns(fd, CLONE_NEWNET) < 0)
                err(1, "%s", namespace);
        (void) close(fd);
}

static int tun_open(const char *namespace, const char *name, short kind) {
        struct ifreq request = { .ifr_flags = (short) (kind | IFF_NO_PI) };
        int fd;

        namespace_enter(namespace);
        fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
        (void) snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
        if (fd < 0 || ioctl(fd, TUNSETIFF, &request) < 0)
                err(1, "%s", name);
        return fd;
}

static void packet_queue(const char *bytes, size_t size, int to, uint64_t due_ms) {
        struct Packet *packet = &queue[(queue_first + queue_n) % QUEUE_MAX];

        if (queue_n == QUEUE_MAX)
                return;
        *packet = (struct Packet){ .due_ms = due_ms, .to = to, .size = size, .bytes = malloc(size) };
        if (!packet->bytes)
                err(1, "malloc");
        memcpy(packet->bytes, bytes, size);
        queue_n++;
}

/* Time until the next is due, -1 if there is none. */
static int packets_deliver(void) {
        while (queue_n > 0) {
                struct Packet *packet = &queue[queue_first];
                uint64_t now = now_ms();

                if (packet->due_ms > now)
                        return (int) (packet->due_ms - now);
                /* A link that is down takes nothing: the packet is lost, as on a wire. */
                if (write(packet->to, packet->bytes, packet->size) < 0)
                        (void) 0;
                free(packet->bytes);
                queue_first = (queue_first + 1) % QUEUE_MAX;
                queue_n--;
        }
        return -1;
}

/* In the namespace that the last interface was made in. The far end answers whoever spoke last. */
static int carrier_open(const char *address, const char *port, int far) {
        struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons((uint16_t) atoi(port)) };
        int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        const int mark = 51820;

        if (inet_pton(AF_INET, address, &to.sin_addr) != 1 || fd < 0)
                errx(1, "%s", address);
        (void) setsockopt(fd, SOL_SOCKET, SO_MARK, &mark, sizeof(mark));
        if (far && bind(fd, (struct sockaddr *) &to, sizeof(to)) < 0)
                err(1, "%s", address);
        return fd;
}

static void scramble(char *packet, ssize_t n) {
        for (ssize_t i = 0; i < n; i++)
                packet[i] ^= 0x5a;
}

/* Two interfaces and two sockets: 0 and 1 are the interfaces, 2 and 3 the carrier's ends. */
static void carry(struct pollfd *ends, const char *address, const char *port) {
        struct sockaddr_in peer = { .sin_family = AF_INET, .sin_port = htons((uint16_t) atoi(port)) };
        struct sockaddr_in near = { .sin_family = AF_UNSPEC };
        char packet[65536];

        (void) inet_pton(AF_INET, address, &peer.sin_addr);
        while (poll(ends, 4, -1) > 0)
                for (int i = 0; i < 4; i++) {
                        socklen_t size = sizeof(near);
                        ssize_t n;

                        if (!(ends[i].revents & POLLIN))
                                continue;
                        if (i < 2) {
                                n = read(ends[i].fd, packet, sizeof(packet));
                                scramble(packet, n);
                                if (n > 0 && (i == 0 || near.sin_family == AF_INET))
                                        (void) sendto(ends[2 + i].fd, packet, (size_t) n, 0,
                                                      (struct sockaddr *) (i == 0 ? &peer : &near),
                                                      sizeof(peer));
                                continue;
                        }
                        n = recvfrom(ends[i].fd, packet, sizeof(packet), 0,
                                     i == 3 ? (struct sockaddr *) &near : NULL, i == 3 ? &size : NULL);
                        scramble(packet, n);
                        if (n > 0 && write(ends[i - 2].fd, packet, (size_t) n) < 0)
                                continue;
                }
}

/* sd_notify(3) without its library, since this is linked statically for the lab. */
static void notify_ready(void) {
        struct sockaddr_un to = { .sun_family = AF_UNIX };
        const char *path = getenv("NOTIFY_SOCKET");
        int fd = path && path[0] == '/' ? socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0) : -1;

        if (fd < 0)
                return;
        (void) snprintf(to.sun_path, sizeof(to.sun_path), "%s", path);
        if (sendto(fd, "READY=1", 7, 0, (struct sockaddr *) &to, sizeof(to)) < 0)
                err(1, "%s", path);
        (void) close(fd);
}

int main(int argc, char **argv) {
        struct pollfd ends[4];
        char packet[PACKET_MAX];
        uint64_t delay_ms = 0;
        short kind = IFF_TUN;

        if (argc > 1 && strcmp(argv[1], "--tap") == 0) {
                kind = IFF_TAP;
                argv++;
                argc--;
        }
        if (argc > 2 && strcmp(argv[1], "--delay") == 0) {
                delay_ms = (uint64_t) atoi(argv[2]);
                argv += 2;
                argc -= 2;
        }
        if (argc != 5 && argc != 7)
                errx(2, "usage: wire [--tap] [--delay MS] NAMESPACE INTERFACE NAMESPACE INTERFACE [ADDRESS "
                        "PORT]");
        for (int i = 0; i < 2; i++) {
                ends[i] = (struct pollfd){ .fd = tun_open(argv[1 + 2 * i], argv[2 + 2 * i], kind),
                                           .events = POLLIN };
                if (argc == 7)
                        ends[2 + i] =
                                (struct pollfd){ .fd = carrier_open(argv[5], argv[6], i), .events = POLLIN };
        }
        namespace_enter(argv[1]);
        puts("ready");
        (void) fflush(stdout);
        notify_ready();
        if (argc == 7)
                carry(ends, argv[5], argv[6]);
        while (poll(ends, 2, packets_deliver()) >= 0)
                for (int i = 0; i < 2; i++)
                        if (ends[i].revents & POLLIN) {
                                ssize_t n = read(ends[i].fd, packet, sizeof(packet));

                                if (n > 0)
                                        packet_queue(packet, (size_t) n, ends[1 - i].fd, now_ms() + delay_ms);
                        }
        return 0;
}
