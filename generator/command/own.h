/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/command/session.h"

/* Files and links of a stack that are in an output directory now, as paths relative to it, sorted. A unit
 * belongs to a stack if SourcePath= lies in the stack's directory or in the folder of its quadlets; folders
 * that carry the stack's name belong to it as a whole. A directory that does not exist holds nothing. 0 or a
 * negative errno. */
int own_list(Session *s, const Compiled *c, const char *dir, const char ***ret_paths, size_t *ret_n);

/* True if unitproof made this unit for a stack of this name, from whatever place: by its head, or by the
 * folder that quadlet read. */
bool own_is_made_here(Arena *a, int dir_fd, const char *path, const char *stack);

/* True if the plan makes this path, itself or through quadlet. */
bool own_is_planned(const Plan *p, const char *path);
