/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

#include "generator/base/arena.h"

/* One run of another program, argv and environment given, its words captured, never longer than a deadline.
 * It dies with us (PR_SET_PDEATHSIG), reads /dev/null, and gets neither our descriptors nor our limits: a
 * limit on our own memory would kill a Go program, which reserves far more than it uses. */
typedef struct ProgramJob {
        const char *program;     /* absolute path */
        const char *const *argv; /* NULL-terminated */
        const char *const *env;  /* NULL-terminated: all that it gets */
        int timeout_ms;
        bool errors_only; /* capture standard error alone; standard output is discarded */
} ProgramJob;

typedef enum ProgramOutcome {
        PROGRAM_EXITED,      /* status: exit status */
        PROGRAM_SIGNALED,    /* status: signal */
        PROGRAM_TIMED_OUT,   /* killed by us */
        PROGRAM_NOT_STARTED, /* status: negative errno */
        _PROGRAM_OUTCOME_MAX,
} ProgramOutcome;

typedef struct ProgramResult {
        ProgramOutcome outcome;
        int status;
        const char *said; /* its words, control characters but newline and tab replaced */
        bool cut;         /* there were more than PROGRAM_SAID_MAX bytes of them */
} ProgramResult;

enum { PROGRAM_SAID_MAX = 256 * 1024 };

void program_run(Arena *a, const ProgramJob *job, ProgramResult *ret);

/* "ended with status 1", "was killed by signal 9", "did not end within 4.0 seconds", "could not be started:
 * …". */
const char *program_outcome_text(Arena *a, const ProgramJob *job, const ProgramResult *r);
