/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
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
/* Decodes one character. Returns its length in bytes, or 0 if the bytes are not UTF-8 or n is 0. */
size_t str_decode_char(const char *s, size_t n, uint32_t *ret_char);
/* Characters that a message must not carry as they are: control characters (C0, DEL, C1), line and
 * paragraph separators, and the marks that turn the direction of writing. */
bool char_is_hostile(uint32_t c);
/* The text with such characters and bytes that are no UTF-8 written as escapes: "\n", "\x1b",
 * "\u202e". */
const char *str_printable(Arena *a, const char *s);
/* At most n bytes of the text, cut between characters and ended by "…" if something was cut. */
const char *str_shorten(Arena *a, const char *s, size_t n);

/* The candidate nearest to word by edit distance, or NULL if none is near enough to suggest. */
const char *str_nearest(const char *word, const char *const *candidates, size_t n);

/* Lexical path work, no file system: joins (an absolute second part replaces the first), removes
 * ".", "..", double slashes. A result never ends in "/" but for the root. */
const char *path_join(Arena *a, const char *dir, const char *path);
const char *path_normalize(Arena *a, const char *path);
const char *path_parent(Arena *a, const char *path);
/* True if path is dir or lies below it; both normalized. */
bool path_is_within(const char *path, const char *dir);
