/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/front/dotenv.h"
#include "generator/front/node.h"

/* Compose Specification "12-interpolation": $V ${V} ${V:-d} ${V-d} ${V:?e} ${V?e} ${V:+a} ${V+a},
 * nested, "$$" for "$". An unset variable without default is a warning (once a name) and "". */

/* All scalar values below n, in place; keys stay as they are. A plain scalar that had a variable is
 * typed anew from its result as a boolean or number, else it is a string (never null: an unset
 * variable is an empty text). Sets Node.secret and Node.interpolated. What a default or an error
 * text holds is looked at only when it is used. */
void interpolate_tree(Arena *a, Diag *d, const EnvTable *env, Node *n);

/* One string. Returns NULL after an error. *ret_secret and *ret_changed may be NULL. */
const char *interpolate_string(Arena *a, Diag *d, const EnvTable *env, Span span, const char *text,
                               bool *ret_secret, bool *ret_changed);
