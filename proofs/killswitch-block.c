/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The server falls silent: nothing that it sends arrives any more. Only that one flow, and only what comes
 * in, in a table of our own: the tunnel's process meets no error that a silent server would not give it, and
 * nothing is allowed by it. */

#include <errno.h>
#include <netinet/in.h>
#include <string.h>

#include "proofs/handles.h"
#include "proofs/killswitch.h"
#include "proofs/nft.h"

#define TABLE "inet unitproof-drill"

int ks_block(const KsFlow *carrier, char **ret_error) {
        char address[ADDRESS_TEXT_SIZE];
        bool ports = carrier->protocol == IPPROTO_UDP || carrier->protocol == IPPROTO_TCP;
        CLEANUP(handle_free) char *batch = NULL, *port = NULL;

        port = ports ? text_format(" th sport %u", carrier->port) : strdup("");
        if (!port)
                return -ENOMEM;
        batch = text_format("add table " TABLE "\ndelete table " TABLE "\ntable " TABLE " {\n"
                            "chain arrived { type filter hook prerouting priority -400; policy accept;\n"
                            "%s saddr %s meta l4proto %u%s drop\n}\n}\n",
                            carrier->family == AF_INET6 ? "ip6" : "ip",
                            address_text(&carrier->remote, address), carrier->protocol, port);
        return batch ? nft_run(batch, ret_error) : -ENOMEM;
}

int ks_unblock(void) {
        CLEANUP(handle_free) char *text = NULL;
        int r;

        /* Looked for first: a kernel without nf_tables has no table to take away. */
        r = nft_list("list table " TABLE, &text);
        if (r == -ENOENT || r == -EPROTO)
                return 0;
        if (r >= 0)
                r = nft_run("delete table " TABLE "\n", NULL);
        return r < 0 ? r : 1;
}
