/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/guard-load.h"

#include <errno.h>
#include <netlink/netlink.h>
#include <netlink/route/addr.h>
#include <netlink/route/nexthop.h>
#include <netlink/route/route.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "proofs/guard.h"
#include "proofs/handles.h"
#include "proofs/netns.h"
#include "proofs/nft.h"
#include "proofs/route.h"

typedef struct Load {
        const GuardOrder *order;
        GuardReport *report;
        LinkSet links;
        GuardFacts facts;
} Load;

static void handle_socket(struct nl_sock **socket) {
        nl_socket_free(*socket);
}

static int list_add(SubnetList *list, const Subnet *subnet) {
        for (size_t i = 0; i < list->n; i++)
                if (memcmp(&list->items[i], subnet, sizeof(*subnet)) == 0)
                        return 0;
        if (list->n == GUARD_SUBNETS_MAX)
                return -E2BIG;
        list->items[list->n++] = *subnet;
        return 0;
}

static bool is_tunnel(const Load *l, const Link *link) {
        for (size_t i = 0; i < l->order->n_interfaces; i++)
                if (link_is_tunnel(link, l->order->interfaces[i]))
                        return true;
        return l->order->n_interfaces == 0 && link_is_tunnel(link, /* name= */ NULL);
}

static const Link *uplink_find(const Load *l, int index) {
        const Link *link = links_find(&l->links, index);

        return link && !(link->flags & IFF_LOOPBACK) && !is_tunnel(l, link) ? link : NULL;
}

static int links_take(Load *l) {
        int r;

        r = links_read(&l->links);
        if (r < 0)
                return r;
        for (size_t i = 0; i < l->links.n; i++) {
                const Link *link = uplink_find(l, l->links.links[i].index);

                if (!link)
                        continue;
                if (l->facts.n_uplinks == GUARD_LINKS_MAX)
                        return -E2BIG;
                memcpy(l->facts.uplinks[l->facts.n_uplinks++], link->name, IF_NAMESIZE);
        }
        l->report->n_uplinks = (unsigned) l->facts.n_uplinks;
        return 0;
}

/* Link-local addresses are left out: the host has one there too, by which it would be reached past the
 * gateway's. */
static int address_take(Load *l, struct rtnl_addr *address) {
        const Link *link = uplink_find(l, rtnl_addr_get_ifindex(address));
        struct nl_addr *local = rtnl_addr_get_local(address);
        char text[SUBNET_TEXT_SIZE];
        Subnet subnet;

        if (!link || !local ||
            !subnet_from_bytes(nl_addr_get_family(local), nl_addr_get_binary_addr(local),
                               nl_addr_get_prefixlen(local), &subnet) ||
            subnet_is_link_local(&subnet))
                return 0;
        if (subnet_is_private(&subnet))
                return list_add(&l->facts.near, &subnet);
        (void) snprintf(l->report->public_subnet, sizeof(l->report->public_subnet), "%s is in %s", link->name,
                        subnet_text(&subnet, text));
        return 0;
}

static int addresses_take(Load *l, struct nl_sock *socket) {
        struct nl_cache *cache;
        int r = 0;

        if (rtnl_addr_alloc_cache(socket, &cache) < 0)
                return -EIO;
        for (struct nl_object *o = nl_cache_get_first(cache); o && r >= 0; o = nl_cache_get_next(o))
                r = address_take(l, (struct rtnl_addr *) o);
        nl_cache_free(cache);
        l->report->n_near = (unsigned) l->facts.near.n;
        return r;
}

static int route_take(Load *l, struct rtnl_route *route) {
        int r = 0;

        for (int i = 0; i < rtnl_route_get_nnexthops(route) && r >= 0; i++) {
                struct rtnl_nexthop *hop = rtnl_route_nexthop_n(route, i);
                struct nl_addr *gateway = rtnl_route_nh_get_gateway(hop) ?: rtnl_route_nh_get_via(hop);
                Subnet subnet;

                if (gateway && uplink_find(l, rtnl_route_nh_get_ifindex(hop)) &&
                    subnet_from_bytes(nl_addr_get_family(gateway), nl_addr_get_binary_addr(gateway),
                                      nl_addr_get_len(gateway) * 8, &subnet))
                        r = list_add(&l->facts.gateways, &subnet);
        }
        return r;
}

static int routes_take(Load *l, struct nl_sock *socket) {
        struct nl_cache *cache;
        int r = 0;

        if (rtnl_route_alloc_cache(socket, AF_UNSPEC, 0, &cache) < 0)
                return -EIO;
        for (struct nl_object *o = nl_cache_get_first(cache); o && r >= 0; o = nl_cache_get_next(o))
                r = route_take(l, (struct rtnl_route *) o);
        nl_cache_free(cache);
        return r;
}

static int facts_take(Load *l) {
        CLEANUP(handle_socket) struct nl_sock *socket = nl_socket_alloc();
        const GuardOrder *order = l->order;
        int r;

        if (!socket)
                return -ENOMEM;
        if (nl_connect(socket, NETLINK_ROUTE) < 0)
                return -EIO;
        l->facts.cgroup = order->cgroup;
        l->facts.allow = *order->allow;
        l->facts.n_interfaces = order->n_interfaces;
        for (size_t i = 0; i < order->n_interfaces; i++)
                l->facts.interfaces[i] = order->interfaces[i];
        while (l->facts.mark == 0)
                if (getrandom(&l->facts.mark, sizeof(l->facts.mark), 0) != (ssize_t) sizeof(l->facts.mark))
                        return -EIO;
        r = links_take(l);
        if (r >= 0)
                r = addresses_take(l, socket);
        if (r >= 0)
                r = routes_take(l, socket);
        return r;
}

int guard_load(void *userdata, void *result) {
        CLEANUP(handle_free) char *batch = NULL, *error = NULL;
        const GuardOrder *order = userdata;
        GuardReport *report = result;
        CLEANUP(handle_free) Load *l = calloc(1, sizeof(*l));
        int r;

        if (!l)
                return -ENOMEM;
        l->order = order;
        l->report = report;
        r = netns_enter(order->netns_fd);
        if (r >= 0)
                r = facts_take(l);
        if (r >= 0)
                r = guard_rules(&l->facts, &batch);
        if (r < 0)
                return r;
        r = nft_run(batch, &error);
        if (r == -EPROTO) { /* with words: the report carries them */
                (void) snprintf(report->error, sizeof(report->error), "%s", error ?: "nft refused");
                return 0;
        }
        /* Also says whether it is there. */
        return r < 0 ? r : guard_keep(order->run_dir, order->tunnel_unit);
}
