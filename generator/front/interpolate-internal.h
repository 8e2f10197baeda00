/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/front/interpolate.h"

/* How one text is interpolated; dotenv-parse.c uses it with its own order of tables.
 *
 * With an owner, diagnostics show neither the line nor what follows a "$": "pa$word" is more likely
 * a password than a reference, and messages go to the journal. */
typedef struct InterpolateOptions {
        const EnvTable *first; /* looked up before env; may be NULL */
        const EnvTable *env;
        Span span;         /* of the value in its file */
        bool locate;       /* the text stands at span in the file: point into it */
        const char *owner; /* set for a .env: the variable whose value this is, see below */
} InterpolateOptions;

typedef struct InterpolateResult {
        const char *text;
        bool secret, changed;
} InterpolateResult;

/* False after an error. */
bool interpolate_text(Arena *a, Diag *d, const InterpolateOptions *o, const char *text,
                      InterpolateResult *ret_result);

/* The position of the "$" at text + offset of a value that was written at span: the value's line
 * and column, moved on to the same "$" in the file. Quotes, folding and block indentation make the
 * two differ; where they cannot be matched, span is returned as it is. */
Span interpolate_position(const Sources *s, Span span, const char *text, size_t offset);
