/* SPDX-License-Identifier: LGPL-2.1-or-later */

/*
 * The far end of the lab's small internet: tells a caller which address it was seen with, by
 * HTTP/1.0 on port 80 (text/plain) and by STUN on UDP port 3478 (RFC 8489, Binding with
 * XOR-MAPPED-ADDRESS). One process serves all addresses given, of both families.
 *
 *     echo [--say TEXT] ADDRESS...
 *
 * --say makes HTTP answer TEXT instead, for an echo server that lies.
 */

#define _GNU_SOURCE

#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
        HTTP_PORT = 80,
        STUN_PORT = 3478,
        SOCKETS_MAX = 64,
        CONNECTION_SECONDS = 2,
};

#define STUN_COOKIE UINT32_C(0x2112a442)

typedef union Address {
        struct sockaddr any;
        struct sockaddr_in in;
        struct sockaddr_in6 in6;
} Address;

static socklen_t address_parse(const char *text, uint16_t port, Address *ret) {
        memset(ret, 0, sizeof(*ret));
        if (inet_pton(AF_INET, text, &ret->in.sin_addr) == 1) {
                ret->in.sin_family = AF_INET;
                ret->in.sin_port = htons(port);
                return sizeof(ret->in);
        }
        if (inet_pton(AF_INET6, text, &ret->in6.sin6_addr) == 1) {
                ret->in6.sin6_family = AF_INET6;
                ret->in6.sin6_port = htons(port);
                return sizeof(ret->in6);
        }
        errx(2, "not an address: %s", text);
}

static int socket_open(const char *text, int type, uint16_t port) {
        Address address;
        socklen_t size = address_parse(text, port, &address);
        const int on = 1;
        int fd = socket(address.any.sa_family, type | SOCK_CLOEXEC, 0);

        if (fd < 0)
                err(1, "socket");
        (void) setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
        if (address.any.sa_family == AF_INET6)
                (void) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
        if (bind(fd, &address.any, size) < 0)
                err(1, "bind %s port %u", text, port);
        if (type == SOCK_STREAM && listen(fd, 64) < 0)
                err(1, "listen");
        return fd;
}

/* One caller at a time, in a child: a caller that sends nothing holds up nobody. */
static void http_answer(int fd, const Address *caller, const char *say) {
        char request[2048], name[INET6_ADDRSTRLEN], answer[512];
        const void *raw = caller->any.sa_family == AF_INET ? (const void *) &caller->in.sin_addr
                                                           : (const void *) &caller->in6.sin6_addr;
        int n;

        alarm(CONNECTION_SECONDS);
        if (read(fd, request, sizeof(request)) <= 0)
                return;
        if (!inet_ntop(caller->any.sa_family, raw, name, sizeof(name)))
                return;
        n = snprintf(answer, sizeof(answer),
                     "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n%s\n",
                     say ? say : name);
        if (write(fd, answer, (size_t) n) != n)
                return;
        /* Wait for the caller's end, so that closing does not turn into a reset. */
        (void) shutdown(fd, SHUT_WR);
        while (read(fd, request, sizeof(request)) > 0)
                ;
}

static void http_serve(int listener, const char *say) {
        Address caller = {};
        socklen_t size = sizeof(caller);
        int fd = accept4(listener, &caller.any, &size, SOCK_CLOEXEC);
        pid_t pid;

        if (fd < 0)
                return;
        pid = fork();
        if (pid == 0) {
                http_answer(fd, &caller, say);
                _exit(0);
        }
        close(fd);
}

static void stun_serve(int fd) {
        uint8_t request[1500], answer[64] = {};
        Address caller = {};
        socklen_t size = sizeof(caller);
        ssize_t n = recvfrom(fd, request, sizeof(request), 0, &caller.any, &size);
        const uint8_t cookie[4] = { 0x21, 0x12, 0xa4, 0x42 };
        bool v6 = caller.any.sa_family == AF_INET6;
        size_t length = v6 ? 16 : 4;
        const uint8_t *raw = v6 ? caller.in6.sin6_addr.s6_addr : (const uint8_t *) &caller.in.sin_addr.s_addr;
        uint16_t port = ntohs(v6 ? caller.in6.sin6_port : caller.in.sin_port);

        if (n < 20 || request[0] != 0 || request[1] != 1 || memcmp(request + 4, cookie, 4) != 0)
                return;

        answer[0] = 0x01; /* Binding success */
        answer[1] = 0x01;
        answer[3] = (uint8_t) (8 + length);  /* all attributes */
        memcpy(answer + 4, request + 4, 16); /* cookie and transaction */
        answer[21] = 0x20;                   /* XOR-MAPPED-ADDRESS */
        answer[23] = (uint8_t) (4 + length);
        answer[25] = v6 ? 2 : 1;
        port ^= (uint16_t) (STUN_COOKIE >> 16);
        answer[26] = (uint8_t) (port >> 8);
        answer[27] = (uint8_t) port;
        for (size_t i = 0; i < length; i++)
                answer[28 + i] = raw[i] ^ request[4 + i];
        (void) sendto(fd, answer, 28 + length, 0, &caller.any, size);
}

int main(int argc, char **argv) {
        struct pollfd sockets[SOCKETS_MAX];
        const char *say = NULL;
        nfds_t count = 0;
        int first = 1;

        if (argc > 2 && strcmp(argv[1], "--say") == 0) {
                say = argv[2];
                first = 3;
        }
        if (first >= argc || argc - first > SOCKETS_MAX / 2)
                errx(2, "usage: echo [--say TEXT] ADDRESS...");

        signal(SIGCHLD, SIG_IGN);
        signal(SIGPIPE, SIG_IGN);
        /* Even places listen for HTTP, odd ones for STUN. */
        for (int i = first; i < argc; i++) {
                sockets[count++] = (struct pollfd){ .fd = socket_open(argv[i], SOCK_STREAM, HTTP_PORT),
                                                    .events = POLLIN };
                sockets[count++] = (struct pollfd){ .fd = socket_open(argv[i], SOCK_DGRAM, STUN_PORT),
                                                    .events = POLLIN };
        }

        for (;;) {
                if (poll(sockets, count, -1) < 0) {
                        if (errno == EINTR)
                                continue;
                        err(1, "poll");
                }
                for (nfds_t i = 0; i < count; i++) {
                        if (!(sockets[i].revents & POLLIN))
                                continue;
                        if (i % 2 == 0)
                                http_serve(sockets[i].fd, say);
                        else
                                stun_serve(sockets[i].fd);
                }
        }
}
