/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/base/diag.h"
#include "generator/write/escape.h"

/* Lines of a unit or quadlet file, typed: key, class, value. Errors are reported at the span (code
 * "cannot-express") and the line is left out, so a file with errors is never committed (the driver stops on
 * errors). */
typedef struct UnitWriter {
        Buf buf;
        Diag *diag;
        Span span; /* position for diagnostics of the lines that follow */

        /* The line that unit_begin() has opened. */
        const char *key;
        size_t line_start, value_start;
        bool failed;
} UnitWriter;

UnitWriter unit_writer(Arena *a, Diag *d);
void unit_section(UnitWriter *w, const char *name);
/* "# text"; control characters are shown escaped. */
void unit_comment(UnitWriter *w, const char *text);
void unit_line(UnitWriter *w, const char *key, EscapeClass class, const char *value);
void unit_linef(UnitWriter *w, const char *key, EscapeClass class, const char *format, ...)
        __attribute__((format(printf, 4, 5)));
/* key=word word word, each escaped by class; nothing if n is 0. */
void unit_words(UnitWriter *w, const char *key, EscapeClass class, const char *const *words, size_t n);
/* A word that must reach a process without standing in unit text: `name` is set in a root-only
 * EnvironmentFile=, the line gets "${name}", which systemd expands at exec. Word-wise building for mixed
 * lines: */
void unit_begin(UnitWriter *w, const char *key);
void unit_word(UnitWriter *w, EscapeClass class, const char *value);
void unit_word_from_environment(UnitWriter *w, const char *name);
void unit_end(UnitWriter *w);
const char *unit_writer_text(const UnitWriter *w);
