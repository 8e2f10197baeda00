/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What an earlier run has shown holds for as long as the tunnel is the same one and nothing that decides
 * where packets go has changed: so the clients of a tunnel can start one after the other, and only the first
 * start costs an outage. */

#include "proofs/killswitch.h"

typedef struct KsEarlier {
        char run[ID128_TEXT_SIZE]; /* which run that was */
        char boot_id[ID128_TEXT_SIZE], invocation_id[ID128_TEXT_SIZE];
        char digest[33];
        uint64_t cookie, realtime_usec;
} KsEarlier;

/* -ENOENT: there is none; -EBADMSG: it is none of ours. */
int ks_earlier_read(int dir_fd, const char *subject, KsEarlier *ret);
int ks_earlier_write(int dir_fd, const char *subject, const KsEarlier *earlier);
void ks_earlier_forget(int dir_fd, const char *subject);

/* NULL if it still holds, else what is different, in words. */
const char *ks_earlier_differs(const KsEarlier *earlier, const KsOwner *owner, const char *digest);
