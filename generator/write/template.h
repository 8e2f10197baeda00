/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/write/unit-writer.h"

/* Unit text with @TOKENS@, from templates/ and quadlets/, embedded at build time by templates/embed.py as an
 * array of pieces (the build fails with file:line:column for a token that is not in the list). Each token has
 * an escape class, so a template cannot be filled with raw text; the class TOKEN_BLOCK takes whole lines that
 * a UnitWriter made. */
typedef struct TemplatePiece {
        const char *text; /* literal text, or NULL */
        int token;        /* index into the token list when text is NULL */
} TemplatePiece;

typedef struct Template {
        const char *name; /* "proof.service" */
        const TemplatePiece *pieces;
        size_t n_pieces;
} Template;

typedef struct TemplateValue {
        int token;
        const char *value; /* raw; escaped by the token's class here. A TOKEN_BLOCK is lines from
                              unit_writer_text() */
} TemplateValue;

/* Text in the arena. A token without value is a bug and aborts. */
const char *template_fill(Arena *a, Diag *d, Span span, const Template *t, const TemplateValue *values,
                          size_t n);
