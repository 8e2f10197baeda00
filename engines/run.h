/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Runs a program: an argv array, no shell, a small fixed environment, a deadline, bounded output. */

#include <stdint.h>

enum { SPAWN_OUTPUT_MAX = 1024 * 1024 };

typedef struct Spawned {
        int status;   /* exit status, 128 + signal number if killed by one */
        char *output; /* stdout, NUL-terminated, owned */
        char *errors; /* stderr, the same */
} Spawned;

/* Waits for the end. -ETIMEDOUT: the deadline (CLOCK_MONOTONIC, microseconds) came first, and the whole
 * process group was killed; -EFBIG: too much output, likewise; -ENOENT: no such program. */
int spawn_run(const char *const argv[], uint64_t deadline_usec, Spawned *ret);

void spawned_done(Spawned *spawned);
