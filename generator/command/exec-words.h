/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/base/arena.h"

/* The words of an Exec*= line as systemd.service(5) "COMMAND LINES" splits them: quotes, C escapes, "%%" and
 * "$$" back to one character, special prefixes of the first word dropped. What only systemd knows is not
 * guessed: a specifier ("%n") or a variable ("${A}") gives -EOPNOTSUPP; a line that is cut short gives
 * -EINVAL. The array ends with NULL. */
int exec_words(Arena *a, const char *line, const char ***ret_words, size_t *ret_n);
