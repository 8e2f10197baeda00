/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/boot/stack-job.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "generator/base/limits.h"
#include "generator/base/str.h"
#include "generator/compose/compose.h"
#include "generator/config/config.h"
#include "generator/facts/handles.h"
#include "generator/facts/root.h"
#include "generator/quadlet/apply.h"
#include "generator/quadlet/produce.h"

/* Of a stack's time quadlet may use all but this: the worker shall live to say that quadlet hung. */
enum { AFTER_QUADLET_MS = 500 };

/* What every job needs; the arena is freed by the end of the process. */
typedef struct Job {
        const StackJob *in;
        Arena *arena;
        Sources sources;
        Diag diag;
} Job;

static void job_begin(Job *j, const StackJob *in) {
        Arena *a = arena_new(LIMIT_ARENA_BYTES);

        *j = (Job){ .in = in, .arena = a };
        j->sources = (Sources){
                .arena = a,
                .read = source_read_file,
                .userdata = (void *) (uintptr_t) in->boot->root,
        };
        j->diag = (Diag){ .arena = a, .sources = &j->sources };
}

/* One write is one record of /dev/kmsg, so the stream is line-buffered with room for a whole one. */
static void job_print(Job *j) {
        _cleanup_fclose_ FILE *kmsg = NULL, *terminal = NULL;
        int fd;

        if (j->diag.n_entries == 0)
                return;
        diag_sort(&j->diag);
        fd = open(j->in->boot->kmsg, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        kmsg = fd >= 0 ? fdopen(fd, "we") : NULL;
        if (kmsg) {
                (void) setvbuf(kmsg, NULL, _IOLBF, 4096);
                diag_print(&j->diag, kmsg, DIAG_KMSG);
        }
        fd = j->in->boot->terminal_fd >= 0 ? fcntl(j->in->boot->terminal_fd, F_DUPFD_CLOEXEC, 3) : -1;
        terminal = fd >= 0 ? fdopen(fd, "we") : NULL;
        if (terminal)
                diag_print(&j->diag, terminal, DIAG_TEXT);
}

static const char *stack_dir(Job *j) {
        return arena_printf(j->arena, CONFIG_DIR "/%s", j->in->stack);
}

/* The file that the failed unit names as its source: the first that was read, if any was. */
static const char *job_source(Job *j) {
        const SourceFile *f = j->sources.n_files > 0 ? sources_get(&j->sources, 1) : NULL;

        if (str_equal(j->in->stack, STACK_JOB_HOST))
                return CONFIG_DIR;
        return f && path_is_within(f->path, stack_dir(j)) ? f->path : stack_dir(j);
}

/* Replaces the stack by a failed unit. `cut_off`: a worker ended somewhere on its way and may have left
 * files. */
static int job_fail(Job *j, bool cut_off) {
        Plan *p = plan_failed(j->arena, j->in->stack, job_source(j), &j->diag);
        ApplyJob apply = {
                .plan = p, .dir = j->in->boot->output_dir, .root = j->in->boot->root, .quadlet = ""
        };
        ApplyOutcome outcome;

        if (cut_off)
                plan_remove_own(j->arena, p, apply.dir, stack_dir(j));
        outcome = plan_apply(j->arena, &j->diag, &apply);
        job_print(j);
        return outcome == APPLY_DONE ? STACK_JOB_REPORTED : STACK_JOB_LOST;
}

int stack_job_compile(void *userdata) {
        const StackJob *in = userdata;
        ApplyOutcome outcome;
        Config config;
        Facts facts;
        Plan *plan;
        Job j;

        job_begin(&j, in);
        facts_read_host(j.arena, in->boot->root, &facts);
        {
                /* What is wrong with it is stack_job_host()'s to say, once. */
                Sources sources = { .arena = j.arena,
                                    .read = source_read_file,
                                    .userdata = j.sources.userdata };
                Diag quiet = { .arena = j.arena, .sources = &sources };

                config_load(j.arena, &quiet, &sources, in->boot->root, &config);
        }

        Neighbours neighbours = {
                .arena = j.arena,
                .root = in->boot->root,
                .own = in->stack,
                .dir = in->boot->output_dir,
                .read = source_read_file,
                .userdata = j.sources.userdata,
        };

        config.unit_of_container = neighbours_unit_of_container;
        config.find_name = neighbours_find_name;
        config.userdata = &neighbours;

        CompileInput input = {
                .stack = in->stack,
                .dir = stack_dir(&j),
                .output_dir = in->boot->output_dir,
                .config = &config,
        };
        facts_check_systemd(&j.diag, (Span){ 0 }, &facts);
        plan = compile_stack(j.arena, &j.sources, &j.diag, &input, &facts, NULL, NULL);
        if (!plan || j.diag.n_errors > 0)
                return job_fail(&j, false);

        ApplyJob apply = {
                .plan = plan,
                .dir = in->boot->output_dir,
                .root = in->boot->root,
                .quadlet = facts.quadlet_path,
                .timeout_ms = in->timeout_ms > 2 * AFTER_QUADLET_MS ? in->timeout_ms - AFTER_QUADLET_MS
                                                                    : in->timeout_ms / 2,
        };
        if (in->boot->root[0] != '\0' && facts.quadlet_path[0] != '\0')
                apply.quadlet = path_join(j.arena, in->boot->root, facts.quadlet_path + 1);
        outcome = plan_apply(j.arena, &j.diag, &apply);
        if (outcome == APPLY_REFUSED)
                return job_fail(&j, false);
        job_print(&j);
        return outcome == APPLY_DONE ? STACK_JOB_DONE : STACK_JOB_REPORTED;
}

int stack_job_host(void *userdata) {
        const StackJob *in = userdata;
        Config config;
        Job j;

        job_begin(&j, in);
        config_load(j.arena, &j.diag, &j.sources, in->boot->root, &config);
        for (size_t i = 0; i < in->n_names; i++) {
                const char *problem = config_stack_name_problem(in->names[i]);

                if (!problem)
                        continue;
                diag_error(&j.diag, (Span){ 0 }, "stack-name", CONFIG_DIR "/%s cannot be a stack: %s",
                           in->names[i], problem);
                diag_hint(&j.diag, "rename the directory; one that is no stack may begin with a dot");
        }
        if (j.diag.n_errors > 0)
                return job_fail(&j, false);
        job_print(&j);
        return STACK_JOB_DONE;
}

int stack_job_report(void *userdata) {
        const StackJob *in = userdata;
        _cleanup_close_ int dir = -1;
        Job j;

        job_begin(&j, in);
        diag_error(&j.diag, (Span){ 0 }, "worker", "compiling the stack %s %s", in->stack, in->reason);
        diag_hint(&j.diag, "see what is special with: unitproof check %s", in->stack);

        /* Links of a commit that was cut off would start half a stack through the target that says "failed".
         */
        dir = open(in->boot->output_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (dir >= 0) {
                remove_folder(dir, arena_printf(j.arena, "%s.target.wants", in->stack));
                remove_folder(dir, arena_printf(j.arena, "unitproof-%s.staging", in->stack));
        }
        return job_fail(&j, true);
}

bool stack_job_has_config(const BootOptions *o) {
        static const char *const paths[] = { CONFIG_DIR "/unitproof.conf", CONFIG_DIR "/unitproof.conf.d" };

        for (size_t i = 0; i < ELEMENTS(paths); i++) {
                _cleanup_close_ int fd = root_open(o->root, paths[i], O_PATH | O_NOFOLLOW);

                if (fd >= 0)
                        return true;
        }
        return false;
}
