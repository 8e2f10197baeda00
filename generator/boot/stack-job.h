/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

#include "generator/boot/boot.h"

/* What runs inside a worker. */
typedef struct StackJob {
        const BootOptions *boot;
        const char *stack;        /* name, or STACK_JOB_HOST */
        const char *const *names; /* all names of stack directories, for stack_job_host() */
        size_t n_names;
        const char *reason; /* for stack_job_report(): what became of the worker */
        int timeout_ms;
} StackJob;

/* What goes wrong outside any one stack is shown as this one; no stack may be called so. */
#define STACK_JOB_HOST "unitproof-host"

/* Statuses that nothing else uses: whoever ends the process elsewhere, with 0 or 1, has not done the job. */
enum {
        STACK_JOB_DONE = 64,
        STACK_JOB_REPORTED = 65, /* not compiled (or not all of it), and a failed unit says so */
        STACK_JOB_LOST =
                66, /* not even that could be written: the directory is full, or the names are taken */
};

int stack_job_compile(void *job);
/* unitproof.conf and the names of the stacks. */
int stack_job_host(void *job);
/* The failed unit of a stack whose worker ended without one. */
int stack_job_report(void *job);

/* unitproof.conf or unitproof.conf.d exists. */
bool stack_job_has_config(const BootOptions *o);
