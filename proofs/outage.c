/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/outage.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>

#include "proofs/bus.h"
#include "proofs/handles.h"
#include "proofs/killswitch-earlier.h"
#include "proofs/unit.h"

#define OUTAGE_PAUSE (50 * USEC_PER_MSEC)

int outage_lock(int dir_fd, const char *tunnel, OutageSide side, uint64_t deadline_usec, int *ret_fd) {
        CLEANUP(handle_free) char *name = text_format(".lock-killswitch-%s", tunnel);
        CLEANUP(handle_close) int fd = -1;

        if (!name)
                return -ENOMEM;
        fd = openat(dir_fd, name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0)
                return -errno;
        while (flock(fd, (side == OUTAGE_MAKE ? LOCK_EX : LOCK_SH) | LOCK_NB) < 0) {
                if (errno != EWOULDBLOCK && errno != EINTR)
                        return -errno;
                if (time_left_msec(deadline_usec) == 0)
                        return -EBUSY;
                time_sleep_usec(OUTAGE_PAUSE);
        }
        *ret_fd = handle_take_fd(&fd);
        return 0;
}

/* It has passed, and is only looking whether that still holds: if not, the lock keeps the two apart. */
static bool has_passed(int dir_fd, const char *tunnel, const char *boot_id, const char *invocation_id) {
        KsEarlier earlier;

        return ks_earlier_read(dir_fd, tunnel, &earlier) >= 0 && strcmp(earlier.boot_id, boot_id) == 0 &&
               strcmp(earlier.invocation_id, invocation_id) == 0;
}

/* 1: systemd has nothing to do for the proof's unit any more, or does not know it. */
static int has_settled(const char *proof_unit) {
        CLEANUP(handle_bus) sd_bus *bus = NULL;
        UnitState state;
        int r;

        r = bus_open(&bus);
        if (r >= 0)
                r = bus_unit_state(bus, proof_unit, &state);
        if (r < 0)
                return r;
        return !state.loaded || (state.job[0] == '\0' && strcmp(state.active, "activating") != 0 &&
                                 strcmp(state.active, "deactivating") != 0);
}

int outage_await(const OutageProof *proof, int dir_fd, uint64_t deadline_usec) {
        char boot[ID128_TEXT_SIZE];
        int r;

        r = id128_boot(boot);
        if (r < 0)
                return r;
        for (;;) {
                char invocation[ID128_TEXT_SIZE] = "";

                (void) unit_invocation(proof->tunnel_unit, invocation);
                if (has_passed(dir_fd, proof->tunnel, boot, invocation))
                        return 0;
                r = has_settled(proof->unit);
                if (r != 0)
                        return r < 0 ? r : 0;
                if (time_left_msec(deadline_usec) == 0)
                        return -ETIMEDOUT;
                time_sleep_usec(OUTAGE_PAUSE);
        }
}
