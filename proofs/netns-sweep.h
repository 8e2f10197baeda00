/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Clears a network namespace of what a tunnel that was killed has left in it: routing rules and tunnel links.
 * A tunnel that finds its own leavings fails at each start ("adding rule: file exists"). Kept is what
 * protects while the tunnel is down and what belongs to the engine: the packet filter, addresses, links of
 * any other kind and the routes over them, and the three rules that the kernel itself makes. */

#include <linux/netlink.h>

#include "proofs/route.h"

enum {
        SWEEP_RULES_MAX = 256, /* for each family and round */
        SWEEP_ROUNDS_MAX = 3,  /* until nothing is left */
        SWEEP_LISTED_MAX = 32,
        SWEEP_TEXT_SIZE = 96,
};

typedef struct SweepReport {
        unsigned n_rules, n_links;                       /* removed */
        unsigned n_left;                                 /* could not be removed */
        unsigned n_held;                                 /* tunnel links that a process still holds */
        char removed[SWEEP_LISTED_MAX][SWEEP_TEXT_SIZE]; /* the first of them, one phrase each */
        char held[IF_NAMESIZE];                          /* the first of those */
} SweepReport;

/* ChildWork, for a child only: userdata is an int, the namespace's descriptor; result a SweepReport. */
int netns_sweep(void *userdata, void *result);

/* Whether a message of type RTM_NEWRULE is one of the rules that every new namespace has. */
bool sweep_rule_is_default(const struct nlmsghdr *message);
