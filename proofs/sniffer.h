/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Sees what really leaves by the links of a network namespace: after routes, packet filters and address
 * translation, and after what drops frames below the IP layer (packet(7)). Only packets that carry a nonce of
 * ours, openings of TCP connections and questions for a neighbour get through its filter, so that the traffic
 * of a busy service cannot fill it. */

#include <stdbool.h>
#include <stdint.h>

#include "proofs/address.h"

typedef enum SnifferWhat {
        SNIFFED_NONCE,     /* UDP; nonce and index say which */
        SNIFFED_SYN,       /* TCP; source_port says which */
        SNIFFED_NEIGHBOUR, /* ARP request or neighbour solicitation: a packet waits for its next hop */
} SnifferWhat;

typedef struct Sniffed {
        SnifferWhat what;
        int link;
        uint64_t nonce;
        uint8_t index;
        uint16_t source_port, port; /* SNIFFED_SYN, and: */
        Address to;
} Sniffed;

/* In the current network namespace. */
int sniffer_open(int *ret_fd);

/* The next packet, without waiting: 1, 0: none, or a negative errno. */
int sniffer_next(int fd, Sniffed *ret);

/* Label of a name that is asked for, "unitproof-", 16 digits of the nonce and 2 of the index: where a query
 * has the name of its question the filter looks for it. */
enum { SNIFFER_LABEL_LENGTH = 28 };
void sniffer_label(uint64_t nonce, uint8_t index, char ret[SNIFFER_LABEL_LENGTH + 1]);
