/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Container engines, and the host as one of them: one row each. The proofs ask a row and know no name.
 * A new engine is one more row in engine.c and one more file. */

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef enum HealthState {
        HEALTH_NONE, /* there is no health check */
        HEALTH_STARTING,
        HEALTH_HEALTHY,
        HEALTH_UNHEALTHY,
        _HEALTH_MAX,
        _HEALTH_INVALID = -EINVAL,
} HealthState;

typedef struct HealthReport {
        HealthState state;
        pid_t pid;           /* of the container's first process as the engine knows it; 0: none */
        char *last_output;   /* of the last check, raw, or NULL; owned */
        uint64_t ended_usec; /* CLOCK_REALTIME of its end; 0: not told */
} HealthReport;

/* What a round trip needs, and what became of it. */
typedef struct RoundTrip {
        const char *binary;    /* NULL if the row has none */
        const char *name;      /* of the container; what an earlier trip of that name has left goes first */
        const char *directory; /* root directory that holds the static program /roundtrip */
        const char *nonce;
        uint64_t deadline_usec; /* CLOCK_MONOTONIC */
        char *answer;           /* what the program said, owned by the caller; NULL: nothing */
        char *complaint;        /* what the engine said on stderr, owned by the caller; NULL: nothing */
} RoundTrip;

typedef struct EngineRow {
        const char *name;
        const char *const *binaries; /* absolute, first that exists is taken; NULL: needs none */

        /* Starts the program in the way in which the engine starts services, without network, and removes all
         * traces. Returns the exit status of the run (0: good) or a negative errno. */
        int (*roundtrip)(RoundTrip *trip);

        /* Whether the child group of this name below a unit's own control group holds the service (and not
         * the engine's monitor). NULL: every process of the unit is the service. */
        bool (*group_is_payload)(const char *name);

        /* Whether it runs OCI hooks, so that a client's binding can be looked at before its first
         * instruction. */
        bool has_hooks;

        /* The first process of the container that a monitor watches, which is the main process of its unit.
         * NULL: there is no monitor, the main process is the service. -ESRCH: none. */
        int (*watched)(pid_t monitor, pid_t *ret);

        /* Of the container that the unit with this control group runs. -ENOENT: no such container. */
        int (*health)(const char *binary, const char *cgroup, const char *container, uint64_t deadline_usec,
                      HealthReport *ret);

        /* Runs the check of a container once more. 0: it came to its end, whatever it said; -ETIMEDOUT: it
         * did not. NULL: there are no checks. */
        int (*health_check)(const char *binary, const char *container, uint64_t deadline_usec);

        /* The last lines that the service wrote, raw, owned by the caller. NULL: journalctl has them. */
        int (*logs)(const char *binary, const char *container, unsigned lines, uint64_t deadline_usec,
                    char **ret);
} EngineRow;

extern const EngineRow engine_podman;
extern const EngineRow engine_native;

/* NULL: no such engine. */
const EngineRow *engine_find(const char *name);
/* Row i in order of preference, NULL after the last. */
const EngineRow *engine_at(size_t i);

/* Path of the engine's program. 0 and NULL if the row needs none; -ENOENT if it is not installed. */
int engine_binary(const EngineRow *row, const char **ret);

const char *health_state_name(HealthState state);
HealthState health_state_from_name(const char *name);
void health_report_done(HealthReport *report);
