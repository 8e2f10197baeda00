/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/resource.h>

#include "generator/quadlet/words.h"
#include "generator/quadlet/program.h"
#include "generator/base/sanitizer.h"
#include "tests/unit/facts/case.h"
#include "tests/unit/facts/tree.h"

static char root[64];
static Case c;

static int begin(void **state) {
        (void) state;
        tree_new(root);
        case_begin(&c);
        return 0;
}

static int end(void **state) {
        (void) state;
        tree_done(root);
        case_end(&c);
        return 0;
}

/* Runs a script that the test writes; its own shell is no business of the code under test. */
static ProgramResult run(const char *script, int timeout_ms, bool errors_only) {
        const char *const env[] = { "WORD=a b", NULL };
        char path[128];
        const char *const argv[] = { path, "one", "", "t w o", NULL };
        const ProgramJob job = {
                .program = path,
                .argv = argv,
                .env = env,
                .timeout_ms = timeout_ms,
                .errors_only = errors_only,
        };
        ProgramResult r;

        tree_write_mode(root, "program", script, 0755);
        tree_path(path, sizeof(path), root, "program");
        program_run(c.arena, &job, &r);
        return r;
}

static void test_arguments_environment_and_words(void **state) {
        ProgramResult r;

        (void) state;
        r = run("#!/bin/sh\nprintf '%s|' \"$@\" \"$WORD\" \"$HOME\"\nprintf 'err' >&2\nexit 3\n", 5000,
                false);
        assert_int_equal(r.outcome, PROGRAM_EXITED);
        assert_int_equal(r.status, 3);
        assert_string_equal(r.said, "one||t w o|a b||err");
        r = run("#!/bin/sh\necho out\necho err >&2\n", 5000, true);
        assert_int_equal(r.status, 0);
        assert_string_equal(r.said, "err\n");
}

static void test_control_characters_are_replaced(void **state) {
        (void) state;
        assert_string_equal(run("#!/bin/sh\nprintf 'a\\033[31m\\tb\\n'\n", 5000, false).said, "a?[31m\tb\n");
}

static void test_signal(void **state) {
        ProgramResult r;

        (void) state;
        r = run("#!/bin/sh\nkill -SEGV $$\n", 5000, false);
        assert_int_equal(r.outcome, PROGRAM_SIGNALED);
        assert_int_equal(r.status, SIGSEGV);
}

static void test_deadline(void **state) {
        const long long before = clock_ms();
        ProgramResult r;

        (void) state;
        r = run("#!/bin/sh\necho begun\nexec sleep 60\n", 300, false);
        assert_int_equal(r.outcome, PROGRAM_TIMED_OUT);
        assert_string_equal(r.said, "begun\n");
        assert_true(clock_ms() - before < 5000);
        /* A program that closes its words and runs on is no better. */
        r = run("#!/bin/sh\nexec sleep 60 >/dev/null 2>&1\n", 300, false);
        assert_int_equal(r.outcome, PROGRAM_TIMED_OUT);
        assert_true(clock_ms() - before < 5000);
}

static void test_much_output_does_not_block(void **state) {
        ProgramResult r;

        (void) state;
        r = run("#!/bin/sh\nhead -c 3000000 /dev/zero | tr '\\0' x\n", 20000, false);
        assert_int_equal(r.outcome, PROGRAM_EXITED);
        assert_true(strlen(r.said) <= PROGRAM_SAID_MAX);
        assert_true(strlen(r.said) > PROGRAM_SAID_MAX / 2);
}

static void test_not_started(void **state) {
        ProgramResult r;

        (void) state;
        r = run("#!/no/such/interpreter\n", 5000, false);
        assert_int_equal(r.outcome, PROGRAM_NOT_STARTED);
        assert_int_equal(r.status, -ENOENT);
}

/* A limit of ours on memory would kill quadlet, which is a Go program. */
static void test_limits_are_not_inherited(void **state) {
        struct rlimit before, l;

        (void) state;
        assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
        if (before.rlim_cur != RLIM_INFINITY || BUILT_WITH_ADDRESS_SANITIZER)
                skip();
        l = before;
        l.rlim_cur = 512 * 1024 * 1024;
        assert_int_equal(setrlimit(RLIMIT_AS, &l), 0);
        assert_string_equal(run("#!/bin/sh\nulimit -v\n", 5000, false).said, "unlimited\n");
        assert_int_equal(setrlimit(RLIMIT_AS, &before), 0);
}

static void test_outcomes_in_words(void **state) {
        static const struct {
                ProgramOutcome outcome;
                int status;
                const char *text;
        } cases[] = {
                { PROGRAM_EXITED, 1, "ended with status 1" },
                { PROGRAM_SIGNALED, 9, "was killed by signal 9" },
                { PROGRAM_TIMED_OUT, 0, "did not end within 4.5 seconds" },
                { PROGRAM_NOT_STARTED, -ENOENT, "could not be started: No such file or directory" },
        };
        const ProgramJob job = { .timeout_ms = 4500 };

        (void) state;
        for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
                const ProgramResult r = { .outcome = cases[i].outcome, .status = cases[i].status };

                assert_string_equal(program_outcome_text(c.arena, &job, &r), cases[i].text);
        }
}

int main(void) {
#define PROGRAM_TEST(fn) cmocka_unit_test_setup_teardown(fn, begin, end)
        const struct CMUnitTest tests[] = {
                PROGRAM_TEST(test_arguments_environment_and_words),
                PROGRAM_TEST(test_control_characters_are_replaced),
                PROGRAM_TEST(test_signal),
                PROGRAM_TEST(test_deadline),
                PROGRAM_TEST(test_much_output_does_not_block),
                PROGRAM_TEST(test_not_started),
                PROGRAM_TEST(test_limits_are_not_inherited),
                PROGRAM_TEST(test_outcomes_in_words),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
