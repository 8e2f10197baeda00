/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/base/diag.h"

/* INI files through inih, with positions: one call for each "key = value" line, and one with key NULL for
 * each
 * "[section]" line, since a section without keys can be a slip, too. The span covers the key, or the line;
 * what the handler dislikes it reports there. The strings live in the arena. */
typedef void (*IniHandler)(void *userdata, const char *section, const char *key, const char *value,
                           Span span);

/* Errors in diag (code "ini"): a line that is neither section, key nor comment; a line longer than inih
 * carries; control characters; bytes that are no UTF-8. What is well-formed reaches the handler all the same.
 */
void ini_read(Arena *a, Diag *d, const Sources *s, uint32_t file, IniHandler handler, void *userdata);
