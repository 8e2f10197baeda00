/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The three values of a proof. "Could not find out" is never "passed": it has its own value, its own
 * exit status and its own word. */

#include <errno.h>
#include <stdbool.h>

typedef enum Verdict {
        VERDICT_PASSED,
        VERDICT_FAILED,
        VERDICT_UNPROVEN,
        _VERDICT_MAX,
        _VERDICT_INVALID = -EINVAL,
} Verdict;

enum {
        EXIT_STATUS_USAGE = 2, /* wrong command line: no proof was run */
};

const char *verdict_name(Verdict verdict);

/* _VERDICT_INVALID for anything but the three words. */
Verdict verdict_from_name(const char *name);

/* 0, 1, 3. Anything that is no verdict maps to the status of "unproven". */
int verdict_exit_status(Verdict verdict);
Verdict verdict_from_exit_status(int status);

/* The weaker of two results of one proof: failed beats unproven beats passed. */
Verdict verdict_weaker(Verdict a, Verdict b);
