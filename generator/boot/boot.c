/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/boot/boot.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generator/base/limits.h"
#include "generator/boot/stack-job.h"
#include "generator/boot/worker.h"
#include "generator/config/config.h"
#include "generator/facts/root.h"
#include "generator/quadlet/words.h"

/* Of a stack's time this much is kept for the failed unit, should the compile not end. */
enum { REPORT_MS = 1000, SHORTEST_MS = 100 };

/* Equal shares of what is left: a stack that hangs costs only what the others do not need. Four seconds for
 * each of a hundred stacks that hang would stop the boot. */
static int share_ms(const BootOptions *o, long long deadline, size_t stacks_left) {
        long long share = (deadline - clock_ms()) / (long long) stacks_left;

        if (share > o->stack_ms)
                share = o->stack_ms;
        return share < SHORTEST_MS ? SHORTEST_MS : (int) share;
}

/* True if the stack compiled. */
static bool run_job(const BootOptions *o, StackJob *job, WorkerMain compile, int timeout_ms) {
        WorkerLimits limits = { .timeout_ms = timeout_ms, .memory_bytes = o->memory_bytes };
        WorkerResult result;
        char reason[1200];

        job->timeout_ms = timeout_ms;
        worker_run(compile, job, &limits, &result);
        if (result.outcome == WORKER_EXITED && result.status == STACK_JOB_DONE)
                return true;
        if (result.outcome == WORKER_EXITED &&
            (result.status == STACK_JOB_REPORTED || result.status == STACK_JOB_LOST))
                return false;

        worker_describe(&result, reason, sizeof(reason));
        job->reason = reason;
        limits.timeout_ms = REPORT_MS;
        worker_run(stack_job_report, job, &limits, &result);
        job->reason = NULL;
        return false;
}

static bool all_names_are_valid(const char *const *names, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (config_stack_name_problem(names[i]))
                        return false;
        return true;
}

int boot_run(const BootOptions *o) {
        _cleanup_arena_ Arena *a = arena_new(LIMIT_ARENA_BYTES);
        const long long deadline = clock_ms() + o->all_ms;
        StackJob job = { .boot = o };
        const char **names;
        bool good = true;
        size_t n;
        int r;

        r = config_list_stacks(a, o->root, &names, &n);
        if (r < 0) {
                job.stack = STACK_JOB_HOST;
                job.reason = arena_printf(a, "cannot list " CONFIG_DIR ": %s", root_list_error(r));
                worker_run(stack_job_report, &job,
                           &(WorkerLimits){ .timeout_ms = REPORT_MS, .memory_bytes = o->memory_bytes },
                           &(WorkerResult){ 0 });
                return EXIT_FAILURE;
        }
        if (n == 0)
                return EXIT_SUCCESS;

        if (!all_names_are_valid(names, n) || stack_job_has_config(o)) {
                job.stack = STACK_JOB_HOST;
                job.names = names;
                job.n_names = n;
                good = run_job(o, &job, stack_job_host, REPORT_MS);
        }
        for (size_t i = 0; i < n; i++) {
                if (config_stack_name_problem(names[i]))
                        continue;
                job.stack = names[i];
                good = run_job(o, &job, stack_job_compile, share_ms(o, deadline, n - i)) && good;
        }
        return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
