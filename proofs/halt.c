/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/halt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "proofs/bus.h"
#include "proofs/handles.h"
#include "proofs/record-read.h"
#include "proofs/util.h"

#define HALT_PATIENCE_USEC (60 * USEC_PER_SEC)
#define HALT_PAUSE_USEC (100 * USEC_PER_MSEC)

/* The mark has its ID, and no file says that its record could not be written. */
static bool is_dealt_with(const char *run_dir, const Record *record, bool running) {
        CLEANUP(handle_free) char *path = record_halted_path(running, record->proof, record->subject);
        CLEANUP(handle_free) char *leak = record_leak_name(record->proof, record->subject), *text = NULL;
        CLEANUP(handle_close) int dir_fd = -1;

        if (!path || !leak ||
            record_dir_open(run_dir, record->stack, /* owner= */ 0, &dir_fd) != RECORD_FAULT_NONE)
                return false;
        return faccessat(dir_fd, leak, F_OK, AT_SYMLINK_NOFOLLOW) < 0 &&
               file_read_at(dir_fd, path, SMALL_FILE_MAX, &text, NULL) >= 0 &&
               strncmp(text, record->id, ID128_TEXT_SIZE - 1) == 0;
}

/* The end of the job says nothing: the halt unit fails in any case. */
static int halt_start(sd_bus *bus, void *userdata) {
        char result[32];

        return bus_unit_start(bus, userdata, sizeof(result), result);
}

void halt_insist(const char *halt_unit, const char *run_dir, const Record *record, bool running) {
        uint64_t deadline = time_monotonic_usec() + HALT_PATIENCE_USEC;

        for (;;) {
                int r = bus_ask(HALT_PATIENCE_USEC, halt_start, (void *) (uintptr_t) halt_unit);

                if (is_dealt_with(run_dir, record, running))
                        return;
                if (r == -ENOENT || time_left_msec(deadline) == 0) {
                        fprintf(stderr, "unitproof: %s did not halt stack %s: %s\n", halt_unit, record->stack,
                                r < 0 ? strerror(-r) : "see its journal");
                        return;
                }
                time_sleep_usec(HALT_PAUSE_USEC);
        }
}
