/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "case.h"
#include "proofs/gate.h"
#include "proofs/handles.h"

#define BOOT "0123456789abcdef0123456789abcdef"
#define OTHER "fedcba9876543210fedcba9876543210"

static Record honest_record(void) {
        return (Record){
                .verdict = VERDICT_PASSED,
                .boot_id = BOOT,
                .unit = "vpn.service",
                .invocation_id = BOOT,
                .netns_cookie = 5,
        };
}

static GateView honest_view(const Record *record) {
        return (GateView){
                .record = record,
                .boot_id = BOOT,
                .unit = "vpn.service",
                .invocation_id = BOOT,
                .netns_cookie = 5,
                .consumer = "",
                .own_invocation = OTHER,
                .now_usec = 100,
        };
}

static void of_tomorrow(Record *r, GateView *v) {
        r->monotonic_usec = v->now_usec + 1;
}
static void of_now(Record *r, GateView *v) {
        r->monotonic_usec = v->now_usec;
}
static void an_hour_old(Record *r, GateView *v) {
        v->now_usec = r->monotonic_usec + GATE_AGE_MAX_USEC;
}
static void too_old(Record *r, GateView *v) {
        v->now_usec = r->monotonic_usec + GATE_AGE_MAX_USEC + 1;
}
static void before_own_end(Record *r, GateView *v) {
        r->monotonic_usec = 70;
        v->rested_usec = 71;
}
static void after_own_end(Record *r, GateView *v) {
        r->monotonic_usec = 72;
        v->rested_usec = 71;
}

static void nothing(Record *r, GateView *v) {
        (void) r;
        (void) v;
}
static void other_boot(Record *r, GateView *v) {
        (void) v;
        strcpy(r->boot_id, OTHER);
}
static void pending(Record *r, GateView *v) {
        (void) v;
        r->verdict = VERDICT_UNPROVEN;
        r->pending = true;
}
static void failed(Record *r, GateView *v) {
        (void) v;
        r->verdict = VERDICT_FAILED;
}
static void unproven(Record *r, GateView *v) {
        (void) v;
        r->verdict = VERDICT_UNPROVEN;
}
static void other_unit(Record *r, GateView *v) {
        (void) v;
        strcpy(r->unit, "x.service");
}
static void inactive(Record *r, GateView *v) {
        (void) r;
        v->invocation_id = "";
}
static void restarted(Record *r, GateView *v) {
        (void) r;
        v->invocation_id = OTHER;
}
static void no_invocation(Record *r, GateView *v) {
        (void) v;
        r->invocation_id[0] = '\0';
}
static void other_namespace(Record *r, GateView *v) {
        (void) r;
        v->netns_cookie = 6;
}
static void unknown_namespace(Record *r, GateView *v) {
        (void) r;
        v->netns_cookie = 0;
}
static void no_namespace(Record *r, GateView *v) {
        r->netns_cookie = 0;
        v->netns_cookie = 0;
}
static void unattended(Record *r, GateView *v) {
        (void) r;
        v->own_invocation = "";
}
static void used_up(Record *r, GateView *v) {
        (void) r;
        v->consumer = BOOT;
}
static void used_by_us(Record *r, GateView *v) {
        (void) r;
        v->consumer = OTHER;
}
static void any_unit(Record *r, GateView *v) {
        r->unit[0] = '\0';
        v->unit = "";
        v->invocation_id = "";
}
static void missing(Record *r, GateView *v) {
        (void) r;
        v->fault = RECORD_FAULT_MISSING;
}
static void foreign(Record *r, GateView *v) {
        (void) r;
        v->fault = RECORD_FAULT_FOREIGN;
}
static void malformed(Record *r, GateView *v) {
        (void) r;
        v->fault = RECORD_FAULT_MALFORMED;
}

static void test_decisions(void **state) {
        static const struct {
                void (*change)(Record *, GateView *);
                Verdict verdict;
                const char *why;
        } rows[] = {
                { nothing, VERDICT_PASSED, "in order" },
                { used_by_us, VERDICT_PASSED, "in order" },
                { any_unit, VERDICT_PASSED, "in order" },
                { no_namespace, VERDICT_PASSED, "in order" },
                { failed, VERDICT_FAILED, "failed" },
                { unproven, VERDICT_UNPROVEN, "unproven" },
                { other_boot, VERDICT_UNPROVEN, "another boot" },
                { pending, VERDICT_UNPROVEN, "not come to its end" },
                { other_unit, VERDICT_UNPROVEN, "another unit" },
                { inactive, VERDICT_UNPROVEN, "not active" },
                { restarted, VERDICT_UNPROVEN, "earlier start of its unit" },
                { no_invocation, VERDICT_UNPROVEN, "earlier start of its unit" },
                { other_namespace, VERDICT_UNPROVEN, "another network namespace" },
                { unknown_namespace, VERDICT_UNPROVEN, "another network namespace" },
                { unattended, VERDICT_UNPROVEN, "INVOCATION_ID" },
                { used_up, VERDICT_UNPROVEN, "used by an earlier start" },
                { before_own_end, VERDICT_UNPROVEN, "older than the last end" },
                { of_tomorrow, VERDICT_UNPROVEN, "not come yet" },
                { of_now, VERDICT_PASSED, "in order" },
                { an_hour_old, VERDICT_PASSED, "in order" },
                { too_old, VERDICT_UNPROVEN, "older than an hour" },
                { after_own_end, VERDICT_PASSED, "in order" },
                { missing, VERDICT_UNPROVEN, "did not run" },
                { foreign, VERDICT_UNPROVEN, "not owned by root" },
                { malformed, VERDICT_UNPROVEN, "malformed" },
        };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
                Record record = honest_record();
                GateView view = honest_view(&record);
                GateDecision decision;

                rows[i].change(&record, &view);
                decision = gate_decide(&view);
                assert_int_equal(decision.verdict, rows[i].verdict);
                if (!strstr(decision.why, rows[i].why))
                        fail_msg("row %zu: \"%s\" instead of \"%s\"", i, decision.why, rows[i].why);
                assert_true(decision.verdict == VERDICT_PASSED || decision.next[0] != '\0');
        }
}

static void test_requirements(void **state) {
        static const char *const bad[] = {
                "",           "egress",       ":a:b.service", "egress::b.service",
                "egress:a:b", "egress:../a:", "e/x:a:",       "egress:a:b.service:c",
        };
        GateRequirement what;

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
                if (gate_requirement_parse(bad[i], &what))
                        assert_string_equal(bad[i], "refused");
        assert_true(gate_requirement_parse("egress:torrent:media-vpn.service", &what));
        assert_string_equal(what.kind, "egress");
        assert_string_equal(what.subject, "torrent");
        assert_string_equal(what.unit, "media-vpn.service");
        assert_true(gate_requirement_parse("engine:podman:", &what));
        assert_string_equal(what.unit, "");
        assert_true(gate_requirement_parse("engine:podman", &what));
}

int main(void) {
        const struct CMUnitTest tests[] = { cmocka_unit_test(test_decisions),
                                            cmocka_unit_test(test_requirements) };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
