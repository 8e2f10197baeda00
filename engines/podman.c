/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Podman, as quadlets use it: `podman run --cgroups=split`, so that a unit's group has one child
 * "libpod-payload-ID" with the container and one child "runtime" with conmon, which lives in the host's
 * namespaces (podman-run(1), --cgroups). */

#include <jansson.h>
#include <string.h>

#include "engines/engine.h"
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

/* "State.Health" since 4.0, "State.Healthcheck" before; the key is there with an empty status if the
 * container has no check. */
static const json_t *inspect_health(const json_t *state) {
        const json_t *health = json_object_get(state, "Health");

        return json_is_object(health) ? health : json_object_get(state, "Healthcheck");
}

static int inspect_parse(const char *text, HealthReport *ret) {
        CLEANUP(handle_json) json_t *root = json_loads(text, 0, /* error= */ NULL);
        const json_t *state, *health, *log, *output;
        const char *status;
        HealthReport report = { .state = HEALTH_NONE };

        state = json_object_get(json_array_get(root, 0), "State");
        if (!json_is_object(state) || json_array_size(root) != 1)
                return -EBADMSG;
        report.pid = (pid_t) json_integer_value(json_object_get(state, "Pid"));
        health = inspect_health(state);
        status = json_string_value(json_object_get(health, "Status"));
        if (status && status[0] != '\0') {
                report.state = health_state_from_name(status);
                if (report.state < 0)
                        return -EBADMSG;
        }
        log = json_object_get(health, "Log");
        output = json_object_get(json_array_get(log, json_array_size(log) - 1), "Output");
        if (json_array_size(log) > 0 && json_is_string(output)) {
                report.last_output = strdup(json_string_value(output));
                if (!report.last_output)
                        return -ENOMEM;
        }
        *ret = report;
        return 0;
}

static int podman_health(const char *binary, const char *container, uint64_t deadline_usec,
                         HealthReport *ret) {
        CLEANUP(spawned_done) Spawned run = { .status = -1 };
        const char *const argv[] = { binary, "container", "inspect", "--", container, NULL };
        int r;

        r = spawn_run(argv, deadline_usec, &run);
        if (r < 0)
                return r;
        if (run.status != 0)
                return strstr(run.errors, "no such container") ? -ENOENT : -EIO;
        return inspect_parse(run.output, ret);
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
        .logs = podman_logs,
};
