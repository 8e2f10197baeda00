/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Health proof: waits for the first clear word of the service's own health check. The check itself is run by
 * the engine; that the answer is about the unit at hand is looked up in the unit's control group. */

#include <string.h>

#include "engines/payload.h"
#include "proofs/handles.h"
#include "proofs/mutate.h"
#include "proofs/proof.h"
#include "proofs/redact.h"
#include "proofs/unit.h"

enum { HEALTH_OUTPUT_MAX = 400 };

#define HEALTH_CLOCK_SLACK (3 * USEC_PER_SEC)
#define HEALTH_PAUSE_MIN (50 * USEC_PER_MSEC)
#define HEALTH_PAUSE_MAX (1 * USEC_PER_SEC)

typedef enum HealthStep {
        HEALTH_STEP_WAIT,
        HEALTH_STEP_DONE,
} HealthStep;

/* The engine knows names, the control group knows processes: both must speak of the same container. */
static int container_is_of_unit(const ProofRequest *request, const UnitFacts *unit, pid_t pid) {
        CLEANUP(payload_done) PidSet pids = { .n = 0 };
        int r;

        r = payload_list(request->engine, unit->cgroup, &pids);
        if (r < 0)
                return r;
        return pids.n > 0 && (pid == 0 || payload_contains(&pids, pid));
}

static int conclude_state(const ProofRequest *request, const HealthReport *report, ProofResult *result) {
        CLEANUP(handle_free) char *safe = text_redact(report->last_output, request->redact);
        CLEANUP(handle_free) char *output = text_printable(safe, HEALTH_OUTPUT_MAX);

        proof_note(result, "state", json_string(health_state_name(report->state)));
        proof_note(result, "last_output", json_string(output ?: ""));
        proof_field(result, "HEALTH", health_state_name(report->state));
        switch (mutation_is_on("health-state") ? HEALTH_HEALTHY : report->state) {
        case HEALTH_HEALTHY:
                return proof_conclude(result, VERDICT_PASSED, "", "%s is healthy", request->container);
        case HEALTH_UNHEALTHY:
                return proof_conclude(result, VERDICT_FAILED,
                                      "Look at the service's own log; its check said why.",
                                      "%s is unhealthy: %s", request->container,
                                      output && output[0] ? output : "its check said nothing");
        case HEALTH_NONE:
                return proof_conclude(result, VERDICT_UNPROVEN,
                                      "Give the service a healthcheck:, or depend on it with condition: "
                                      "service_started.",
                                      "%s has no health check, neither in the file nor in its image",
                                      request->container);
        case HEALTH_STARTING:
        case _HEALTH_MAX:
        case _HEALTH_INVALID:
                break;
        }
        return proof_conclude(result, VERDICT_UNPROVEN, "Raise the time limit, or look at the service's log.",
                              "%s was still \"%s\" when the time was up", request->container,
                              health_state_name(report->state));
}

static HealthStep conclude_gone(const ProofRequest *request, ProofResult *result, const char *what) {
        (void) proof_conclude(result, VERDICT_UNPROVEN, "Look at the unit's journal.", "%s: %s",
                              request->unit, what);
        return HEALTH_STEP_DONE;
}

/* The time was up while the engine was being asked once more. */
static int conclude_late(const ProofRequest *request, HealthState last, ProofResult *result) {
        const HealthReport report = { .state = last };

        if (last == HEALTH_STARTING)
                return conclude_state(request, &report, result);
        return proof_conclude(result, VERDICT_UNPROVEN, "See whether the engine hangs.",
                              "%s did not tell the state of %s in time", request->engine_name,
                              request->container);
}

/* "Healthy" has no age of its own: while a check hangs, the engine runs no other and goes on telling the last
 * one. The clocks may have been set, so an odd age decides nothing but that the check is run once more. */
static bool is_old(const ProofRequest *request, const HealthReport *report) {
        uint64_t now = time_realtime_usec();

        if (request->max_age_usec == 0 || report->state != HEALTH_HEALTHY || mutation_is_on("health-age"))
                return false;
        return report->ended_usec > now + HEALTH_CLOCK_SLACK ||
               now > report->ended_usec + request->max_age_usec + HEALTH_CLOCK_SLACK;
}

/* 1: it came to its end, and may be asked for; 0: a verdict was set. */
static int check_anew(const ProofRequest *request, const char *binary, uint64_t deadline,
                      ProofResult *result) {
        uint64_t until = time_monotonic_usec() + request->max_age_usec;
        int r;

        r = request->engine->health_check ? request->engine->health_check(binary, request->container,
                                                                          until < deadline ? until : deadline)
                                          : -EOPNOTSUPP;
        proof_note(result, "checked_anew", json_boolean(r == 0));
        if (r == -ETIMEDOUT)
                return proof_conclude(
                        result, VERDICT_UNPROVEN,
                        "See what its health check waits for; run by hand it hangs as well.",
                        "the health check of %s comes to no end; what it said before is too old",
                        request->container);
        return r < 0 ? r : 1;
}

/* One look. Returns a HealthStep or a negative errno. */
static int health_look(const ProofRequest *request, const UnitFacts *unit, const char *binary,
                       uint64_t deadline, ProofResult *result, HealthState *ret_state, bool *fresh) {
        CLEANUP(health_report_done) HealthReport report = { .state = HEALTH_NONE };
        int r;

        r = request->engine->health(binary, unit->cgroup, request->container, deadline, &report);
        if (!unit_is_same(unit))
                return conclude_gone(request, result, "stopped or was started anew during the proof");
        if (r == -ENOENT)
                return conclude_gone(request, result, "its container is gone");
        if (r < 0)
                return r;
        *ret_state = report.state;
        if (report.state == HEALTH_STARTING && time_left_msec(deadline) > 0)
                return HEALTH_STEP_WAIT;
        if (!*fresh && is_old(request, &report)) {
                *fresh = true;
                r = check_anew(request, binary, deadline, result);
                return r < 0 ? r : r == 0 ? HEALTH_STEP_DONE : HEALTH_STEP_WAIT;
        }
        if (report.state != HEALTH_NONE) {
                r = container_is_of_unit(request, unit, report.pid);
                if (r < 0)
                        return r;
                if (r == 0 && !mutation_is_on("health-container"))
                        return conclude_gone(request, result,
                                             "the container of that name is not the one it runs");
        }
        (void) conclude_state(request, &report, result);
        return HEALTH_STEP_DONE;
}

int proof_health(const ProofRequest *request, ProofResult *result) {
        CLEANUP(unit_done) UnitFacts unit = { .cgroup = NULL };
        uint64_t deadline = time_monotonic_usec() + request->timeout_usec;
        uint64_t pause = HEALTH_PAUSE_MIN;
        HealthState last = HEALTH_NONE;
        const char *binary;
        unsigned looks = 0;
        bool fresh = false;
        int r;

        r = unit_read(request->unit, &unit);
        if (r == -ENOENT) {
                (void) conclude_gone(request, result, "not active");
                return 0;
        }
        if (r < 0)
                return r;
        memcpy(result->invocation_id, unit.invocation_id, sizeof(result->invocation_id));
        r = engine_binary(request->engine, &binary);
        if (r < 0)
                return proof_conclude(result, VERDICT_UNPROVEN, "Install it.", "%s is not on this host",
                                      request->engine_name);
        for (;;) {
                uint64_t left;

                r = health_look(request, &unit, binary, deadline, result, &last, &fresh);
                proof_note(result, "looks", json_integer(++looks));
                if (r == HEALTH_STEP_DONE)
                        return 0;
                if (r == -ETIMEDOUT)
                        return conclude_late(request, last, result);
                if (r < 0)
                        return r;
                left = (uint64_t) time_left_msec(deadline) * USEC_PER_MSEC;
                time_sleep_usec(pause < left ? pause : left);
                pause = pause * 3 / 2 < HEALTH_PAUSE_MAX ? pause * 3 / 2 : HEALTH_PAUSE_MAX;
        }
}
