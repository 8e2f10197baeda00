/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * A client that never stops talking: UDP datagrams and TCP connects to the lab's beacon addresses,
 * by the routes as they are and bound to each interface in turn, as torrent clients do. Whatever way
 * out the client's namespace has for a moment, one of these takes it and is counted at the far end.
 *
 *     beacon ADDRESS...
 */

#define _GNU_SOURCE

#include <arpa/inet.h>
#include <err.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
        BEACON_PORT = 9,
        HTTP_PORT = 80,
        INTERVAL_MS = 20,
        CONNECT_EVERY = 5, /* rounds */
};

static socklen_t address_parse(const char *text, uint16_t port, struct sockaddr_storage *ret) {
        struct sockaddr_in *in = (struct sockaddr_in *) ret;
        struct sockaddr_in6 *in6 = (struct sockaddr_in6 *) ret;

        memset(ret, 0, sizeof(*ret));
        if (inet_pton(AF_INET, text, &in->sin_addr) == 1) {
                in->sin_family = AF_INET;
                in->sin_port = htons(port);
                return sizeof(*in);
        }
        if (inet_pton(AF_INET6, text, &in6->sin6_addr) == 1) {
                in6->sin6_family = AF_INET6;
                in6->sin6_port = htons(port);
                return sizeof(*in6);
        }
        errx(2, "not an address: %s", text);
}

/* Sends by the interface, or as the routes say if it is NULL. Errors are the kill switch at work. */
static void beacon_send(const char *text, const char *interface, bool stream) {
        struct sockaddr_storage to;
        socklen_t size = address_parse(text, stream ? HTTP_PORT : BEACON_PORT, &to);
        int type = (stream ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC | SOCK_NONBLOCK;
        int fd = socket(to.ss_family, type, 0);

        if (fd < 0)
                return;
        if (interface)
                (void) setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, interface, (socklen_t) strlen(interface));
        if (stream)
                (void) connect(fd, (const struct sockaddr *) &to, size);
        else
                (void) sendto(fd, "beacon", 6, 0, (const struct sockaddr *) &to, size);
        close(fd);
}

int main(int argc, char **argv) {
        const struct timespec interval = { .tv_nsec = INTERVAL_MS * 1000000L };

        if (argc < 2)
                errx(2, "usage: beacon ADDRESS...");

        for (unsigned round = 0;; round++) {
                struct if_nameindex *names = if_nameindex();
                bool stream = round % CONNECT_EVERY == 0;

                for (int i = 1; i < argc; i++) {
                        beacon_send(argv[i], /* interface= */ NULL, stream);
                        for (struct if_nameindex *n = names; n && n->if_name; n++)
                                if (strcmp(n->if_name, "lo") != 0)
                                        beacon_send(argv[i], n->if_name, stream);
                }
                if (names)
                        if_freenameindex(names);
                (void) nanosleep(&interval, NULL);
        }
}
