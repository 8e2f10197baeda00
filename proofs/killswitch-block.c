/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The peer dies: nothing passes any more between the tunnel's process and its server. Only one flow, in both
 * directions, in a table of our own: whatever else there is, nothing is allowed by it. */

#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include "proofs/handles.h"
#include "proofs/killswitch.h"
#include "proofs/nft.h"

#define TABLE "inet unitproof-drill"

static char *direction_rule(const KsFlow *carrier, bool out) {
        char address[ADDRESS_TEXT_SIZE];
        const char *ip = carrier->family == AF_INET6 ? "ip6" : "ip";
        bool ports = carrier->protocol == IPPROTO_UDP || carrier->protocol == IPPROTO_TCP;
        CLEANUP(handle_free) char *port = NULL;

        port = ports ? text_format(" th %s %u", out ? "dport" : "sport", carrier->port) : strdup("");
        if (!port)
                return NULL;
        return text_format("chain %s { type filter hook %s priority -400; policy accept;\n"
                           "%s %s %s meta l4proto %u%s drop\n}\n",
                           out ? "sent" : "arrived", out ? "output" : "prerouting", ip,
                           out ? "daddr" : "saddr", address_text(&carrier->remote, address),
                           carrier->protocol, port);
}

int ks_block(const KsFlow *carrier, char **ret_error) {
        CLEANUP(handle_free) char *out = direction_rule(carrier, true);
        CLEANUP(handle_free) char *in = direction_rule(carrier, false);
        CLEANUP(handle_free) char *batch = NULL;

        if (!out || !in)
                return -ENOMEM;
        batch = text_format("add table " TABLE "\ndelete table " TABLE "\ntable " TABLE " {\n%s%s}\n", out,
                            in);
        return batch ? nft_run(batch, ret_error) : -ENOMEM;
}

int ks_unblock(void) {
        CLEANUP(handle_free) char *text = NULL;
        int r;

        /* Looked for first: a kernel without nf_tables has no table to take away. */
        r = nft_list("list table " TABLE, &text);
        if (r == -ENOENT || r == -EPROTO)
                return 0;
        return r < 0 ? r : nft_run("delete table " TABLE "\n", NULL);
}
