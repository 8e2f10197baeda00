/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A tunnel for tests: two TUN interfaces in two network namespaces and a process that carries packets from
 * one to the other. Stands where a VPN stands, with a real link of kind "tun" on both ends.
 *
 *     wire NAMESPACE-FILE INTERFACE NAMESPACE-FILE INTERFACE
 *
 *     wire NAMESPACE-FILE INTERFACE NAMESPACE-FILE INTERFACE ADDRESS PORT
 *
 * With an address the packets travel as datagrams from the first namespace to that address of the second,
 * made unreadable, as a VPN's do: the tunnel has a carrier that can be seen and cut. Prints "ready" when both
 * exist. */

#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static int tun_open(const char *namespace, const char *name) {
        struct ifreq request = { .ifr_flags = IFF_TUN | IFF_NO_PI };
        int fd = open(namespace, O_RDONLY | O_CLOEXEC);

        if (fd < 0 || setns(fd, CLONE_NEWNET) < 0)
                err(1, "%s", namespace);
        (void) close(fd);
        fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
        (void) snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", name);
        if (fd < 0 || ioctl(fd, TUNSETIFF, &request) < 0)
                err(1, "%s", name);
        return fd;
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

int main(int argc, char **argv) {
        struct pollfd ends[4];
        char packet[65536];

        if (argc != 5 && argc != 7)
                errx(2, "usage: wire NAMESPACE-FILE INTERFACE NAMESPACE-FILE INTERFACE [ADDRESS PORT]");
        for (int i = 0; i < 2; i++) {
                ends[i] =
                        (struct pollfd){ .fd = tun_open(argv[1 + 2 * i], argv[2 + 2 * i]), .events = POLLIN };
                if (argc == 7)
                        ends[2 + i] =
                                (struct pollfd){ .fd = carrier_open(argv[5], argv[6], i), .events = POLLIN };
        }
        puts("ready");
        (void) fflush(stdout);
        if (argc == 7)
                carry(ends, argv[5], argv[6]);
        while (poll(ends, 2, -1) > 0)
                for (int i = 0; i < 2; i++)
                        if (ends[i].revents & POLLIN) {
                                ssize_t n = read(ends[i].fd, packet, sizeof(packet));

                                /* A link that is down takes nothing: the packet is lost, as on a wire. */
                                if (n > 0 && write(ends[1 - i].fd, packet, (size_t) n) < 0)
                                        continue;
                        }
        return 0;
}
