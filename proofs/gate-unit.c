/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Requirements that no proof stands behind: that a unit runs, or that it did what it had to do. systemd
 * itself knows; where it does not answer the gate stays closed. */

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "proofs/gate.h"
#include "proofs/handles.h"

static bool is_running(const ServiceState *s) {
        return strcmp(s->active, "active") == 0 || strcmp(s->active, "reloading") == 0 ||
               strcmp(s->active, "refreshing") == 0;
}

static bool is_completed(const ServiceState *s) {
        return strcmp(s->active, "active") == 0 && strcmp(s->sub, "exited") == 0 &&
               strcmp(s->result, "success") == 0;
}

static bool is_unknown(const ServiceState *s) {
        return !s->loaded;
}

static bool is_on_its_way(const ServiceState *s) {
        return strcmp(s->active, "activating") == 0;
}

static bool is_failed(const ServiceState *s) {
        return strcmp(s->active, "failed") == 0 ||
               (s->result[0] != '\0' && strcmp(s->result, "success") != 0);
}

/* In this start it had become active, and its main process came to a good end before systemd began to stop
 * it (which is to clear up what it left). With a stop by hand that is the other way round, even if the
 * process then ends with status 0. */
static bool is_done(const ServiceState *s) {
        bool ended = strcmp(s->active, "inactive") == 0 || strcmp(s->active, "deactivating") == 0;

        return ended && strcmp(s->result, "success") == 0 && s->main_code == CLD_EXITED &&
               s->main_status == 0 && s->began_usec > 0 && s->began_usec <= s->entered_usec &&
               s->entered_usec <= s->left_usec && s->began_usec <= s->main_ended_usec &&
               s->main_ended_usec <= s->left_usec;
}

static bool is_any(const ServiceState *s) {
        (void) s;
        return true;
}

typedef struct UnitRule {
        bool (*holds)(const ServiceState *);
        Verdict verdict;
        const char *why, *next;
} UnitRule;

#define NEXT_LOOK "See why with: systemctl status "
#define NEXT_START "Start it with: systemctl start "

/* In this order; the first that holds decides. */
static const UnitRule started_rules[] = {
        { is_unknown, VERDICT_UNPROVEN, "is not known to systemd",
          "Reload systemd, then look for it with: systemctl cat " },
        { is_running, VERDICT_PASSED, "is active", "" },
        { is_on_its_way, VERDICT_UNPROVEN, "has not started yet", NEXT_LOOK },
        { is_failed, VERDICT_FAILED, "has failed", NEXT_LOOK },
        { is_any, VERDICT_UNPROVEN, "is not active", NEXT_START },
};

static const UnitRule completed_rules[] = {
        { is_unknown, VERDICT_UNPROVEN, "is not known to systemd",
          "Reload systemd, then look for it with: systemctl cat " },
        { is_completed, VERDICT_PASSED, "has completed", "" },
        { is_failed, VERDICT_FAILED, "did not complete successfully", NEXT_LOOK },
        { is_on_its_way, VERDICT_UNPROVEN, "has not completed yet", NEXT_LOOK },
        { is_running, VERDICT_UNPROVEN, "still runs", NEXT_LOOK },
        { is_any, VERDICT_UNPROVEN, "did not run", NEXT_START },
};

static const struct UnitKind {
        const char *name;
        bool may_be_done; /* a good end is as good as running */
        const UnitRule *rules;
        size_t n_rules;
} unit_kinds[] = {
        { "started", false, started_rules, ARRAY_LENGTH(started_rules) },
        { "ran", true, started_rules, ARRAY_LENGTH(started_rules) },
        { "completed", false, completed_rules, ARRAY_LENGTH(completed_rules) },
};

static const struct UnitKind *kind_find(const char *name) {
        for (size_t i = 0; i < ARRAY_LENGTH(unit_kinds); i++)
                if (strcmp(unit_kinds[i].name, name) == 0)
                        return &unit_kinds[i];
        return NULL;
}

bool gate_kind_is_unit(const char *kind) {
        return kind_find(kind) != NULL;
}

GateDecision gate_unit_decide(const char *kind, const ServiceState *state, uint64_t rested_usec) {
        const struct UnitKind *k = kind_find(kind);

        /* Each start of the one that asks starts it again: what it did before that is another start's. */
        if (k && k->may_be_done && state->loaded && is_done(state) && state->began_usec > rested_usec)
                return (GateDecision){ VERDICT_PASSED, "has run to a good end", "" };
        for (size_t i = 0; k && i < k->n_rules; i++)
                if (k->rules[i].holds(state))
                        return (GateDecision){ k->rules[i].verdict, k->rules[i].why, k->rules[i].next };
        return (GateDecision){ VERDICT_UNPROVEN, "cannot be judged", NEXT_LOOK };
}

int gate_unit_read(const char *unit, ServiceState *ret) {
        CLEANUP(handle_bus) sd_bus *bus = NULL;
        int r;

        r = bus_open(&bus);
        return r < 0 ? r : bus_service_state(bus, unit, ret);
}
