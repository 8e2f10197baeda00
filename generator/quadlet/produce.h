/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/quadlet/apply.h"

/* The middle of plan_apply(): what the plan expects of quadlet. Quadlet writes into a folder of its own,
 * since it opens what it writes with os.Create(): it would overwrite another generator's unit, and a run that
 * is cut off would leave half a unit where systemd looks. Only complete units that the plan expects are moved
 * out; the folder is removed. */
typedef struct Produced {
        size_t n_moved;  /* the first n_moved of plan->expected are in place */
        size_t n_failed; /* of these, units that became failed ones */
} Produced;

/* 0, or a negative errno with the reason in diag; ret tells in both cases how far it came. */
int quadlet_produce(Arena *a, Diag *d, const ApplyJob *job, int dir_fd, Produced *ret);

/* Removes a folder of files and links in dir_fd, however it looks inside; what is not there is fine. */
void remove_folder(int dir_fd, const char *name);
