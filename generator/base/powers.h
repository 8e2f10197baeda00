/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Capabilities with which a process can leave its network namespace, or change it and what is sent from it
 * (capabilities(7)). Compiler and proofs share this one list: what a Compose file declares is told to the
 * proof in these names. */

/* Where a capability has to hold to count: user namespaces give all of them away, over themselves alone. */
typedef enum PowerReach {
        POWER_OVER_NETWORK, /* over the owner of the network namespace that the process is in */
        POWER_OVER_HOST,    /* over the owner of the host's */
        POWER_OVER_OTHERS,  /* over the host's, and with processes outside of the service in sight */
} PowerReach;

typedef struct PowerRow {
        const char *name; /* "CAP_NET_RAW" */
        unsigned bit;     /* in the kernel's sets */
        PowerReach reach;
        const char *what; /* "it can …", in words that follow "so it can" */
} PowerRow;

enum { POWERS_MAX = 8 };
extern const PowerRow power_rows[POWERS_MAX];

/* Declared in this word: everything. */
#define POWER_ALL "ALL"

/* By name in any case, with or without "CAP_"; NULL for capabilities that do not count. */
const PowerRow *power_find(const char *name);
bool power_is_all(const char *name);
