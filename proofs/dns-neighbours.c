/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Who stands next to the namespace on a link that is not the tunnel. Engines answer DNS there, at the first
 * address of a container's network, and so do routers. */

#include <errno.h>
#include <netlink/netlink.h>
#include <netlink/route/nexthop.h>
#include <netlink/route/route.h>
#include <string.h>

#include "proofs/dns.h"

typedef struct Neighbours {
        const LinkSet *links;
        const char *interface;
        DnsServer *servers;
        size_t n;
} Neighbours;

static void neighbour_add(Neighbours *all, int family, const void *bytes, const Link *link) {
        DnsServer server = { .address = address_from_bytes(family, bytes) };
        bool link_local = family == AF_INET6 && ((const uint8_t *) bytes)[0] == 0xfe &&
                          (((const uint8_t *) bytes)[1] & 0xc0) == 0x80;

        if (link_local)
                (void) snprintf(server.scope, sizeof(server.scope), "%s", link->name);
        for (size_t i = 0; i < all->n; i++)
                if (address_equal(&all->servers[i].address, &server.address) &&
                    strcmp(all->servers[i].scope, server.scope) == 0)
                        return;
        if (all->n < DNS_NEIGHBOURS_MAX)
                all->servers[all->n++] = server;
}

/* A network that the link is in: its first address. */
static void network_add(Neighbours *all, struct rtnl_route *route, const Link *link) {
        struct nl_addr *to = rtnl_route_get_dst(route);
        unsigned length = to ? nl_addr_get_prefixlen(to) : 0;
        unsigned bits = to ? nl_addr_get_len(to) * 8 : 0;
        uint8_t bytes[16];

        if (rtnl_route_get_type(route) != RTN_UNICAST || length == 0 || length + 1 >= bits ||
            nl_addr_get_len(to) > sizeof(bytes))
                return;
        memcpy(bytes, nl_addr_get_binary_addr(to), nl_addr_get_len(to));
        if (bits == 128 && bytes[0] >= 0xfe) /* link-local, multicast */
                return;
        bytes[bits / 8 - 1] |= 1;
        neighbour_add(all, nl_addr_get_family(to), bytes, link);
}

static void on_route(struct nl_object *object, void *userdata) {
        struct rtnl_route *route = (struct rtnl_route *) object;
        Neighbours *all = userdata;

        for (int i = 0; i < rtnl_route_get_nnexthops(route); i++) {
                struct rtnl_nexthop *hop = rtnl_route_nexthop_n(route, i);
                struct nl_addr *gateway = rtnl_route_nh_get_gateway(hop) ?: rtnl_route_nh_get_via(hop);
                const Link *link = links_find(all->links, rtnl_route_nh_get_ifindex(hop));

                if (!link || (link->flags & IFF_LOOPBACK) || link_is_tunnel(link, all->interface))
                        continue;
                if (gateway)
                        neighbour_add(all, nl_addr_get_family(gateway), nl_addr_get_binary_addr(gateway),
                                      link);
                else
                        network_add(all, route, link);
        }
}

int dns_neighbours(const LinkSet *links, const char *interface, DnsServer *ret, size_t *ret_n) {
        Neighbours all = { links, interface, ret, 0 };
        struct nl_sock *socket = nl_socket_alloc();
        struct nl_cache *cache = NULL;
        int r = -EIO;

        if (!socket)
                return -ENOMEM;
        if (nl_connect(socket, NETLINK_ROUTE) >= 0 &&
            rtnl_route_alloc_cache(socket, AF_UNSPEC, 0, &cache) >= 0) {
                nl_cache_foreach(cache, on_route, &all);
                nl_cache_free(cache);
                *ret_n = all.n;
                r = 0;
        }
        nl_socket_free(socket);
        return r;
}
