/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "case.h"
#include "proofs/gate.h"
#include "proofs/gate-pace.h"
#include "proofs/handles.h"

#define TUNNEL "0123456789abcdef0123456789abcdef"
#define LATER "fedcba9876543210fedcba9876543210"

static void test_states(void **state) {
        static const struct {
                const char *kind;
                bool loaded;
                const char *active, *sub, *result;
                Verdict verdict;
        } rows[] = {
                { "started", true, "active", "running", "success", VERDICT_PASSED },
                { "started", true, "active", "exited", "success", VERDICT_PASSED },
                { "started", true, "reloading", "reload", "success", VERDICT_PASSED },
                { "started", true, "active", "active", "", VERDICT_PASSED },
                { "started", true, "activating", "auto-restart", "exit-code", VERDICT_UNPROVEN },
                { "started", true, "deactivating", "stop", "success", VERDICT_UNPROVEN },
                { "started", true, "inactive", "dead", "success", VERDICT_UNPROVEN },
                { "started", true, "inactive", "dead", "oom-kill", VERDICT_FAILED },
                { "started", true, "failed", "failed", "exit-code", VERDICT_FAILED },
                { "started", true, "failed", "failed", "", VERDICT_FAILED },
                { "started", true, "", "", "", VERDICT_UNPROVEN },
                { "started", true, "something new", "", "success", VERDICT_UNPROVEN },
                { "started", false, "", "", "", VERDICT_UNPROVEN },
                { "completed", true, "active", "exited", "success", VERDICT_PASSED },
                { "completed", true, "active", "running", "success", VERDICT_UNPROVEN },
                { "completed", true, "active", "exited", "", VERDICT_UNPROVEN },
                { "completed", true, "active", "exited", "exit-code", VERDICT_FAILED },
                { "completed", true, "activating", "start", "success", VERDICT_UNPROVEN },
                { "completed", true, "inactive", "dead", "success", VERDICT_UNPROVEN },
                { "completed", true, "failed", "failed", "signal", VERDICT_FAILED },
                { "completed", false, "", "", "", VERDICT_UNPROVEN },
                { "else", true, "active", "exited", "success", VERDICT_UNPROVEN },
        };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
                ServiceState s = { .loaded = rows[i].loaded };
                GateDecision decision;

                strcpy(s.active, rows[i].active);
                strcpy(s.sub, rows[i].sub);
                strcpy(s.result, rows[i].result);
                decision = gate_unit_decide(rows[i].kind, &s, 0);
                if (decision.verdict != rows[i].verdict)
                        fail_msg("row %zu: \"%s\" is %s", i, decision.why, verdict_name(decision.verdict));
                assert_true(decision.verdict == VERDICT_PASSED || decision.next[0] != '\0');
        }
}

/* A service that may have ended, as it is after having run from 100 to 300. */
static void test_ran(void **state) {
        static const ServiceState done = {
                .loaded = true,
                .active = "inactive",
                .sub = "dead",
                .result = "success",
                .began_usec = 100,
                .entered_usec = 200,
                .main_ended_usec = 300,
                .left_usec = 301,
                .main_code = 1, /* CLD_EXITED */
        };
        ServiceState s = done;

        (void) state;
        assert_int_equal(gate_unit_decide("ran", &s, 0).verdict, VERDICT_PASSED);
        assert_int_equal(gate_unit_decide("ran", &s, 99).verdict, VERDICT_PASSED);
        strcpy(s.active, "deactivating");
        assert_int_equal(gate_unit_decide("ran", &s, 0).verdict, VERDICT_PASSED);
        /* Who has to be up is not. */
        assert_int_equal(gate_unit_decide("started", &s, 0).verdict, VERDICT_UNPROVEN);
        assert_int_equal(gate_unit_decide("completed", &s, 0).verdict, VERDICT_UNPROVEN);
        assert_int_equal(gate_unit_decide("started", &done, 0).verdict, VERDICT_UNPROVEN);
        /* For an earlier start of the one that asks. */
        assert_int_equal(gate_unit_decide("ran", &done, 100).verdict, VERDICT_UNPROVEN);
        assert_int_equal(gate_unit_decide("ran", &done, 1000).verdict, VERDICT_UNPROVEN);

#define NOT(change)                                                                                          \
        do {                                                                                                 \
                s = done;                                                                                    \
                change;                                                                                      \
                assert_int_not_equal(gate_unit_decide("ran", &s, 0).verdict, VERDICT_PASSED);                \
        } while (0)

        NOT(s.loaded = false);
        NOT(strcpy(s.active, "activating"));
        NOT(strcpy(s.active, "failed"));
        NOT(strcpy(s.active, ""));
        NOT(strcpy(s.result, "exit-code"));
        NOT(strcpy(s.result, ""));
        NOT(s.main_status = 1);
        NOT(s.main_code = 2); /* CLD_KILLED */
        NOT(s.main_code = 0);
        /* Stopped by hand: systemd left the state first, and then the process ended. */
        NOT(s.left_usec = 299);
        NOT(s.main_ended_usec = 0);
        NOT(s.main_ended_usec = 50);
        /* The start that counts is a later one, which has not become active. */
        NOT(s.began_usec = 400);
        NOT((s.began_usec = 250, s.main_ended_usec = 260));
        NOT(s.began_usec = 0);
        NOT(s.entered_usec = 0);
        NOT(s.left_usec = 0);
        s = (ServiceState){ .loaded = true, .active = "active", .sub = "running", .result = "success" };
        assert_int_equal(gate_unit_decide("ran", &s, 1000).verdict, VERDICT_PASSED);
}

static void test_kinds(void **state) {
        GateRequirement what;

        (void) state;
        assert_true(gate_kind_is_unit("started"));
        assert_true(gate_kind_is_unit("ran"));
        assert_true(gate_kind_is_unit("completed"));
        assert_false(gate_kind_is_unit("egress"));
        assert_true(gate_requirement_parse("started:db:s-db.service", &what));
        assert_false(gate_requirement_parse("started:db:", &what));
        assert_false(gate_requirement_parse("completed:db", &what));
}

static void test_pauses(void **state) {
        static const struct {
                unsigned attempts, seconds;
        } rows[] = { { 0, 0 },   { 1, 1 },    { 2, 2 },    { 3, 4 },
                     { 9, 256 }, { 10, 300 }, { 11, 300 }, { UINT32_MAX, 300 } };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
                const Pace pace = { .attempts = rows[i].attempts };

                assert_int_equal(pace_pause(&pace, 0), rows[i].seconds * USEC_PER_SEC);
                assert_int_equal(pace_pause(&pace, 100), rows[i].seconds * USEC_PER_SEC * 11 / 10);
                assert_true(pace_pause(&pace, UINT32_MAX) <= rows[i].seconds * USEC_PER_SEC * 11 / 10);
        }
}

static void test_look(void **state) {
        Pace pace = { .attempts = 4, .tunnel = TUNNEL };

        (void) state;
        pace_look(&pace, 0, 0, TUNNEL); /* it never ran */
        assert_int_equal(pace.attempts, 4);
        pace_look(&pace, 10 * USEC_PER_SEC, 15 * USEC_PER_SEC, TUNNEL); /* it ran shortly */
        assert_int_equal(pace.attempts, 4);
        pace_look(&pace, 20 * USEC_PER_SEC, 81 * USEC_PER_SEC, TUNNEL); /* it was well */
        assert_int_equal(pace.attempts, 0);
        pace.attempts = 3;
        pace_look(&pace, 20 * USEC_PER_SEC, 81 * USEC_PER_SEC, TUNNEL); /* that was counted already */
        assert_int_equal(pace.attempts, 3);
        pace_look(&pace, 90 * USEC_PER_SEC, 81 * USEC_PER_SEC, TUNNEL); /* it runs again: left before */
        assert_int_equal(pace.attempts, 3);
        pace_look(&pace, 90 * USEC_PER_SEC, 91 * USEC_PER_SEC, LATER); /* another start of the tunnel */
        assert_int_equal(pace.attempts, 0);
        assert_string_equal(pace.tunnel, LATER);
}

static void test_note(void **state) {
        static const char *const bad[] = {
                "", "x", "1 2\n", "1 2 short\n", "1 2 " TUNNEL, "1 2 " TUNNEL "x\n", "-x 2 " TUNNEL "\n"
        };
        const Pace pace = { .attempts = 7, .entered_usec = UINT64_C(1) << 60, .tunnel = TUNNEL };
        CLEANUP(handle_free) char *text = pace_format(&pace);
        Pace again = { .attempts = 99 };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(bad); i++)
                if (pace_parse(bad[i], &again))
                        assert_string_equal(bad[i], "refused");
        assert_int_equal(again.attempts, 99);
        assert_true(pace_parse(text, &again));
        assert_int_equal(again.attempts, 7);
        assert_int_equal(again.entered_usec, pace.entered_usec);
        assert_string_equal(again.tunnel, TUNNEL);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_states), cmocka_unit_test(test_ran),  cmocka_unit_test(test_kinds),
                cmocka_unit_test(test_pauses), cmocka_unit_test(test_look), cmocka_unit_test(test_note),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
