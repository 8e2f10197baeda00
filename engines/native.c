/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* No engine: host services under systemd. Every process of the unit is the service, and there is no health
 * check beside what systemd itself knows. */

#include <stdlib.h>

#include "engines/engine.h"
#include "engines/run.h"
#include "proofs/handles.h"

static int native_roundtrip(RoundTrip *trip) {
        CLEANUP(spawned_done) Spawned run = { .status = -1 };
        char program[512];
        const char *const argv[] = { program, trip->nonce, NULL };
        int r;

        if ((size_t) snprintf(program, sizeof(program), "%s/roundtrip", trip->directory) >= sizeof(program))
                return -ENAMETOOLONG;
        r = spawn_run(argv, trip->deadline_usec, &run);
        if (r < 0)
                return r;
        trip->answer = handle_take(run.output);
        trip->complaint = handle_take(run.errors);
        return run.status;
}

static int native_health(const char *binary, const char *cgroup, const char *container,
                         uint64_t deadline_usec, HealthReport *ret) {
        (void) binary;
        (void) cgroup;
        (void) container;
        (void) deadline_usec;
        *ret = (HealthReport){ .state = HEALTH_NONE };
        return 0;
}

const EngineRow engine_native = {
        .name = "native",
        .roundtrip = native_roundtrip,
        .health = native_health,
};
