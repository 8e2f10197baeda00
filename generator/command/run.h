/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/command/command.h"

/* Other programs of the host, by name: looked for in /usr/bin, /bin, /usr/sbin, /sbin and never in $PATH or
 * the current directory. */

/* NULL if there is none. */
const char *run_find(Session *s, const char *program);

/* Becomes that program. Returns only if that fails, with an exit status, having said why. argv[0] is its
 * name. */
int run_replace(Session *s, const char *program, const char *const *argv);
/* The same with a path that is known. */
int run_replace_path(Session *s, const char *path, const char *const *argv);
