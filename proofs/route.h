/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Links and routing decisions of the network namespace that the caller is in, through rtnetlink(7). */

#include <net/if.h>

#include "proofs/address.h"

enum { LINKS_MAX = 64 };

typedef struct Link {
        int index;
        char name[IF_NAMESIZE];
        char kind[16];           /* IFLA_INFO_KIND: "tun", "veth", ...; "" for hardware and lo */
        unsigned flags;          /* IFF_* */
        unsigned arp_type;       /* ARPHRD_* */
        uint64_t sent, received; /* bytes */
} Link;

typedef struct LinkSet {
        Link links[LINKS_MAX];
        size_t n;
} LinkSet;

/* -E2BIG: more than LINKS_MAX. */
int links_read(LinkSet *ret);
const Link *links_find(const LinkSet *set, int index);
const Link *links_find_name(const LinkSet *set, const char *name);

struct rtnl_link;
void link_from_netlink(struct rtnl_link *from, Link *ret);

/* Whether the link is the tunnel: by name if one is given, else by its kind. A TAP device is not taken for a
 * tunnel unless it is named: user-mode networking of rootless containers looks just like it. */
bool link_is_tunnel(const Link *link, const char *name);

/* The kinds of that table, one by one; false behind the last. */
bool link_tunnel_kind(size_t i, const char **ret_kind, bool *ret_needs_point_to_point);

/* First link that is the tunnel and up, or NULL. */
const Link *links_find_tunnel(const LinkSet *set, const char *name);

typedef struct RouteAnswer {
        int error;   /* 0: there is a way; else errno: ENETUNREACH, EACCES (prohibit), ... */
        int link;    /* index of the link it takes */
        Address via; /* the next hop; AF_UNSPEC: the address itself */
} RouteAnswer;

#define ROUTE_ANY_USER UINT32_MAX

typedef struct Router Router;

int router_open(Router **ret);
void router_close(Router *router);

/* Asks where the kernel would send a packet of this user (ROUTE_ANY_USER: of the caller). Nothing is sent. */
int router_ask(Router *router, const Address *to, uint32_t uid, RouteAnswer *ret);

/* The same for packets of a protocol (IPPROTO_TCP, ...): rules can treat them apart. 0: of none, which meets
 * no rule about protocols. */
int router_ask_protocol(Router *router, const Address *to, uint32_t uid, uint8_t protocol, RouteAnswer *ret);

static inline void handle_router(Router **router) {
        router_close(*router);
}
