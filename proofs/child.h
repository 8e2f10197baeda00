/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Work that changes what a process is (its namespaces, its IDs) is done in a child, so that the proof itself
 * stays where it was. The child runs one function, sends one struct of fixed size back and ends. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Fills result (zeroed before). Returns 0 or a negative errno, which becomes the result of child_wait(). */
typedef int (*ChildWork)(void *userdata, void *result);

typedef struct Child {
        pid_t pid;    /* 0: none */
        int fd;       /* reading end, -1 when closed */
        char *buffer; /* status, then the result struct */
        size_t size, used;
        bool late; /* killed at the deadline */
} Child;

#define CHILD_NONE ((Child){ .pid = 0, .fd = -1 })

/* The calling program must have one thread only. The child dies with its parent. */
int child_start(ChildWork work, void *userdata, size_t result_size, Child *ret);

/* In a child that has had other IDs for a moment: the kernel forgets then that it dies with its parent
 * (PR_SET_PDEATHSIG(2const)). Says so again, and ends it if the parent has gone meanwhile. */
void child_bind(void);

/* Waits for all n children together until the CLOCK_MONOTONIC deadline. Children that are late are killed;
 * child_result() then says -ETIMEDOUT. */
void child_wait(Child *children, size_t n, uint64_t deadline_usec);

/* The status of the work: 0 and the result is copied out; -EPIPE if the child died without an answer. */
int child_result(const Child *child, size_t result_size, void *ret_result);

/* Kills what still runs, reaps, frees. */
void child_done(Child *child);

/* All of it for one child. */
int child_run(ChildWork work, void *userdata, size_t result_size, uint64_t deadline_usec, void *ret_result);
