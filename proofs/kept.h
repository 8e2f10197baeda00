/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What a link loses by going down: its IPv6 addresses and every route that leads over it. Kept as the
 * kernel's own messages, which are sent back to it later, so that nothing of them has to be understood. All
 * functions but kept_load() and kept_save() work in the caller's network namespace. */

#include <net/if.h>

#include "proofs/util.h"

enum {
        KEPT_MESSAGES_MAX = 1024,
        KEPT_SIZE_MAX = 1024 * 1024,
        KEPT_TEXT_SIZE = 160,
};

/* Of a moment, a namespace and a link: of any other it says nothing. */
typedef struct KeptHead {
        char magic[8];
        char boot_id[ID128_TEXT_SIZE];
        char invocation_id[ID128_TEXT_SIZE]; /* of the tunnel's unit */
        char name[IF_NAMESIZE];
        uint64_t cookie; /* of the namespace */
        int32_t index;
        uint32_t flags;  /* IFF_* */
        uint32_t n;      /* messages */
        uint32_t length; /* of them together, each aligned as in a netlink datagram */
} KeptHead;

typedef struct Kept {
        KeptHead head;
        uint8_t *messages; /* owned */
} Kept;

typedef struct KeptReport {
        unsigned n_back, n_missing;
        char missing[KEPT_TEXT_SIZE]; /* the first of those, in words */
        bool gone;                    /* the link itself: nothing can be given back, nothing is open */
        bool unblocked;               /* it could not reach its server, and now can */
        bool down;                    /* it was set down again, since something is missing */
} KeptReport;

/* Fills index, name, flags and the messages. -ENOTSUP: something of it could not be given back (routes by
 * nexthop objects, which the kernel drops with the link). */
int kept_read(int index, Kept *ret);

/* A file of mode 0600, on disk when this returns. */
int kept_save(int dir_fd, const char *name, const Kept *kept);
/* -ENOENT: there is none; -EBADMSG: it is none of ours. */
int kept_load(int dir_fd, const char *name, Kept *ret);

/* Sets the link up and gives everything back, then looks whether it is there. If not, the link is set down
 * again: closed is better than half. */
int kept_restore(const Kept *kept, KeptReport *ret);

/* Whether everything is there now. */
int kept_compare(const Kept *kept, KeptReport *ret);

int link_set_up(int index, bool up);

void kept_done(Kept *kept);
