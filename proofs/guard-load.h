/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Loads the kill rule into a network namespace: finds the links, subnets and gateways that are there,
 * replaces the tables in one transaction, and looks whether they are there. */

#include <stddef.h>

#include "proofs/guard-rules.h"

enum { GUARD_ERROR_MAX = 400, GUARD_NOTE_MAX = 200 };

typedef struct GuardOrder {
        int netns_fd;
        const char *run_dir, *tunnel_unit, *cgroup; /* see GuardFacts */
        const char *const *interfaces;
        size_t n_interfaces;
        const SubnetList *allow;
} GuardOrder;

typedef struct GuardReport {
        unsigned n_uplinks, n_near;
        char public_subnet[GUARD_NOTE_MAX]; /* "eth0 is in 203.0.113.0/24", or "" */
        char error[GUARD_ERROR_MAX];        /* what nft said, or "" */
} GuardReport;

/* ChildWork, for a child only: userdata is a GuardOrder. */
int guard_load(void *userdata, void *result);
