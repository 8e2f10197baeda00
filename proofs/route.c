/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/route.h"

#include <errno.h>
#include <net/if_arp.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <netlink/route/nexthop.h>
#include <netlink/route/route.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/handles.h"
#include "proofs/mutate.h"

/* Kinds whose packets end up encrypted in some other packet. Kinds that merely pass frames on (veth, bridge,
 * macvlan, ...) never stand here. */
static const struct TunnelKind {
        const char *name;
        bool needs_point_to_point; /* only without link-layer addresses: "tun" is TUN and TAP */
} tunnel_kinds[] = {
        { "wireguard", false }, { "amneziawg", false }, { "tun", true },
        { "ovpn", false },      { "ovpn-dco", false },  { "ppp", false },
        { "xfrm", false },      { "vti", false },       { "vti6", false },
};

void link_from_netlink(struct rtnl_link *from, Link *ret) {
        const char *name = rtnl_link_get_name(from), *kind = rtnl_link_get_type(from);

        *ret = (Link){
                .index = rtnl_link_get_ifindex(from),
                .flags = rtnl_link_get_flags(from),
                .arp_type = rtnl_link_get_arptype(from),
                .sent = rtnl_link_get_stat(from, RTNL_LINK_TX_BYTES),
                .received = rtnl_link_get_stat(from, RTNL_LINK_RX_BYTES),
        };
        (void) snprintf(ret->name, sizeof(ret->name), "%s", name ?: "");
        (void) snprintf(ret->kind, sizeof(ret->kind), "%s", kind ?: "");
}

static void handle_socket(struct nl_sock **socket) {
        nl_socket_free(*socket);
}

static int socket_open(struct nl_sock **ret) {
        struct nl_sock *socket = nl_socket_alloc();

        if (!socket)
                return -ENOMEM;
        if (nl_connect(socket, NETLINK_ROUTE) < 0) {
                nl_socket_free(socket);
                return -EIO;
        }
        *ret = socket;
        return 0;
}

int links_read(LinkSet *ret) {
        CLEANUP(handle_socket) struct nl_sock *socket = NULL;
        struct nl_cache *cache;
        int r;

        r = socket_open(&socket);
        if (r < 0)
                return r;
        if (rtnl_link_alloc_cache(socket, AF_UNSPEC, &cache) < 0)
                return -EIO;
        ret->n = 0;
        for (struct nl_object *o = nl_cache_get_first(cache); o; o = nl_cache_get_next(o)) {
                if (ret->n == LINKS_MAX) {
                        r = -E2BIG;
                        break;
                }
                link_from_netlink((struct rtnl_link *) o, &ret->links[ret->n++]);
        }
        nl_cache_free(cache);
        return r;
}

const Link *links_find(const LinkSet *set, int index) {
        for (size_t i = 0; i < set->n; i++)
                if (set->links[i].index == index)
                        return &set->links[i];
        return NULL;
}

const Link *links_find_name(const LinkSet *set, const char *name) {
        for (size_t i = 0; i < set->n; i++)
                if (strcmp(set->links[i].name, name) == 0)
                        return &set->links[i];
        return NULL;
}

bool link_is_tunnel(const Link *link, const char *name) {
        if (name)
                return strcmp(link->name, name) == 0;
        for (size_t i = 0; i < ARRAY_LENGTH(tunnel_kinds); i++)
                if (strcmp(link->kind, tunnel_kinds[i].name) == 0)
                        return !tunnel_kinds[i].needs_point_to_point || link->arp_type != ARPHRD_ETHER ||
                               mutation_is_on("tunnel-kind");
        return false;
}

bool link_tunnel_kind(size_t i, const char **ret_kind, bool *ret_needs_point_to_point) {
        if (i >= ARRAY_LENGTH(tunnel_kinds))
                return false;
        *ret_kind = tunnel_kinds[i].name;
        *ret_needs_point_to_point = tunnel_kinds[i].needs_point_to_point;
        return true;
}

const Link *links_find_tunnel(const LinkSet *set, const char *name) {
        for (size_t i = 0; i < set->n; i++)
                if ((set->links[i].flags & IFF_UP) && link_is_tunnel(&set->links[i], name))
                        return &set->links[i];
        return NULL;
}

struct Router {
        struct nl_sock *socket;
        RouteAnswer answer;
        bool answered;
};

static int router_on_error(struct sockaddr_nl *from, struct nlmsgerr *error, void *userdata) {
        Router *router = userdata;

        (void) from;
        router->answer = (RouteAnswer){ .error = -error->error };
        router->answered = true;
        return NL_STOP;
}

static Address gateway_of(struct rtnl_nexthop *hop) {
        struct nl_addr *gateway = rtnl_route_nh_get_gateway(hop);

        if (!gateway || nl_addr_get_len(gateway) == 0)
                return (Address){ .family = AF_UNSPEC };
        return address_from_bytes(nl_addr_get_family(gateway), nl_addr_get_binary_addr(gateway));
}

static int router_on_route(struct nl_msg *message, void *userdata) {
        Router *router = userdata;
        struct rtnl_route *route = NULL;

        if (nlmsg_hdr(message)->nlmsg_type != RTM_NEWROUTE ||
            rtnl_route_parse(nlmsg_hdr(message), &route) < 0)
                return NL_SKIP;
        if (rtnl_route_get_nnexthops(route) == 1) {
                struct rtnl_nexthop *hop = rtnl_route_nexthop_n(route, 0);

                router->answer =
                        (RouteAnswer){ .link = rtnl_route_nh_get_ifindex(hop), .via = gateway_of(hop) };
                router->answered = true;
        }
        rtnl_route_put(route);
        return NL_STOP;
}

int router_open(Router **ret) {
        Router *router = calloc(1, sizeof(*router));
        int r;

        if (!router)
                return -ENOMEM;
        r = socket_open(&router->socket);
        if (r < 0) {
                router_close(router);
                return r;
        }
        nl_socket_disable_auto_ack(router->socket);
        (void) nl_socket_modify_cb(router->socket, NL_CB_VALID, NL_CB_CUSTOM, router_on_route, router);
        (void) nl_socket_modify_err_cb(router->socket, NL_CB_CUSTOM, router_on_error, router);
        *ret = router;
        return 0;
}

void router_close(Router *router) {
        if (!router)
                return;
        nl_socket_free(router->socket);
        free(router);
}

int router_ask(Router *router, const Address *to, uint32_t uid, RouteAnswer *ret) {
        return router_ask_protocol(router, to, uid, /* protocol= */ 0, ret);
}

int router_ask_protocol(Router *router, const Address *to, uint32_t uid, uint8_t protocol, RouteAnswer *ret) {
        size_t length = to->family == AF_INET6 ? 16 : 4;
        struct rtmsg header = {
                .rtm_family = (unsigned char) to->family,
                .rtm_dst_len = (unsigned char) (8 * length),
        };
        struct nl_msg *message = nlmsg_alloc_simple(RTM_GETROUTE, NLM_F_REQUEST);
        int r;

        if (!message)
                return -ENOMEM;
        r = nlmsg_append(message, &header, sizeof(header), NLMSG_ALIGNTO);
        if (r >= 0)
                r = nla_put(message, RTA_DST, (int) length, to->bytes);
        if (r >= 0 && uid != ROUTE_ANY_USER)
                r = nla_put_u32(message, RTA_UID, uid);
        if (r >= 0 && protocol != 0 && !mutation_is_on("egress-protocols"))
                r = nla_put_u8(message, RTA_IP_PROTO, protocol);
        router->answered = false;
        if (r >= 0)
                r = nl_send_auto(router->socket, message);
        nlmsg_free(message);
        if (r < 0)
                return -EIO;
        (void) nl_recvmsgs_default(router->socket);
        if (!router->answered)
                return -EBADMSG;
        *ret = router->answer;
        return 0;
}
