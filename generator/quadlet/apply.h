/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/plan/plan.h"

/* A plan becomes files: our quadlets, the host's quadlet on them, its units moved to their places, our own
 * units and links, and at the very end the link that activates all. The boot generator and `unitproof
 * generate` do the same. */
typedef struct ApplyJob {
        const Plan *plan;
        const char *dir;      /* absolute, exists */
        const char *root;     /* where quadlet is looked for, for messages alone */
        const char *quadlet;  /* program, or "" if there is none */
        int timeout_ms;       /* for quadlet */
        bool replace;         /* files that are there are ours to renew; else a taken name refuses the plan */
        bool without_quadlet; /* write our files alone, and say nothing about what quadlet would have made */
} ApplyJob;

typedef enum ApplyOutcome {
        APPLY_DONE,
        APPLY_INCOMPLETE, /* all is in place, but for some units quadlet gave nothing: each of them is a
                             failed unit now */
        APPLY_REFUSED,    /* nothing of the plan is left in the directory; diag says why */
        _APPLY_MAX,
} ApplyOutcome;

/* With `replace`, a refusal may leave inert files, and never the activating link. */
ApplyOutcome plan_apply(Arena *a, Diag *d, const ApplyJob *job);

/* Removes what a run that was cut off may have left at the names of this plan: links, and units whose
 * SourcePath= is source or lies below it. What others made stays. */
void plan_remove_own(Arena *a, const Plan *p, const char *dir, const char *source);

/* SourcePath= of the unit at path in dir_fd, or NULL. */
const char *unit_source_path(Arena *a, int dir_fd, const char *path);
