/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "proofs/gate.h"
#include "proofs/handles.h"
#include "proofs/mutate.h"

#define NEXT_AGAIN "Start the service again: that brings the proof anew."

bool gate_requirement_parse(const char *text, GateRequirement *ret) {
        GateRequirement requirement = { .unit = "" };
        const char *first = strchr(text, ':'), *second = first ? strchr(first + 1, ':') : NULL;
        size_t kind, subject;

        if (!first)
                return false;
        kind = (size_t) (first - text);
        subject = second ? (size_t) (second - first - 1) : strlen(first + 1);
        if (kind > NAME_LENGTH_MAX || subject > NAME_LENGTH_MAX)
                return false;
        memcpy(requirement.kind, text, kind);
        memcpy(requirement.subject, first + 1, subject);
        if (second && second[1] != '\0') {
                if (!unit_name_is_valid(second + 1))
                        return false;
                (void) snprintf(requirement.unit, sizeof(requirement.unit), "%s", second + 1);
        }
        if (!name_is_valid(requirement.kind) || !name_is_valid(requirement.subject))
                return false;
        if (gate_kind_is_unit(requirement.kind) && requirement.unit[0] == '\0')
                return false;
        *ret = requirement;
        return true;
}

static bool is_other_boot(const GateView *v) {
        return strcmp(v->record->boot_id, v->boot_id) != 0;
}

static bool is_pending(const GateView *v) {
        return v->record->pending;
}

static bool is_failed(const GateView *v) {
        return v->record->verdict == VERDICT_FAILED;
}

static bool is_unproven(const GateView *v) {
        return v->record->verdict != VERDICT_PASSED;
}

static bool is_other_unit(const GateView *v) {
        return v->unit[0] != '\0' && strcmp(v->record->unit, v->unit) != 0;
}

static bool is_unit_inactive(const GateView *v) {
        return v->unit[0] != '\0' && v->invocation_id[0] == '\0';
}

static bool is_other_invocation(const GateView *v) {
        return v->unit[0] != '\0' && strcmp(v->record->invocation_id, v->invocation_id) != 0;
}

static bool is_other_namespace(const GateView *v) {
        return v->unit[0] != '\0' && v->record->netns_cookie != 0 &&
               v->record->netns_cookie != v->netns_cookie;
}

static bool is_unattended(const GateView *v) {
        return v->own_invocation[0] == '\0';
}

static bool is_used_up(const GateView *v) {
        return v->consumer[0] != '\0' && strcmp(v->consumer, v->own_invocation) != 0;
}

/* Nothing is remembered across starts: a proof that somebody else's start brought before this service had
 * ended is not one of this start, though nobody may have used it. */
static bool is_before_own_end(const GateView *v) {
        return v->record->monotonic_usec <= v->rested_usec && v->rested_usec > 0;
}

static bool is_from_the_future(const GateView *v) {
        return v->record->monotonic_usec > v->now_usec;
}

static bool is_too_old(const GateView *v) {
        return v->now_usec - v->record->monotonic_usec > GATE_AGE_MAX_USEC;
}

/* In this order; the first that holds closes the gate. */
static const struct GateRule {
        const char *name;
        bool (*holds)(const GateView *);
        Verdict verdict;
        const char *why, *next;
} rules[] = {
        { "gate-other-boot", is_other_boot, VERDICT_UNPROVEN, "is of another boot", NEXT_AGAIN },
        { "gate-pending", is_pending, VERDICT_UNPROVEN, "is of a proof that has not come to its end",
          "See the journal of the proof unit: it may have been killed." },
        { "gate-failed", is_failed, VERDICT_FAILED, "says \"failed\"",
          "Remedy what it names, then start the service again." },
        { "gate-unproven", is_unproven, VERDICT_UNPROVEN, "says \"unproven\"",
          "Remedy what it names, then start the service again." },
        { "gate-other-unit", is_other_unit, VERDICT_UNPROVEN, "is about another unit",
          "Reload systemd, so that the units agree." },
        { "gate-unit-inactive", is_unit_inactive, VERDICT_UNPROVEN, "is about a unit that is not active",
          "Start that unit." },
        { "gate-other-invocation", is_other_invocation, VERDICT_UNPROVEN,
          "is about an earlier start of its unit", NEXT_AGAIN },
        { "gate-other-namespace", is_other_namespace, VERDICT_UNPROVEN,
          "is about another network namespace than the unit's of now", NEXT_AGAIN },
        { "gate-unattended", is_unattended, VERDICT_UNPROVEN, "cannot be used without INVOCATION_ID",
          "Start the service through systemd." },
        { "gate-from-the-future", is_from_the_future, VERDICT_UNPROVEN, "is of a time that has not come yet",
          "Remove it and start the service again; find out who wrote it." },
        { "gate-too-old", is_too_old, VERDICT_UNPROVEN, "is older than an hour", NEXT_AGAIN },
        { "gate-before-own-end", is_before_own_end, VERDICT_UNPROVEN,
          "is older than the last end of the service itself",
          "See why the proof unit did not run this time: is it masked, or missing?" },
        { "gate-used-up", is_used_up, VERDICT_UNPROVEN, "was used by an earlier start already",
          "See why the proof unit did not run this time: is it masked, or missing?" },
};

GateDecision gate_decide(const GateView *view) {
        if (view->fault != RECORD_FAULT_NONE)
                return (GateDecision){
                        VERDICT_UNPROVEN,
                        record_fault_text(view->fault),
                        view->fault == RECORD_FAULT_MISSING
                                ? "See why the proof unit did not run: is it masked, or missing?"
                                : "Remove it and start the service again; find out who wrote it.",
                };
        for (size_t i = 0; i < ARRAY_LENGTH(rules); i++)
                if (!mutation_is_on(rules[i].name) && rules[i].holds(view))
                        return (GateDecision){ rules[i].verdict, rules[i].why, rules[i].next };
        return (GateDecision){ VERDICT_PASSED, "is in order", "" };
}
