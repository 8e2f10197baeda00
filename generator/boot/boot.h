/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>

/* What systemd.generator(7) starts: each stack of the host compiled into the generator's output directory.
 * One bad stack never costs another, nor the boot: a worker each, with a deadline, and a stack that did not
 * make it becomes a failed unit. */
typedef struct BootOptions {
        const char *root;       /* "" for the running host */
        const char *output_dir; /* absolute; systemd's "normal" directory */
        const char *kmsg;       /* where diagnostics go, "/dev/kmsg"; its absence is fine */
        int terminal_fd;        /* diagnostics go there as well; -1 for nowhere */
        int stack_ms;           /* for one stack at most */
        int all_ms;             /* for all together; each stack gets at least its equal share of it */
        size_t memory_bytes;    /* for one stack */
} BootOptions;

/* Exit status: 0 if all stacks compiled (or there is none), else 1. */
int boot_run(const BootOptions *o);
