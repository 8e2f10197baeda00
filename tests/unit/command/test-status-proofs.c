/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "generator/command/status-proofs.h"
#include "tests/unit/facts/case.h"
#include "tests/unit/facts/tree.h"

#define BOOT "0123456789abcdef0123456789abcdef"
#define OTHER_BOOT "ffffffffffffffffffffffffffffffff"
#define RUN "11111111111111111111111111111111"
#define OTHER_RUN "22222222222222222222222222222222"

static char root[64];
static Case c;
static Compiled compiled;
static Stack stack;
static Proof proof;
static const char *active; /* invocation of the tunnel, or NULL if it is not active */

static int invocation(const char *unit, char ret[ID128_TEXT_SIZE]) {
        assert_string_equal(unit, "s-vpn.service");
        if (!active)
                return -ENOENT;
        strcpy(ret, active);
        return 0;
}

static int begin(void **state) {
        (void) state;
        tree_new(root);
        case_begin(&c);
        stack = (Stack){ .name = "s" };
        proof = (Proof){ .kind = PROOF_EGRESS, .subject = "client", .why = "because" };
        compiled = (Compiled){ .stack = "s", .model = &stack };
        compiled.diag = (Diag){ .arena = c.arena, .sources = &c.sources };
        active = RUN;
        return 0;
}

static int end(void **state) {
        (void) state;
        tree_done(root);
        case_end(&c);
        return 0;
}

static unsigned unproven_looks; /* of a record of what runs */

static void write_record_at(Record record, bool running) {
        char reason[] = "seen from outside as 192.0.2.1", remedy[] = "";
        int dir;

        strcpy(record.id, BOOT);
        strcpy(record.stack, "s");
        strcpy(record.proof, "egress");
        strcpy(record.subject, "client");
        strcpy(record.engine, "podman");
        if (record.boot_id[0] == '\0')
                strcpy(record.boot_id, BOOT);
        strcpy(record.unit, "s-vpn.service");
        strcpy(record.invocation_id, RUN);
        record.reason = reason;
        record.remedy = remedy;
        if (record.monotonic_usec == 0)
                record.monotonic_usec = 1000 * USEC_PER_SEC;
        record.realtime_usec = 1;
        record.evidence = json_object();
        if (running)
                (void) json_object_set_new(record.evidence, "again",
                                           json_pack("{s:s, s:s, s:i}", "unit", "s-vpn.service",
                                                     "invocation_id", RUN, "unproven_in_a_row",
                                                     (int) unproven_looks));
        assert_int_equal(
                running ? record_running_create(root, "s", &dir) : record_dir_create(root, "s", &dir), 0);
        assert_int_equal(record_write(dir, &record), 0);
        json_decref(record.evidence);
        (void) close(dir);
}

static void write_record(Record record) {
        write_record_at(record, /* running= */ false);
}

static void write_look(Record record) {
        write_record_at(record, /* running= */ true);
}

static ProofStatus judge(const char *boot_id) {
        const ProofContext x = {
                .run_dir = root,
                .owner = getuid(),
                .boot_id = boot_id,
                .monotonic_usec = 1090 * USEC_PER_SEC,
                .invocation = invocation,
        };
        ProofStatus s;

        proof_status_read(c.arena, &x, &compiled, &proof, &s);
        proof_status_done(&s);
        return s;
}

static void test_passed(void **state) {
        ProofStatus s;

        (void) state;
        write_record((Record){ .verdict = VERDICT_PASSED });
        s = judge(BOOT);
        assert_int_equal(s.state, PROOF_STATE_PASSED);
        assert_int_equal(s.age_sec, 90);
        assert_true(s.this_boot);
        assert_string_equal(s.text, "seen from outside as 192.0.2.1");
}

static void test_failed_and_unproven(void **state) {
        (void) state;
        write_record((Record){ .verdict = VERDICT_FAILED, .leak = true });
        assert_int_equal(judge(BOOT).state, PROOF_STATE_FAILED);
        write_record((Record){ .verdict = VERDICT_UNPROVEN });
        assert_int_equal(judge(BOOT).state, PROOF_STATE_UNPROVEN);
        write_record((Record){ .verdict = VERDICT_UNPROVEN, .pending = true });
        assert_int_equal(judge(BOOT).state, PROOF_STATE_UNPROVEN);
}

/* Evidence of something else is no evidence. */
static void test_a_pass_of_another_time_is_unproven(void **state) {
        (void) state;
        write_record((Record){ .verdict = VERDICT_PASSED });
        assert_int_equal(judge(OTHER_BOOT).state, PROOF_STATE_UNPROVEN);
        assert_int_equal(judge("").state, PROOF_STATE_UNPROVEN);
        active = OTHER_RUN;
        assert_int_equal(judge(BOOT).state, PROOF_STATE_UNPROVEN);
        active = NULL;
        assert_int_equal(judge(BOOT).state, PROOF_STATE_UNPROVEN);
}

static void test_no_record(void **state) {
        ProofStatus s;

        (void) state;
        s = judge(BOOT);
        assert_int_equal(s.state, PROOF_STATE_UNPROVEN);
        assert_non_null(strstr(s.text, "has not run"));
        assert_false(s.this_boot);
}

static void test_a_record_that_is_odd(void **state) {
        (void) state;
        write_record((Record){ .verdict = VERDICT_PASSED });
        tree_write_mode(root, "s/egress-client.json", "{}", 0644);
        assert_int_equal(judge(BOOT).state, PROOF_STATE_UNPROVEN);
        write_record((Record){ .verdict = VERDICT_PASSED });
        assert_int_equal(judge(BOOT).state, PROOF_STATE_PASSED);
        tree_write_mode(root, "s/egress-client.json", "{}", 0666);
        assert_int_equal(judge(BOOT).state, PROOF_STATE_UNPROVEN);
}

#define LATER (1010 * USEC_PER_SEC)

static void test_a_look_at_what_runs(void **state) {
        ProofStatus s;

        (void) state;
        write_record((Record){ .verdict = VERDICT_PASSED });
        unproven_looks = 2;
        write_look((Record){ .verdict = VERDICT_UNPROVEN, .monotonic_usec = LATER });
        s = judge(BOOT);
        assert_int_equal(s.state, PROOF_STATE_UNPROVEN);
        assert_true(s.running);
        assert_int_equal(s.unproven_in_a_row, 2);
        assert_non_null(strstr(s.text, "while it runs, 2 in a row"));

        /* Of an activation that is over only a failure counts. */
        active = OTHER_RUN;
        assert_false(judge(BOOT).running);
        write_look((Record){ .verdict = VERDICT_FAILED, .monotonic_usec = LATER });
        assert_true(judge(BOOT).running);
        assert_int_equal(judge(BOOT).state, PROOF_STATE_FAILED);
        active = RUN;

        /* Older than the start, or of another boot. */
        write_look((Record){ .verdict = VERDICT_FAILED, .monotonic_usec = 999 * USEC_PER_SEC });
        assert_int_equal(judge(BOOT).state, PROOF_STATE_PASSED);
        write_look((Record){ .verdict = VERDICT_FAILED, .monotonic_usec = LATER, .boot_id = OTHER_BOOT });
        assert_int_equal(judge(BOOT).state, PROOF_STATE_PASSED);
}

static void test_off(void **state) {
        ProofStatus s;

        (void) state;
        proof.off = true;
        proof.off_span = (Span){ .file = case_file(&c, "compose.yaml", "x"), .line = 3, .column = 5 };
        write_record((Record){ .verdict = VERDICT_FAILED });
        s = judge(BOOT);
        assert_int_equal(s.state, PROOF_STATE_OFF);
        assert_string_equal(s.text, "switched off at compose.yaml:3:5");
}

int main(void) {
#define STATUS_TEST(fn) cmocka_unit_test_setup_teardown(fn, begin, end)
        const struct CMUnitTest tests[] = {
                STATUS_TEST(test_passed),
                STATUS_TEST(test_failed_and_unproven),
                STATUS_TEST(test_a_pass_of_another_time_is_unproven),
                STATUS_TEST(test_no_record),
                STATUS_TEST(test_a_record_that_is_odd),
                STATUS_TEST(test_a_look_at_what_runs),
                STATUS_TEST(test_off),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
