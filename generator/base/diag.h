/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "generator/base/arena.h"
#include "generator/base/source.h"

/* What the operator must know. Mistakes of the operator are collected here and are never return
 * codes; a phase runs to its end, and the driver stops between phases once there is an error.
 *
 * Text form (GNU coding standards, "Formatting Error Messages"):
 *     file:line:column: error: text [code]
 *        14 |     imgae: nginx
 *           |     ^~~~~
 *     hint: what to do next */
typedef enum DiagLevel {
        DIAG_ERROR,
        DIAG_WARNING,
        DIAG_NOTE,
        _DIAG_LEVEL_MAX,
} DiagLevel;

typedef struct DiagEntry {
        DiagLevel level;
        Span span;
        const char *code; /* stable word, such as "unknown-key" */
        const char *text; /* one sentence without a final stop */
        const char *hint; /* what to do next, or NULL */
        bool hide_source; /* never show the line itself: a .env holds secrets */
} DiagEntry;

/* A value that no message and no file that others may read may hold. */
typedef struct DiagSecret {
        const char *name; /* of its variable */
        const char *value;
        uint32_t file; /* that it comes from */
} DiagSecret;

typedef struct Diag {
        Arena *arena;
        const Sources *sources;
        DiagEntry *entries;
        size_t n_entries, capacity;
        size_t n_errors;
        size_t n_dropped; /* beyond LIMIT_DIAGNOSTICS; errors displace the others */
        size_t last;      /* index of the last entry plus 1, 0 if it was dropped */
        DiagSecret *secrets;
        size_t n_secrets, secrets_capacity;
        uint32_t *hidden; /* files */
        size_t n_hidden, hidden_capacity;
} Diag;

typedef enum DiagFormat {
        DIAG_TEXT, /* with source line and caret */
        DIAG_TEXT_COLOR,
        DIAG_KMSG, /* one record a line, "<3>unitproof-generator[PID]: …", < 900 bytes */
} DiagFormat;

/* The last entry's hint is set by diag_hint(), so that a call stays readable:
 *     diag_error(d, node->span, "unknown-key", "unknown key '%s'", key);
 *     diag_hint(d, "did you mean '%s'?", best); */
void diag_error(Diag *d, Span span, const char *code, const char *format, ...)
        __attribute__((format(printf, 4, 5)));
void diag_warning(Diag *d, Span span, const char *code, const char *format, ...)
        __attribute__((format(printf, 4, 5)));
void diag_note(Diag *d, Span span, const char *code, const char *format, ...)
        __attribute__((format(printf, 4, 5)));
void diag_hint(Diag *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "cannot read PATH: …" for what sources_open() returned, with a hint that fits what stands there; `hint` is
 * the caller's for a file that is missing and for the rest, or NULL. */
void diag_unreadable(Diag *d, Span span, const char *code, const char *path, int error, const char *hint);
/* From here on messages show "***" for the value, unless it is a word that the Compose file, or its own path,
 * spells out. A value of less than 4 bytes, or a word such as "true", hides nothing and is not taken. */
void diag_add_secret(Diag *d, const char *name, const char *value, uint32_t file);
/* Whether it stands in a file that is read and holds no secrets, so that it is none, whatever its variable is
 * called. */
bool diag_is_spelt_out(const Diag *d, const DiagSecret *secret);
/* No line of that file is ever shown: it holds secrets. For entries from here on. */
void diag_hide_file(Diag *d, uint32_t file);
/* Marks the last entry so that its source line is not shown. */
void diag_hide_source(Diag *d);

/* Sorts by file, line, column and drops exact repetitions; what has no position comes first. */
void diag_sort(Diag *d);
/* Prints all entries; JSON is the command's business. Control characters in values are shown
 * escaped. */
void diag_print(const Diag *d, FILE *f, DiagFormat format);
/* "path:line:column", or the path alone, or "": for messages, so that it can be opened from here. */
const char *diag_position(const Diag *d, Arena *a, Span span);
/* The same for units: as the host sees the file that it is compiled for. */
const char *diag_origin(const Diag *d, Arena *a, Span span);
const char *diag_level_name(DiagLevel level);
