/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One side of the egress proof, seen from a child in that side's network namespace. */

#include <errno.h>
#include <string.h>

#include "proofs/egress.h"
#include "proofs/handles.h"
#include "proofs/netns.h"

/* Well-known public addresses, one in each quarter of the space, so that split default routes (0/1, 128/1 and
 * finer) are all met. Nothing is sent to them but, where a route leads past the tunnel, one datagram that
 * dies at the first hop. */
static const char *const samples[_FAMILY_MAX][EGRESS_SAMPLES] = {
        [FAMILY_V4] = { "9.9.9.9", "93.184.215.14", "151.101.1.6", "208.67.222.222" },
        [FAMILY_V6] = { "2001:4860:4860::8888", "2400:cb00::1", "2606:4700::1111", "2a00:1450:4001::1" },
};

Address egress_sample(Family family, size_t i) {
        Address address = { .family = AF_UNSPEC };

        (void) address_parse(samples[family][i], &address);
        return address;
}

static int udp_connect(const Address *to, uint16_t port, int *ret_fd) {
        CLEANUP(handle_close) int fd = -1;
        struct sockaddr_storage address;
        socklen_t size = address_to_sockaddr(to, port, &address);

        fd = socket(to->family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0 || connect(fd, (struct sockaddr *) &address, size) < 0)
                return -errno;
        *ret_fd = handle_take_fd(&fd);
        return 0;
}

/* One hop; and drops below the IP layer are to be reported, not hidden (ip(7), IP_RECVERR). */
static void set_push_options(int fd, int family) {
        const int one = 1;

        if (family == AF_INET6) {
                (void) setsockopt(fd, IPPROTO_IPV6, IPV6_UNICAST_HOPS, &one, sizeof(one));
                (void) setsockopt(fd, IPPROTO_IPV6, IPV6_RECVERR, &one, sizeof(one));
        } else {
                (void) setsockopt(fd, IPPROTO_IP, IP_TTL, &one, sizeof(one));
                (void) setsockopt(fd, IPPROTO_IP, IP_RECVERR, &one, sizeof(one));
        }
}

static bool way_is_beside(const EgressWay *way, const LinkSet *links, const char *interface) {
        const Link *link = links_find(links, way->route.link);

        return way->route.error == 0 && (!link || !link_is_tunnel(link, interface)) &&
               !(link && (link->flags & IFF_LOOPBACK));
}

/* The way of datagrams. */
static int way_look(Router *router, const Address *to, uint16_t port, const LinkSet *links,
                    const EgressOrder *order, EgressWay *ret) {
        CLEANUP(handle_close) int fd = -1;
        EgressWay way = { .connect_error = 0 };
        int r;

        r = router_ask_protocol(router, to, ROUTE_ANY_USER, IPPROTO_UDP, &way.route);
        if (r < 0)
                return r;
        way.connect_error = -udp_connect(to, port, &fd);
        /* Only inside, and only where something is wrong already: does the kernel let it leave? */
        if (order->netns_fd >= 0 && fd >= 0 && way_is_beside(&way, links, order->interface)) {
                set_push_options(fd, to->family);
                way.pushed = true;
                way.push_error = send(fd, "", 1, MSG_NOSIGNAL) < 0 ? errno : 0;
        }
        *ret = way;
        return 0;
}

/* The way of TCP, which a rule may treat apart. A datagram tells what becomes of it only where it goes the
 * same way; else whether it may leave stays unclear. */
static int way_look_tcp(Router *router, const Address *to, const EgressWay *udp, EgressWay *ret) {
        EgressWay way = *udp;
        int r;

        r = router_ask_protocol(router, to, ROUTE_ANY_USER, IPPROTO_TCP, &way.route);
        if (r < 0)
                return r;
        if (way.route.error != udp->route.error || way.route.link != udp->route.link)
                way = (EgressWay){ .route = way.route, .connect_error = way.route.error };
        *ret = way;
        return 0;
}

static int ways_look(const EgressOrder *order, EgressLook *look) {
        CLEANUP(handle_router) Router *router = NULL;
        int r;

        r = router_open(&router);
        for (size_t i = 0; i < order->n_probes && r >= 0; i++) {
                const Probe *probe = &order->probes[i];

                if (!order->wanted || order->wanted[i])
                        r = way_look(router, &probe->source->addresses[probe->family], probe->source->port,
                                     &look->before, order, &look->ways[i]);
                if (r >= 0 && probe->source->transport == TRANSPORT_TCP &&
                    (!order->wanted || order->wanted[i]))
                        r = way_look_tcp(router, &probe->source->addresses[probe->family], &look->ways[i],
                                         &look->ways[i]);
        }
        for (Family f = 0; f < _FAMILY_MAX; f++)
                for (size_t i = 0; i < EGRESS_SAMPLES && r >= 0; i++) {
                        const Address to = egress_sample(f, i);

                        r = way_look(router, &to, /* port= */ 9, &look->before, order, &look->samples[f][i]);
                        if (r >= 0)
                                r = way_look_tcp(router, &to, &look->samples[f][i], &look->samples_tcp[f][i]);
                }
        return r;
}

int egress_look(void *userdata, void *result) {
        const EgressOrder *order = userdata;
        EgressLook *look = result;
        bool all[PROBES_MAX];
        int r = 0;

        memset(all, true, sizeof(all));
        if (order->netns_fd >= 0)
                r = netns_enter(order->netns_fd);
        if (r >= 0)
                r = netns_cookie_here(&look->cookie);
        if (r >= 0)
                r = links_read(&look->before);
        if (r >= 0)
                r = ways_look(order, look);
        if (r >= 0)
                r = probes_run(order->probes, order->n_probes, order->wanted ?: all, order->timeout_usec,
                               look->answers);
        if (r >= 0)
                r = links_read(&look->after);
        return r;
}
