/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/base/diag.h"
#include "generator/command/command.h"

/* Diagnostics: to standard error, or with --json as {file, line, column, level, code, message, hint} into the
 * answer. */
void output_diag(Session *s, Diag *d);

/* A string that is safe to print and to put into JSON, whatever it held. */
json_t *json_text(Session *s, const char *text);
/* The same for text of several lines: they stay lines. */
json_t *json_lines(Session *s, const char *text);
void json_put(json_t *object, const char *key, json_t *value);

typedef enum Tone {
        TONE_PLAIN,
        TONE_BOLD,
        TONE_DIM,
        TONE_GOOD,
        TONE_BAD,
        TONE_WARN,
        _TONE_MAX,
} Tone;

/* Words on standard output in a tone, padded to a width in characters. */
void output_word(const Session *s, Tone tone, int width, const char *text);

/* "3 min", "2 days": how long ago, in one unit. */
const char *output_age(Arena *a, unsigned long long seconds);
