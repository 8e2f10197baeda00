/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "generator/base/arena.h"

static inline bool str_equal(const char *a, const char *b) {
        return a == b || (a && b && strcmp(a, b) == 0);
}

static inline bool str_has_prefix(const char *s, const char *prefix) {
        return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool str_has_suffix(const char *s, const char *suffix);

/* Well-formed UTF-8 (RFC 3629: no surrogates, no overlong forms). */
bool str_is_utf8(const char *s, size_t n);
/* Any byte below 0x20 or 0x7f. */
bool str_has_control(const char *s);

/* The candidate nearest to word by edit distance, or NULL if none is near enough to suggest. */
const char *str_nearest(const char *word, const char *const *candidates, size_t n);

/* Lexical path work, no file system: joins (an absolute second part replaces the first), removes ".", "..",
 * double slashes. A result never ends in "/" but for the root. */
const char *path_join(Arena *a, const char *dir, const char *path);
const char *path_normalize(Arena *a, const char *path);
const char *path_parent(Arena *a, const char *path);
/* True if path is dir or lies below it; both normalized. */
bool path_is_within(const char *path, const char *dir);
