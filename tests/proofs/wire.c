/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A tunnel for tests: two TUN interfaces in two network namespaces and a process that carries packets from
 * one to the other. Stands where a VPN stands, with a real link of kind "tun" on both ends.
 *
 *     wire NAMESPACE-FILE INTERFACE NAMESPACE-FILE INTERFACE
 *
 * Prints "ready" when both exist. */

#include <err.h>
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
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

int main(int argc, char **argv) {
        struct pollfd ends[2];
        char packet[65536];

        if (argc != 5)
                errx(2, "usage: wire NAMESPACE-FILE INTERFACE NAMESPACE-FILE INTERFACE");
        for (int i = 0; i < 2; i++)
                ends[i] =
                        (struct pollfd){ .fd = tun_open(argv[1 + 2 * i], argv[2 + 2 * i]), .events = POLLIN };
        puts("ready");
        (void) fflush(stdout);
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
