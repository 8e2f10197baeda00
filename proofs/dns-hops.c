/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A query that waits for its next hop leaves when that appears. The question for it need not be seen: it may
 * have been asked a moment before, by whoever, and of one that was not found just now the kernel asks no more
 * for a while. */

#include <errno.h>
#include <linux/neighbour.h>
#include <netlink/msg.h>
#include <stdint.h>

#include "proofs/dns.h"
#include "proofs/rtnl-dump.h"

static int on_neighbour(const struct nlmsghdr *message, void *userdata) {
        const struct ndmsg *header = nlmsg_data(message);
        const struct nlattr *to =
                nlmsg_find_attr((struct nlmsghdr *) (uintptr_t) message, sizeof(*header), NDA_DST);
        DnsLook *look = userdata;
        Address hop;

        if (!(header->ndm_state & (NUD_INCOMPLETE | NUD_FAILED)) || !to)
                return 0;
        if (nla_len(to) != (header->ndm_family == AF_INET6 ? 16 : 4))
                return 0;
        hop = address_from_bytes(header->ndm_family, nla_data(to));
        for (size_t i = 0; i < look->n_targets; i++) {
                const RouteAnswer *route = &look->tries[i].route;

                if (route->link == header->ndm_ifindex &&
                    address_equal(&hop, route->via.family != AF_UNSPEC ? &route->via
                                                                       : &look->targets[i].server.address))
                        look->tries[i].unresolved = true;
        }
        return 0;
}

int dns_hops_look(DnsLook *look) {
        for (Family f = 0; f < _FAMILY_MAX; f++) {
                int r = rtnl_dump(RTNL_NEIGHBOURS, family_to_af(f), on_neighbour, look);

                if (r < 0 && r != -EOPNOTSUPP) /* a kernel without that family */
                        return r;
        }
        return 0;
}
