/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

#include "generator/front/node.h"

/* What a plain scalar is, as Compose's YAML library sees it: the YAML 1.2 core schema ("YAML
 * 1.2.2", 10.3.2), widened by 0b, signs before 0x and 0o, underscores between digits and the old
 * octal form 0777. "yes", "on", 12:30:00 and dates are strings. A number that does not fit is a
 * float if it is written in decimal digits, else a string. */
NodeKind scalar_kind(const char *text);

/* The value of a NODE_INT. False if the text is no integer or lies outside of long long. */
bool scalar_parse_int(const char *text, long long *ret_value);

/* The text that Compose makes of a scalar where a string is wanted (environment, labels, …): 0644
 * becomes 420, True becomes true, 1.10 becomes 1.1; strings stay as they are. */
const char *scalar_canonical(Arena *a, const Node *n);
