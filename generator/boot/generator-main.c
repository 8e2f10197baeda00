/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitproof-generator NORMAL-DIR [EARLY-DIR LATE-DIR]: started by systemd at boot and at daemon-reload,
 * systemd.generator(7). */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "generator/base/no-core.h"
#include "generator/boot/boot.h"

enum {
        STACK_MS = 5 * 1000,
        ALL_MS = 20 *
                 1000, /* systemd gives all generators together 90 s, and every second is one of the boot */
};
#define MEMORY_BYTES ((size_t) 1536 * 1024 * 1024)

/* systemd gives /dev/null or /dev/kmsg, where we write anyway; a person who runs the generator by hand wants
 * to read. */
static int terminal(void) {
        struct stat st;

        if (fstat(STDERR_FILENO, &st) < 0)
                return -1;
        if (S_ISCHR(st.st_mode) && (st.st_rdev == makedev(1, 3) || st.st_rdev == makedev(1, 11)))
                return -1;
        return fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
}

int main(int argc, char **argv) {
        BootOptions o = {
                .root = "",
                .kmsg = "/dev/kmsg",
                .terminal_fd = -1,
                .stack_ms = STACK_MS,
                .all_ms = ALL_MS,
                .memory_bytes = MEMORY_BYTES,
        };

        if ((argc != 2 && argc != 4) || argv[1][0] != '/') {
                fprintf(stderr,
                        "usage: %s NORMAL-DIR [EARLY-DIR LATE-DIR], absolute paths; see "
                        "unitproof-generator(8)\n",
                        argc > 0 ? argv[0] : "unitproof-generator");
                return EXIT_FAILURE;
        }
        process_leave_no_core();
        (void) umask(0022);
        (void) signal(SIGPIPE, SIG_IGN);
        o.output_dir = argv[1];
        o.terminal_fd = terminal();
        return boot_run(&o);
}
