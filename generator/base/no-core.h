/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A process that has read secrets leaves no image of itself: neither as a file nor to whoever collects
 * crashes. What it starts may have cores again, up to the limit that there was. */

#include <sys/prctl.h>
#include <sys/resource.h>

#include "generator/base/sanitizer.h"

static inline void process_leave_no_core(void) {
        struct rlimit limit;

        if (getrlimit(RLIMIT_CORE, &limit) == 0) {
                limit.rlim_cur = 0;
                (void) setrlimit(RLIMIT_CORE, &limit);
        }
        /* The leak check of sanitizers attaches to its own process. */
        if (!BUILT_WITH_ADDRESS_SANITIZER)
                (void) prctl(PR_SET_DUMPABLE, 0);
}
