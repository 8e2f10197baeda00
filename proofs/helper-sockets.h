/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Sockets in the file system by which a process reaches somebody who works in another network namespace: a
 * pathname socket does not belong to any. A name service looks up what the caller may not; an engine or the
 * system's bus starts processes wherever it likes. */

#include <stdbool.h>
#include <sys/types.h>

#include "engines/helpers.h"

typedef enum HelperState {
        HELPER_ABSENT,  /* no such socket, or nobody listens, or it may not be used */
        HELPER_INSIDE,  /* who listens lives in the caller's network namespace */
        HELPER_OUTSIDE, /* and here in another one */
        HELPER_UNKNOWN, /* it can be used, and who listens cannot be told */
} HelperState;

const char *helper_state_name(HelperState state);

/* What connect() came to, and who listens. */
typedef struct HelperTry {
        int error;  /* errno; 0: connected */
        pid_t peer; /* that listens, in the caller's PID namespace; 0: not told */
} HelperTry;

/* Tries all rows, as the process that the caller is. */
void helpers_try(HelperTry ret[HELPERS_MAX]);

/* Must be asked from where PIDs are those of the tries, soon after. */
HelperState helper_state(const HelperTry *attempt, int netns_fd);
