/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Sends all shots at once, and looks at what comes back while the sniffer looks at what leaves. */

#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/socket.h>

#include "proofs/child.h"
#include "proofs/handles.h"
#include "proofs/killswitch.h"

static const KsProbe *probe_of(const KsShot *shot) {
        return &ks_probes[shot->probe];
}

static bool is_flow(const KsShot *shot) {
        return probe_of(shot)->method == KS_FLOW_TCP || probe_of(shot)->method == KS_FLOW_UDP;
}

static bool is_stream(const KsShot *shot) {
        KsMethod method = probe_of(shot)->method;

        return method == KS_TCP || method == KS_DNS_TCP || method == KS_FLOW_TCP;
}

/* A socket belongs to the user that makes it, for routing rules and packet filters; what it may do is checked
 * here with root's capabilities, so that a user who has a few of them is covered as well. */
static int socket_open(const KsShot *shot) {
        static const struct {
                int type, protocol[2];
        } kinds[] = {
                [KS_TCP] = { SOCK_STREAM, { 0, 0 } },
                [KS_UDP] = { SOCK_DGRAM, { 0, 0 } },
                [KS_PING] = { SOCK_DGRAM, { IPPROTO_ICMP, IPPROTO_ICMPV6 } },
                [KS_ICMP] = { SOCK_RAW, { IPPROTO_ICMP, IPPROTO_ICMPV6 } },
                [KS_DNS_UDP] = { SOCK_DGRAM, { 0, 0 } },
                [KS_DNS_TCP] = { SOCK_STREAM, { 0, 0 } },
                [KS_FRAME] = { SOCK_DGRAM, { 0, 0 } },
                [KS_FLOW_TCP] = { SOCK_STREAM, { 0, 0 } },
                [KS_FLOW_UDP] = { SOCK_DGRAM, { 0, 0 } },
        };
        KsMethod method = probe_of(shot)->method;
        bool v6 = shot->to.family == AF_INET6;
        int fd;

        (void) setfsuid(shot->user);
        fd = socket(method == KS_FRAME ? AF_PACKET : shot->to.family,
                    kinds[method].type | SOCK_CLOEXEC | SOCK_NONBLOCK, kinds[method].protocol[v6]);
        (void) setfsuid(0);
        child_bind();
        return fd < 0 ? -errno : fd;
}

static int socket_set_up(int fd, KsShot *shot, const KsScene *scene) {
        const bool v6 = shot->to.family == AF_INET6;
        const Link *link = links_find(&scene->links, shot->link);
        const int one = 1;
        struct sockaddr_storage local;
        socklen_t size;

        /* What is dropped below the IP layer is to be reported, not hidden (ip(7), IP_RECVERR). */
        (void) setsockopt(fd, v6 ? IPPROTO_IPV6 : IPPROTO_IP, v6 ? IPV6_RECVERR : IP_RECVERR, &one,
                          sizeof(one));
        if (shot->hop_limited) {
                (void) setsockopt(fd, v6 ? IPPROTO_IPV6 : IPPROTO_IP, v6 ? IPV6_UNICAST_HOPS : IP_TTL, &one,
                                  sizeof(one));
        }
        if (link && probe_of(shot)->by == KS_BY_DEVICE &&
            setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, link->name, (socklen_t) strlen(link->name)) < 0)
                return -errno;
        if (shot->mark != 0 && setsockopt(fd, SOL_SOCKET, SO_MARK, &shot->mark, sizeof(shot->mark)) < 0)
                return -errno;
        if (!is_stream(shot) && shot->from.family == AF_UNSPEC)
                return 0;
        memset(&local, 0, sizeof(local));
        local.ss_family = (sa_family_t) shot->to.family;
        size = v6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
        if (shot->from.family != AF_UNSPEC)
                size = address_to_sockaddr(&shot->from, 0, &local);
        /* The port is what a SYN is known by. */
        if (bind(fd, (struct sockaddr *) &local, size) < 0)
                return -errno;
        size = sizeof(local);
        if (getsockname(fd, (struct sockaddr *) &local, &size) < 0)
                return -errno;
        shot->local_port = ntohs(v6 ? ((struct sockaddr_in6 *) (void *) &local)->sin6_port
                                    : ((struct sockaddr_in *) (void *) &local)->sin_port);
        return 0;
}

static socklen_t destination(const KsShot *shot, struct sockaddr_storage *ret) {
        socklen_t size = address_to_sockaddr(
                &shot->to,
                probe_of(shot)->method == KS_PING || probe_of(shot)->method == KS_ICMP ? 0 : shot->port, ret);

        if (shot->to.family == AF_INET6 && !address_is_routable(&shot->to))
                ((struct sockaddr_in6 *) (void *) ret)->sin6_scope_id = (uint32_t) shot->link;
        return size;
}

/* A frame to everybody on the link, with a sender's address that the tunnel's namespace has there. */
static int frame_send(int fd, const KsShot *shot, KsPhase phase, const KsNonce *nonce, const KsScene *scene) {
        struct sockaddr_ll to = {
                .sll_family = AF_PACKET,
                .sll_protocol = htons(shot->to.family == AF_INET6 ? ETH_P_IPV6 : ETH_P_IP),
                .sll_ifindex = shot->link,
                .sll_halen = ETH_ALEN,
                .sll_addr = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff },
        };
        Address from = { .family = shot->to.family };
        uint8_t packet[KS_PACKET_MAX];
        size_t n;

        for (size_t i = 0; i < scene->addresses.n; i++)
                if (scene->addresses.places[i].link == shot->link &&
                    scene->addresses.places[i].address.family == shot->to.family)
                        from = scene->addresses.places[i].address;
        n = ks_packet(nonce, shot, phase, &from, packet);
        return sendto(fd, packet, n, 0, (struct sockaddr *) &to, sizeof(to)) < 0 ? -errno : 0;
}

static int datagram_send(int fd, const KsShot *shot, KsPhase phase, const KsNonce *nonce) {
        KsMethod method = probe_of(shot)->method;
        uint8_t bytes[KS_PACKET_MAX];
        const Address none = { .family = shot->to.family };
        size_t n = method == KS_PING || method == KS_ICMP ? ks_packet(nonce, shot, phase, &none, bytes)
                                                          : ks_payload(nonce, shot, phase, bytes);

        return send(fd, bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
}

/* Connects, or sends the one packet. *ret_fd may be open although it failed. */
static int shot_fire(KsShot *shot, KsPhase phase, const KsNonce *nonce, const KsScene *scene, int *ret_fd) {
        struct sockaddr_storage to;
        socklen_t size = destination(shot, &to);
        int r;

        shot->local_port = 0;
        *ret_fd = socket_open(shot);
        if (*ret_fd < 0)
                return *ret_fd;
        if (probe_of(shot)->method == KS_FRAME)
                return frame_send(*ret_fd, shot, phase, nonce, scene);
        r = socket_set_up(*ret_fd, shot, scene);
        if (r < 0)
                return r;
        shot->fired[phase] = true; /* the SYN may be seen before connect() returns */
        if (connect(*ret_fd, (struct sockaddr *) &to, size) < 0 && errno != EINPROGRESS)
                return -errno;
        return is_stream(shot) ? 0 : datagram_send(*ret_fd, shot, phase, nonce);
}

static void socket_drain(int fd, int flags) {
        uint8_t bytes[512];

        while (recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT | flags) > 0 || errno == EINTR)
                ;
}

typedef struct Volley {
        KsRun *run;
        KsPhase phase;
        const KsNonce *nonce;
        int fds[KS_SHOTS_MAX];
        bool own[KS_SHOTS_MAX]; /* to be closed */
        bool asked[KS_SHOTS_MAX];
} Volley;

static void volley_start(Volley *v, const KsFlows *flows) {
        KsRun *run = v->run;

        for (size_t i = 0; i < run->n_shots; i++) {
                KsShot *shot = &run->shots[i];
                int r;

                v->fds[i] = -1;
                if (is_flow(shot)) {
                        uint8_t bytes[KS_PACKET_MAX];
                        size_t n = ks_payload(v->nonce, shot, v->phase, bytes);

                        if (flows->fds[i] < 0)
                                continue;
                        v->fds[i] = flows->fds[i];
                        socket_drain(v->fds[i], 0); /* what came before the outage is no answer to this */
                        shot->fired[v->phase] = true;
                        r = send(v->fds[i], bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT) < 0 ? -errno : 0;
                } else {
                        r = shot_fire(shot, v->phase, v->nonce, &run->scene, &v->fds[i]);
                        shot->fired[v->phase] = true;
                        v->own[i] = v->fds[i] >= 0;
                }
                shot->error[v->phase] = -r;
        }
}

/* Something can be read, or a connection stands. */
static void shot_take(Volley *v, size_t i, short events) {
        KsShot *shot = &v->run->shots[i];
        KsMethod method = probe_of(shot)->method;
        uint8_t bytes[2048];
        int error = 0;
        socklen_t size = sizeof(error);
        ssize_t n;

        if (method == KS_TCP || method == KS_DNS_TCP) {
                if (getsockopt(v->fds[i], SOL_SOCKET, SO_ERROR, &error, &size) < 0 || error != 0 ||
                    (events & (POLLERR | POLLHUP))) {
                        shot->error[v->phase] = error ?: shot->error[v->phase];
                        goto done;
                }
                if (method == KS_TCP) {
                        shot->answered[v->phase] = true;
                        goto done;
                }
                if (!v->asked[i]) {
                        size_t length = ks_payload(v->nonce, shot, v->phase, bytes);

                        v->asked[i] = true;
                        if (send(v->fds[i], bytes, length, MSG_NOSIGNAL) < 0)
                                goto done;
                }
        }
        n = recv(v->fds[i], bytes, sizeof(bytes), MSG_DONTWAIT);
        if (n < 0 && errno != EAGAIN)
                socket_drain(v->fds[i], MSG_ERRQUEUE);
        if (n < 0 && errno == EAGAIN)
                return;
        if (n <= 0) {
                /* An error that a router or our own filter has reported; nothing more will come. */
                if (n < 0)
                        shot->error[v->phase] = errno;
                if (is_stream(shot) || method == KS_FRAME)
                        goto done;
                return;
        }
        if (method == KS_DNS_UDP)
                shot->answered[v->phase] |= ks_dns_is_answer(bytes, (size_t) n, v->nonce, shot);
        else if (method == KS_DNS_TCP)
                shot->answered[v->phase] |=
                        n > 2 && ks_dns_is_answer(bytes + 2, (size_t) n - 2, v->nonce, shot);
        else if (method == KS_ICMP) {
                /* A raw socket sees all of them: the reply, not a request on its way. */
                size_t header = shot->to.family == AF_INET ? (size_t) (bytes[0] & 0x0f) * 4 : 0;

                shot->answered[v->phase] |= (size_t) n >= header + 8 &&
                                            bytes[header] == (shot->to.family == AF_INET ? 0 : 129) &&
                                            bytes[header + 4] == (uint8_t) (shot->id >> 8) &&
                                            bytes[header + 5] == (uint8_t) shot->id;
        } else
                shot->answered[v->phase] = true;
        return;
done:
        if (v->own[i]) {
                handle_close(&v->fds[i]);
                v->own[i] = false;
        }
        v->fds[i] = -1;
}

static int volley_watch(Volley *v, KsSniffer *sniffer, uint64_t deadline_usec) {
        struct pollfd fds[KS_SHOTS_MAX + 1];
        size_t shots[KS_SHOTS_MAX + 1];

        for (;;) {
                nfds_t n = 0;
                int r;

                fds[n++] = (struct pollfd){ .fd = sniffer->fd, .events = POLLIN };
                for (size_t i = 0; i < v->run->n_shots; i++) {
                        const KsShot *shot = &v->run->shots[i];
                        bool waits = is_stream(shot) && !is_flow(shot) && !v->asked[i];

                        if (v->fds[i] < 0)
                                continue;
                        shots[n] = i;
                        fds[n++] = (struct pollfd){ .fd = v->fds[i], .events = waits ? POLLOUT : POLLIN };
                }
                r = poll(fds, n, time_left_msec(deadline_usec));
                if (r < 0 && errno != EINTR)
                        return -errno;
                r = ks_sniffer_read(sniffer, v->run, v->phase);
                if (r < 0)
                        return r;
                for (nfds_t i = 1; i < n; i++)
                        if (fds[i].revents)
                                shot_take(v, shots[i], fds[i].revents);
                if (time_left_msec(deadline_usec) == 0)
                        return 0;
        }
}

int ks_fire(KsRun *run, KsSniffer *sniffer, const KsFlows *flows, KsPhase phase, uint64_t window_usec) {
        CLEANUP(handle_free) Volley *v = calloc(1, sizeof(*v));
        uint64_t started = time_monotonic_usec();
        int r = 0;

        if (!v)
                return -ENOMEM;
        /* In an outage all of it twice: somebody may be at work who reacts to it. */
        for (unsigned round = 0, rounds = phase == KS_PHASE_UP ? 1 : 2; round < rounds && r >= 0; round++) {
                *v = (Volley){ .run = run, .phase = phase, .nonce = &sniffer->nonce };
                volley_start(v, flows);
                r = volley_watch(v, sniffer, time_monotonic_usec() + window_usec / rounds);
                for (size_t i = 0; i < run->n_shots; i++)
                        if (v->own[i])
                                handle_close(&v->fds[i]);
        }
        run->phase_ms[phase] = (uint32_t) ((time_monotonic_usec() - started) / USEC_PER_MSEC);
        return r;
}

/* Gone without a word: nothing of it is sent again later. */
void ks_flows_close(KsFlows *flows) {
        const struct linger now = { .l_onoff = 1 };

        for (size_t i = 0; i < KS_SHOTS_MAX; i++)
                if (flows->fds[i] >= 0) {
                        (void) setsockopt(flows->fds[i], SOL_SOCKET, SO_LINGER, &now, sizeof(now));
                        handle_close(&flows->fds[i]);
                }
}

/* 1: it stands; 0: not yet; negative: it never will. */
static int flow_state(int fd, const KsShot *shot) {
        struct pollfd p = { .fd = fd, .events = is_stream(shot) ? POLLOUT : POLLIN };
        int error = 0;
        socklen_t size = sizeof(error);

        if (poll(&p, 1, 0) <= 0)
                return 0;
        if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) < 0 || error != 0)
                return -(error ?: errno);
        return 1;
}

void ks_flows_open(KsRun *run, const KsNonce *nonce, uint64_t timeout_usec, KsFlows *ret) {
        uint64_t deadline = time_monotonic_usec() + timeout_usec;
        bool open = true;

        for (size_t i = 0; i < KS_SHOTS_MAX; i++)
                ret->fds[i] = -1;
        for (size_t i = 0; i < run->n_shots; i++) {
                KsShot *shot = &run->shots[i];

                if (is_flow(shot) && shot_fire(shot, KS_PHASE_UP, nonce, &run->scene, &ret->fds[i]) < 0)
                        handle_close(&ret->fds[i]);
        }
        while (open) {
                open = false;
                for (size_t i = 0; i < run->n_shots; i++) {
                        int state = ret->fds[i] >= 0 ? flow_state(ret->fds[i], &run->shots[i]) : 1;

                        if (state < 0)
                                handle_close(&ret->fds[i]);
                        open |= state == 0;
                }
                if (open && time_left_msec(deadline) == 0)
                        break;
                if (open)
                        time_sleep_usec(2 * USEC_PER_MSEC);
        }
        /* A TCP connection that does not stand is none. A UDP flow is one in any case. */
        for (size_t i = 0; i < run->n_shots; i++)
                if (ret->fds[i] >= 0 && is_stream(&run->shots[i]) &&
                    flow_state(ret->fds[i], &run->shots[i]) != 1)
                        handle_close(&ret->fds[i]);
}
