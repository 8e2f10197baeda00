/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Whether the kill rule of a tunnel is there exactly as it was loaded. What the kernel said right after
 * loading is kept in RUN_DIR/.guard/TUNNEL_UNIT, for root alone (the mark stands in it), and compared with
 * what it says now. */

#include <stdint.h>

#include "proofs/child.h"

typedef enum GuardState {
        GUARD_THERE,
        GUARD_NEVER,     /* nothing was loaded since the boot */
        GUARD_ELSEWHERE, /* it was loaded, but in another network namespace */
        GUARD_GONE,
        GUARD_CHANGED,
        _GUARD_STATE_MAX,
} GuardState;

/* "is gone", in words that follow "the kill rule"; NULL for GUARD_THERE. */
const char *guard_state_text(GuardState state);

/* Keeps what is loaded in the namespace that the caller is in. -ENOENT: nothing is. */
int guard_keep(const char *run_dir, const char *tunnel_unit);

/* A child goes into the namespace. */
int guard_check(int netns_fd, const char *run_dir, const char *tunnel_unit, GuardState *ret);

/* The same in two steps, between which the caller does something else. */
typedef struct GuardLook {
        Child child;
        int netns_fd; /* of the caller */
        char *kept;   /* NULL: nothing was */
} GuardLook;

#define GUARD_LOOK_NONE ((GuardLook){ .child = CHILD_NONE })

/* *look does not move until the end. */
int guard_look_begin(GuardLook *look, int netns_fd, const char *run_dir, const char *tunnel_unit);
int guard_look_end(GuardLook *look, GuardState *ret);
void guard_look_done(GuardLook *look);
