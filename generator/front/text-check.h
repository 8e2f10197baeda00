/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

#include "generator/base/diag.h"

/* Refuses bytes that no input file of ours may hold, with their position: another encoding than
 * UTF-8, NUL, control characters but tab and line ends, and the Unicode line separators, which
 * would make our line numbers differ from an editor's. Stops at the first. */
bool text_check(Diag *d, const Sources *s, uint32_t file);

/* Refuses what no value can hold, even through escapes: NUL, which ends every string further on, and what is
 * no UTF-8. Other control characters ("\x1b") are the author's word; where one cannot be carried, whoever
 * writes it refuses it. */
bool text_check_value(Diag *d, Span span, const char *text, size_t length);
