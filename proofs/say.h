/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* One line to stderr for an operator: with its journal priority (sd-daemon(3)) where stderr is the journal,
 * with the program's name elsewhere. */

#include <stdarg.h>

void say_with(const char *program, int priority, const char *format, va_list ap)
        __attribute__((format(printf, 3, 0)));
