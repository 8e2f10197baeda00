/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* rtnetlink(7) as messages: what is dumped can be compared, hashed and sent back without understanding all of
 * it. */

#include <linux/netlink.h>
#include <netlink/netlink.h>

typedef enum RtnlTable {
        RTNL_ADDRESSES,
        RTNL_ROUTES,
        RTNL_RULES,
        RTNL_NEIGHBOURS,
        _RTNL_TABLE_MAX,
} RtnlTable;

typedef int (*RtnlVisit)(const struct nlmsghdr *message, void *userdata); /* negative errno: stop */

int rtnl_open(struct nl_sock **ret);

/* One table of one family (AF_INET, AF_INET6), in the kernel's order. */
int rtnl_dump(RtnlTable table, int family, RtnlVisit visit, void *userdata);

/* Sends a copy of the message as this type with these flags, and waits for the kernel's word. */
int rtnl_replay(struct nl_sock *socket, const struct nlmsghdr *message, int type, int flags);

/* What makes an address, a route or a rule the one that it is, without what changes by itself (ages, states).
 * Returns the length, at most size. */
size_t rtnl_identity(const struct nlmsghdr *message, size_t size, uint8_t *ret);

/* The only link that a route leads over; -1: over several, 0: none. */
int rtnl_route_link(const struct nlmsghdr *message);
bool rtnl_route_uses(const struct nlmsghdr *message, int index);

/* "IPv4 route to 192.0.2.0/24 in table 254" */
void rtnl_text(const struct nlmsghdr *message, size_t size, char *ret);

static inline void handle_nl_socket(struct nl_sock **socket) {
        nl_socket_free(*socket);
}
