/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Work that may crash, hang or eat memory, in a process of its own. At boot a generator that dies by a signal
 * takes its siblings with it, and one that hangs stops the boot, so the parent only waits, and never longer
 * than it was told. */
typedef int (*WorkerMain)(void *userdata);

typedef struct WorkerLimits {
        int timeout_ms;
        size_t memory_bytes; /* RLIMIT_AS; programs that the worker runs do not inherit it (program.h) */
} WorkerLimits;

typedef enum WorkerOutcome {
        WORKER_EXITED,      /* status: what the function returned */
        WORKER_SIGNALED,    /* status: signal */
        WORKER_TIMED_OUT,   /* killed by us, with all that it had started */
        WORKER_NOT_STARTED, /* status: negative errno */
        _WORKER_OUTCOME_MAX,
} WorkerOutcome;

typedef struct WorkerResult {
        WorkerOutcome outcome;
        int status;
        char said[1024]; /* the beginning of what it wrote to standard output and error */
} WorkerResult;

void worker_run(WorkerMain fn, void *userdata, const WorkerLimits *limits, WorkerResult *ret);

/* "was killed by signal 11 (Segmentation fault)", … into a buffer of the caller: the parent allocates
 * nothing. */
void worker_describe(const WorkerResult *r, char *ret_text, size_t size);
