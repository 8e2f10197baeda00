/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Podman, as quadlets use it: `podman run --cgroups=split`, so that a unit's group has one child
 * "libpod-payload-ID" with the container and one child "runtime" with conmon, which lives in the host's
 * namespaces (podman-run(1), --cgroups). */

#include <string.h>

#include "engines/engine.h"
#include "engines/podman-health.h"
#include "engines/podman-watched.h"
#include "engines/run.h"
#include "proofs/handles.h"
#include "proofs/util.h"

static const char *const podman_binaries[] = {
        "/usr/bin/podman",
        "/usr/local/bin/podman",
        "/bin/podman",
        NULL,
};

enum { NAME_SIZE = sizeof("unitproof-roundtrip-") + NAME_LENGTH_MAX };

static bool podman_group_is_payload(const char *name) {
        return strncmp(name, "libpod-payload-", strlen("libpod-payload-")) == 0;
}

static int podman_roundtrip(RoundTrip *trip) {
        CLEANUP(spawned_done) Spawned run = { .status = -1 };
        char name[NAME_SIZE], rootfs[512];
        const char *const argv[] = {
                trip->binary,
                "run",
                "--rm",
                "--quiet",
                "--network=none",
                "--cgroups=disabled",
                "--log-driver=none",
                "--read-only",
                "--read-only-tmpfs=false",
                "--replace", /* a trip that was killed has left its container */
                "--name",
                name,
                "--rootfs",
                rootfs,
                "/roundtrip",
                trip->nonce,
                NULL,
        };
        const char *const remove[] = {
                trip->binary, "container", "rm", "--force", "--ignore", "--time=0", name, NULL,
        };
        int r;

        (void) snprintf(name, sizeof(name), "unitproof-roundtrip-%s", trip->name);
        /* ":O" lays a throw-away layer over the directory, which may be read-only like all of /usr. */
        if ((size_t) snprintf(rootfs, sizeof(rootfs), "%s:O", trip->directory) >= sizeof(rootfs))
                return -ENAMETOOLONG;
        r = spawn_run(argv, trip->deadline_usec, &run);
        if (r < 0 || run.status != 0) {
                CLEANUP(spawned_done) Spawned removal = { .status = -1 };

                (void) spawn_run(remove, trip->deadline_usec + 5 * UINT64_C(1000000), &removal);
        }
        if (r < 0)
                return r;
        trip->answer = handle_take(run.output);
        trip->complaint = handle_take(run.errors);
        return run.status;
}

static int podman_logs(const char *binary, const char *container, unsigned lines, uint64_t deadline_usec,
                       char **ret) {
        CLEANUP(spawned_done) Spawned run = { .status = -1 };
        char tail[32];
        const char *const argv[] = { binary, "container", "logs", tail, "--", container, NULL };
        int r;

        (void) snprintf(tail, sizeof(tail), "--tail=%u", lines);
        r = spawn_run(argv, deadline_usec, &run);
        if (r < 0)
                return r;
        if (run.status != 0)
                return -EIO;
        *ret = handle_take(run.output);
        return 0;
}

const EngineRow engine_podman = {
        .name = "podman",
        .binaries = podman_binaries,
        .roundtrip = podman_roundtrip,
        .group_is_payload = podman_group_is_payload,
        .has_hooks = true,
        .watched = podman_watched,
        .health = podman_health,
        .health_check = podman_health_check,
        .logs = podman_logs,
};
