/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The text of the kill rule (decision 0012): what may leave a tunnel's network namespace by another link than
 * the tunnel. Pure; guard-load.c finds the facts and loads it, guard.c says whether it is still there. */

#include <net/if.h>

#include "generator/base/subnet.h"
#include "proofs/util.h"

enum {
        GUARD_SUBNETS_MAX = 128,
        GUARD_LINKS_MAX = 64,
        GUARD_NAMES_MAX = 16,
};

#define GUARD_TABLE "unitproof"

typedef struct SubnetList {
        Subnet items[GUARD_SUBNETS_MAX];
        size_t n;
} SubnetList;

typedef struct GuardFacts {
        const char *cgroup; /* of the tunnel's unit, relative to the hierarchy: "system.slice/x" */
        const char *interfaces[GUARD_NAMES_MAX]; /* the tunnel's links by name; none: by kind */
        size_t n_interfaces;
        char uplinks[GUARD_LINKS_MAX][IF_NAMESIZE]; /* links that are there and not the tunnel's */
        size_t n_uplinks;
        SubnetList near;     /* private subnets that an uplink is in */
        SubnetList gateways; /* next hops */
        SubnetList allow;    /* the operator's exceptions */
        uint32_t mark;       /* not 0, and known to nobody */
} GuardFacts;

/* One transaction for nft_run(), owned by the caller. -EINVAL: a name that cannot be written in a rule. */
int guard_rules(const GuardFacts *facts, char **ret_batch);

/* What can stand between quotation marks in nft's language and means itself there. */
bool guard_name_is_valid(const char *name);
