/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Asks every target at the same time for a random name below "invalid." (RFC 6761: nobody has to ask the root
 * for it), and watches by which links that name leaves. The name is the same whoever carries it on, so that a
 * server on the loopback which asks somebody else in clear is seen as well. */

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/random.h>

#include "proofs/dns.h"
#include "proofs/handles.h"
#include "proofs/mutate.h"
#include "proofs/sniffer.h"
#include "proofs/util.h"

enum {
        /* What has not left by then was not let out: a packet socket sees what a link is given to send, which
         * takes no time but for a queue ahead of it. */
        ASK_UNSEEN_MSEC = 50,
        ASK_AGAIN_MSEC = 600,
        CONTROL_WAIT_MSEC = 100,
        CONTROL_BEFORE = 0xfe, /* indexes of the controls */
        CONTROL_AFTER = 0xff,
        QUERY_SIZE = 12 + 1 + SNIFFER_LABEL_LENGTH + 9 + 4,
};

typedef struct Ask {
        int fd; /* -1: settled */
        uint16_t local_port;
        uint64_t sent_usec;
} Ask;

typedef struct Asks {
        const DnsOrder *order;
        DnsLook *look;
        Ask asks[DNS_TARGETS_MAX];
        int sniffer;
        uint64_t nonce, started_usec;
} Asks;

static void query_make(uint64_t nonce, size_t index, uint8_t ret[QUERY_SIZE + 1]) {
        static const uint8_t head[] = { 0x01, 0x00, 0, 1, 0, 0, 0, 0, 0, 0 }; /* RD, one question */
        static const uint8_t tail[] = { 7, 'i', 'n', 'v', 'a', 'l', 'i', 'd', 0, 0, 1, 0, 1 }; /* A, IN */

        ret[0] = (uint8_t) nonce;
        ret[1] = (uint8_t) index;
        memcpy(ret + 2, head, sizeof(head));
        ret[12] = SNIFFER_LABEL_LENGTH;
        sniffer_label(nonce, (uint8_t) index, (char *) ret + 13);
        memcpy(ret + 13 + SNIFFER_LABEL_LENGTH, tail, sizeof(tail));
}

static void settle(Asks *a, size_t i, int error) {
        DnsTry *try = &a->look->tries[i];

        if (error != 0)
                try->error = error;
        try->milliseconds = (uint32_t) ((time_monotonic_usec() - a->started_usec) / USEC_PER_MSEC);
        handle_close(&a->asks[i].fd);
}

static int query_send(Asks *a, size_t i) {
        uint8_t query[QUERY_SIZE + 1];

        query_make(a->nonce, i, query);
        a->asks[i].sent_usec = time_monotonic_usec();
        return send(a->asks[i].fd, query, QUERY_SIZE, MSG_NOSIGNAL) < 0 ? -errno : 0;
}

static int ask_connect(const DnsTarget *target, int fd) {
        struct sockaddr_storage address;
        socklen_t size = address_to_sockaddr(&target->server.address, target->port, &address);

        if (target->server.scope[0])
                ((struct sockaddr_in6 *) &address)->sin6_scope_id = if_nametoindex(target->server.scope);
        return connect(fd, (struct sockaddr *) &address, size) < 0 ? -errno : 0;
}

static void ask_start(Asks *a, size_t i) {
        const DnsTarget *target = &a->look->targets[i];
        int family = target->server.address.family;
        struct sockaddr_storage local;
        socklen_t size = sizeof(local);
        const int one = 1;
        Ask *ask = &a->asks[i];
        int r;

        ask->fd = socket(family, (target->tcp ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (ask->fd < 0) {
                settle(a, i, errno);
                return;
        }
        /* What is dropped below the IP layer is to be reported, not hidden (ip(7)). */
        if (family == AF_INET6)
                (void) setsockopt(ask->fd, IPPROTO_IPV6, IPV6_RECVERR, &one, sizeof(one));
        else
                (void) setsockopt(ask->fd, IPPROTO_IP, IP_RECVERR, &one, sizeof(one));
        r = ask_connect(target, ask->fd);
        if (getsockname(ask->fd, (struct sockaddr *) &local, &size) == 0)
                ask->local_port = ntohs(((struct sockaddr_in *) &local)->sin_port); /* same place in both */
        if (r >= 0 && !target->tcp)
                r = query_send(a, i);
        if (r < 0 && r != -EINPROGRESS)
                settle(a, i, -r);
        else
                a->look->tries[i].sent = true;
}

static void saw(const DnsOrder *order, DnsLook *look, size_t i, int index) {
        const Link *link = links_find(&look->links, index);
        DnsTry *try = &look->tries[i];

        if (link && (link->flags & IFF_LOOPBACK))
                try->kept = true;
        else if (link && link_is_tunnel(link, order->interface))
                try->through = true;
        else if (!mutation_is_on("dns-sniffed"))
                try->beside = index;
}

/* Two sockets may have one port if they go to different places, so the place decides; a connection that goes
 * to none of them was led elsewhere by a rule. */
static void saw_syn(Asks *a, const Sniffed *seen) {
        DnsLook *look = a->look;
        size_t led_elsewhere = look->n_targets;

        for (size_t i = 0; i < look->n_targets; i++) {
                const DnsTarget *target = &look->targets[i];

                if (!target->tcp || target->port != seen->port || a->asks[i].local_port != seen->source_port)
                        continue;
                if (address_equal(&target->server.address, &seen->to)) {
                        saw(a->order, look, i, seen->link);
                        return;
                }
                led_elsewhere = i;
        }
        if (led_elsewhere < look->n_targets)
                saw(a->order, look, led_elsewhere, seen->link);
}

static void sniffer_drain(Asks *a) {
        DnsLook *look = a->look;
        Sniffed seen;

        while (sniffer_next(a->sniffer, &seen) > 0) {
                if (seen.what == SNIFFED_NEIGHBOUR)
                        look->neighbour_sought = true;
                else if (seen.what == SNIFFED_NONCE && seen.nonce == a->nonce) {
                        look->control_before |= seen.index == CONTROL_BEFORE;
                        look->control_after |= seen.index == CONTROL_AFTER;
                        if (seen.index < look->n_targets)
                                saw(a->order, look, seen.index, seen.link);
                } else if (seen.what == SNIFFED_SYN)
                        saw_syn(a, &seen);
        }
}

/* A datagram to ourselves, which the sniffer must see: else that it saw nothing says nothing. */
static void control_send(Asks *a, size_t index) {
        CLEANUP(handle_close) int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        const bool *seen = index == CONTROL_BEFORE ? &a->look->control_before : &a->look->control_after;
        struct pollfd wait = { .fd = a->sniffer, .events = POLLIN };
        uint64_t deadline = time_monotonic_usec() + CONTROL_WAIT_MSEC * USEC_PER_MSEC;
        struct sockaddr_in to = {
                .sin_family = AF_INET,
                .sin_port = htons(9), /* discard */
                .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
        };
        uint8_t query[QUERY_SIZE + 1];

        query_make(a->nonce, index, query);
        if (fd < 0 || sendto(fd, query, QUERY_SIZE, 0, (struct sockaddr *) &to, sizeof(to)) < 0)
                return;
        do
                sniffer_drain(a);
        while (!*seen && poll(&wait, 1, time_left_msec(deadline)) > 0);
}

static void answer_read(Asks *a, size_t i) {
        DnsTry *try = &a->look->tries[i];
        uint8_t answer[512];
        socklen_t size = sizeof(int);
        int error = 0;
        ssize_t n;

        if (a->look->targets[i].tcp) {
                if (getsockopt(a->asks[i].fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0)
                        error = errno;
                try->answered = error == 0;
                settle(a, i, error);
                return;
        }
        n = recv(a->asks[i].fd, answer, sizeof(answer), 0);
        if (n < 0 && errno != EAGAIN)
                settle(a, i, errno);
        if (n < 12 || answer[0] != (uint8_t) a->nonce || answer[1] != (uint8_t) i || !(answer[2] & 0x80))
                return;
        try->answered = true;
        settle(a, i, 0);
}

/* What is known without waiting longer. */
static void ask_age(Asks *a, size_t i, uint64_t now_usec) {
        const DnsTry *try = &a->look->tries[i];
        const DnsTarget *target = &a->look->targets[i];
        bool seen = try->beside || try->through || try->kept;
        uint64_t age = (now_usec - a->started_usec) / USEC_PER_MSEC;

        if (age >= ASK_UNSEEN_MSEC && (!seen || (try->beside && target->role == DNS_NAMESERVER)))
                settle(a, i, 0);
        else if (!target->tcp && now_usec - a->asks[i].sent_usec >= ASK_AGAIN_MSEC * USEC_PER_MSEC)
                (void) query_send(a, i);
}

static bool asks_wait(Asks *a, uint64_t deadline_usec) {
        struct pollfd fds[DNS_TARGETS_MAX + 1] = { { .fd = a->sniffer, .events = POLLIN } };
        size_t at[DNS_TARGETS_MAX + 1];
        nfds_t n = 1;
        int left = time_left_msec(deadline_usec);

        for (size_t i = 0; i < a->look->n_targets; i++) {
                if (a->asks[i].fd < 0)
                        continue;
                at[n] = i;
                fds[n++] = (struct pollfd){
                        .fd = a->asks[i].fd,
                        .events = a->look->targets[i].tcp ? POLLOUT : POLLIN,
                };
        }
        if (n == 1 || left == 0)
                return false;
        (void) poll(fds, n, left < 20 ? left : 20);
        sniffer_drain(a);
        for (nfds_t k = 1; k < n; k++)
                if (fds[k].revents)
                        answer_read(a, at[k]);
        for (nfds_t k = 1; k < n; k++)
                if (a->asks[at[k]].fd >= 0)
                        ask_age(a, at[k], time_monotonic_usec());
        return true;
}

int dns_ask(const DnsOrder *order, int sniffer, DnsLook *look) {
        Asks a = { .order = order, .look = look, .sniffer = sniffer };

        if (getrandom(&a.nonce, sizeof(a.nonce), 0) != sizeof(a.nonce))
                return -EIO;
        control_send(&a, CONTROL_BEFORE);
        a.started_usec = time_monotonic_usec();
        for (size_t i = 0; i < look->n_targets; i++)
                ask_start(&a, i);
        while (asks_wait(&a, a.started_usec + order->timeout_usec))
                ;
        for (size_t i = 0; i < look->n_targets; i++)
                if (a.asks[i].fd >= 0)
                        settle(&a, i, 0);
        control_send(&a, CONTROL_AFTER);
        return 0;
}
