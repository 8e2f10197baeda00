/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What became of a packet's way out of the tunnel's namespace. */

#include <errno.h>

#include "proofs/egress.h"

typedef enum EgressWayState {
        WAY_NONE,  /* no route, and connect() says the same */
        WAY_LOCAL, /* stays in the namespace (loopback) */
        WAY_TUNNEL,
        WAY_BLOCKED, /* beside the tunnel, but a local rule refuses to send */
        WAY_OPEN,    /* beside the tunnel, and a datagram left */
        WAY_UNCLEAR, /* route and attempt contradict each other */
} EgressWayState;

static inline EgressWayState egress_way_state(const EgressWay *way, const LinkSet *links,
                                              const char *interface) {
        const Link *link = links_find(links, way->route.link);

        if (way->route.error != 0)
                return way->connect_error != 0 ? WAY_NONE : WAY_UNCLEAR;
        if (!link)
                return WAY_UNCLEAR;
        if (link_is_tunnel(link, interface))
                return WAY_TUNNEL;
        if (link->flags & IFF_LOOPBACK)
                return WAY_LOCAL;
        /* A route of a family that has no address to come from carries nothing. */
        if (way->connect_error == EADDRNOTAVAIL)
                return WAY_NONE;
        if (!way->pushed)
                return WAY_UNCLEAR;
        if (way->push_error == EPERM || way->push_error == EACCES)
                return WAY_BLOCKED;
        return way->push_error == 0 ? WAY_OPEN : WAY_UNCLEAR;
}
