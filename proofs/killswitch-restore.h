/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Gives back what a kill-switch proof that was killed has taken away. */

#include "proofs/kept.h"
#include "proofs/util.h"

/* Whose it is: an activation of the tunnel in one namespace of one boot. For any other it is void. */
typedef struct KsOwner {
        const char *boot_id, *invocation_id;
        uint64_t cookie;
} KsOwner;

/* What is down there, as files in the stack's run directory: while one of them is there something has been
 * taken away, or is about to be. */
typedef struct KsFiles {
        char keep[NAME_LENGTH_MAX + 24]; /* ".restore-killswitch-SUBJECT": the link, with what goes with it */
        char block[NAME_LENGTH_MAX + 24]; /* ".blocked-killswitch-SUBJECT": the carrier */
} KsFiles;

void ks_files_name(const char *subject, KsFiles *ret);

void kept_own(Kept *kept, const KsOwner *owner);

/* In the caller's namespace. 1: something was given back, or was left and is void; 0: nothing was left. With
 * ret->n_missing > 0 the link is down and the file is still there. */
int ks_restore(int dir_fd, const KsFiles *files, const KsOwner *owner, KeptReport *ret);

typedef struct KsRestoreOrder {
        int netns_fd, dir_fd;
        const KsFiles *files;
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
