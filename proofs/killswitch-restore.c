/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/killswitch-restore.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "proofs/handles.h"
#include "proofs/killswitch.h"
#include "proofs/netns.h"

void ks_files_name(const char *subject, KsFiles *ret) {
        (void) snprintf(ret->keep, sizeof(ret->keep), ".restore-killswitch-%s", subject);
        (void) snprintf(ret->block, sizeof(ret->block), ".blocked-killswitch-%s", subject);
}

void kept_own(Kept *kept, const KsOwner *owner) {
        (void) snprintf(kept->head.boot_id, sizeof(kept->head.boot_id), "%s", owner->boot_id);
        (void) snprintf(kept->head.invocation_id, sizeof(kept->head.invocation_id), "%s",
                        owner->invocation_id);
        kept->head.cookie = owner->cookie;
}

static bool is_of(const Kept *kept, const KsOwner *owner) {
        return strcmp(kept->head.boot_id, owner->boot_id) == 0 &&
               strcmp(kept->head.invocation_id, owner->invocation_id) == 0 &&
               kept->head.cookie == owner->cookie;
}

int ks_restore(int dir_fd, const KsFiles *files, const KsOwner *owner, KeptReport *ret) {
        CLEANUP(kept_done) Kept kept = { .messages = NULL };
        KeptReport report = { .n_back = 0 };
        int r;

        r = ks_unblock();
        if (r < 0)
                return r;
        ret->unblocked = r == 1;
        if (unlinkat(dir_fd, files->block, 0) < 0 && errno != ENOENT)
                return -errno;
        r = kept_load(dir_fd, files->keep, &kept);
        if (r == -ENOENT)
                return ret->unblocked;
        /* A file that is none of ours says nothing about any link. A new start of the tunnel has made its
         * link anew. */
        if (r >= 0 && is_of(&kept, owner)) {
                r = kept_restore(&kept, &report);
                if (r < 0)
                        return r;
        } else if (r < 0 && r != -EBADMSG)
                return r;
        report.unblocked = ret->unblocked;
        *ret = report;
        if (report.n_missing > 0)
                return 1;
        return unlinkat(dir_fd, files->keep, 0) < 0 ? -errno : 1;
}

int ks_restore_work(void *userdata, void *result) {
        const KsRestoreOrder *order = userdata;
        KsRestoreReport *report = result;
        int r = netns_enter(order->netns_fd);

        if (r < 0)
                return r;
        report->left = ks_restore(order->dir_fd, order->files, &order->owner, &report->report);
        return report->left < 0 ? report->left : 0;
}
