/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The kill-switch proof of a tunnel makes outages: whoever measures the same tunnel stays out of their way.
 * Both sides take the lock RUN_DIR/STACK/.lock-killswitch-TUNNEL (flock(2)): alone for an outage, shared to
 * measure. */

#include <stdint.h>

typedef enum OutageSide {
        OUTAGE_MAKE,
        OUTAGE_MEASURE,
} OutageSide;

/* Held until *ret_fd and all copies of it in children are closed. -EBUSY: not within the time. */
int outage_lock(int dir_fd, const char *tunnel, OutageSide side, uint64_t deadline_usec, int *ret_fd);

typedef struct OutageProof {
        const char *unit; /* that brings the kill-switch proof */
        const char *tunnel, *tunnel_unit;
} OutageProof;

/* Waits until the kill-switch proof has passed for the activation in which the tunnel is now, or until its
 * unit has nothing to do any more; what it came to does not matter. It passes once for each activation
 * (decision 0013) and only looks, later, whether that still holds: nobody has to wait for that. -ETIMEDOUT:
 * neither of the two. */
int outage_await(const OutageProof *proof, int dir_fd, uint64_t deadline_usec);
