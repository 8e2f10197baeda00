/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Gives back what a kill-switch proof that was killed has taken away. */

#include "proofs/kept.h"

/* Whose it is: an activation of the tunnel in one namespace of one boot. For any other it is void. */
typedef struct KsOwner {
        const char *boot_id, *invocation_id;
        uint64_t cookie;
} KsOwner;

/* ".restore-killswitch-SUBJECT", owned by the caller. */
char *ks_keep_name(const char *subject);

void kept_own(Kept *kept, const KsOwner *owner);

/* In the caller's namespace. 1: something was given back, or was left and is void; 0: nothing was left. With
 * ret->n_missing > 0 the link is down and the file is still there. */
int ks_restore(int dir_fd, const char *name, const KsOwner *owner, KeptReport *ret);

typedef struct KsRestoreOrder {
        int netns_fd, dir_fd;
        const char *keep_name;
        KsOwner owner;
} KsRestoreOrder;

typedef struct KsRestoreReport {
        int left; /* as ks_restore() returns */
        KeptReport report;
} KsRestoreReport;

/* The tunnel's server can be reached again: 1, or 0 if it could all the time. Also by the sweep, since a
 * tunnel that starts anew could not come up otherwise. */
int ks_unblock(void);

/* ChildWork: enters the namespace and does it. */
int ks_restore_work(void *userdata, void *result);
