/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/diag.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "generator/base/buf.h"
#include "generator/base/limits.h"
#include "generator/base/str.h"

/* A value that a message quotes may be of any length; a message is not. */
#define TEXT_BYTES_MAX 1000

/* The place for one more entry. When all are taken, an error takes that of something less severe.
 */
static DiagEntry *diag_place(Diag *d, DiagLevel level) {
        d->last = 0;
        if (d->n_entries < LIMIT_DIAGNOSTICS) {
                d->entries =
                        arena_grow(d->arena, d->entries, sizeof *d->entries, &d->capacity, d->n_entries + 1);
                d->last = ++d->n_entries;
                return d->entries + d->last - 1;
        }
        d->n_dropped++;
        for (size_t i = d->n_entries; level == DIAG_ERROR && i > 0; i--)
                if (d->entries[i - 1].level != DIAG_ERROR) {
                        d->last = i;
                        return d->entries + i - 1;
                }
        return NULL;
}

static bool is_hidden(const Diag *d, uint32_t file) {
        for (size_t i = 0; i < d->n_hidden; i++)
                if (d->hidden[i] == file)
                        return true;
        return false;
}

void diag_unreadable(Diag *d, Span span, const char *code, const char *path, int error, const char *hint) {
        static const struct {
                int error;
                const char *text, *hint; /* text NULL: the system's own words */
        } rows[] = {
                { EACCES, NULL, "it has to be readable for root, and for whoever runs this" },
                { EFBIG, "it is larger than the limit", "name another file, or make it smaller" },
                { EINVAL, "it is no regular file", "put a regular file in its place" },
                { EISDIR, "it is a directory", "put a file in its place, or correct the path" },
                { ENOLINK, "it is a link that leads to nothing",
                  "mount or create what it leads to, or remove the link" },
        };
        const char *text = NULL;

        for (size_t i = 0; i < ELEMENTS(rows); i++)
                if (rows[i].error == -error) {
                        text = rows[i].text;
                        hint = rows[i].hint;
                }
        if (error == -EFBIG)
                text = arena_printf(d->arena, "%s of %d MiB", text, LIMIT_FILE_BYTES / (1024 * 1024));
        else if (error == -E2BIG) {
                text = arena_printf(d->arena, "a stack may read %d files, and this is one more", LIMIT_FILES);
                hint = "put several of them into one";
        }
        diag_error(d, span, code, "cannot read %s: %s", sources_shown(d->sources, d->arena, path),
                   text ? text : strerror(-error));
        if (hint)
                diag_hint(d, "%s", hint);
}

void diag_add_secret(Diag *d, const char *name, const char *value, uint32_t file) {
        static const char *const plain[] = { "true", "false", "none", "null", "default" };

        if (strlen(value) < 4)
                return;
        for (size_t i = 0; i < ELEMENTS(plain); i++)
                if (str_equal(value, plain[i]))
                        return;
        d->secrets =
                arena_grow(d->arena, d->secrets, sizeof *d->secrets, &d->secrets_capacity, d->n_secrets + 1);
        d->secrets[d->n_secrets++] = (DiagSecret){ .name = name, .value = value, .file = file };
}

void diag_hide_file(Diag *d, uint32_t file) {
        if (is_hidden(d, file))
                return;
        d->hidden = arena_grow(d->arena, d->hidden, sizeof *d->hidden, &d->hidden_capacity, d->n_hidden + 1);
        d->hidden[d->n_hidden++] = file;
}

static bool holds(const char *text, const char *value) {
        return strstr(text, value) != NULL;
}

static bool is_of_word(char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               (c & 0x80);
}

/* Not as a part of a longer one: "pass" is not spelt out by "password". */
static bool holds_word(const char *text, const char *value) {
        const size_t n = strlen(value);

        for (const char *p = text; (p = strstr(p, value)); p++)
                if ((p == text || !is_of_word(p[-1])) && !is_of_word(p[n]))
                        return true;
        return false;
}

static bool is_in_files(const Diag *d, const DiagSecret *secret, bool (*in)(const char *, const char *)) {
        for (uint32_t i = 1; i <= d->sources->n_files; i++) {
                const SourceFile *f = sources_get(d->sources, i);

                if (i != secret->file && !is_hidden(d, i) && f->bytes && in(f->bytes, secret->value))
                        return true;
        }
        return false;
}

bool diag_is_spelt_out(const Diag *d, const DiagSecret *secret) {
        return is_in_files(d, secret, holds);
}

/* The lines of such a file are shown as they are; the first one's path was there before all variables. */
static bool is_plain_word(const Diag *d, const DiagSecret *secret) {
        const SourceFile *first = sources_get(d->sources, 1);

        return (first && holds_word(first->path, secret->value)) || is_in_files(d, secret, holds_word);
}

static const char *redact(Diag *d, const char *text) {
        for (size_t i = 0; i < d->n_secrets; i++) {
                const char *value = d->secrets[i].value, *found = strstr(text, value);
                Buf b = BUF(d->arena);

                if (!found || is_plain_word(d, d->secrets + i))
                        continue;
                for (; found; text = found + strlen(value), found = strstr(text, value)) {
                        buf_add_mem(&b, text, (size_t) (found - text));
                        buf_add(&b, "***");
                }
                buf_add(&b, text);
                text = buf_text(&b);
        }
        return text;
}

__attribute__((format(printf, 5, 0))) static void diag_add(Diag *d, DiagLevel level, Span span,
                                                           const char *code, const char *format, va_list ap) {
        DiagEntry *e = diag_place(d, level);

        if (level == DIAG_ERROR)
                d->n_errors++;
        if (!e)
                return;
        *e = (DiagEntry){
                .level = level,
                .span = span,
                .code = code,
                .text = str_shorten(d->arena, redact(d, arena_vprintf(d->arena, format, ap)), TEXT_BYTES_MAX),
                .hide_source = is_hidden(d, span.file),
        };
}

void diag_error(Diag *d, Span span, const char *code, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        diag_add(d, DIAG_ERROR, span, code, format, ap);
        va_end(ap);
}

void diag_warning(Diag *d, Span span, const char *code, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        diag_add(d, DIAG_WARNING, span, code, format, ap);
        va_end(ap);
}

void diag_note(Diag *d, Span span, const char *code, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        diag_add(d, DIAG_NOTE, span, code, format, ap);
        va_end(ap);
}

void diag_hint(Diag *d, const char *format, ...) {
        va_list ap;

        if (d->last == 0)
                return;
        va_start(ap, format);
        d->entries[d->last - 1].hint =
                str_shorten(d->arena, redact(d, arena_vprintf(d->arena, format, ap)), TEXT_BYTES_MAX);
        va_end(ap);
}

void diag_hide_source(Diag *d) {
        if (d->last > 0)
                d->entries[d->last - 1].hide_source = true;
}

static int compare_u32(uint32_t a, uint32_t b) {
        return a < b ? -1 : a > b;
}

/* By position, then as the words sort: the order must not depend on which phase spoke first. */
static int entry_compare(const void *pa, const void *pb) {
        const DiagEntry *a = pa, *b = pb;
        int r;

        r = compare_u32(a->span.file, b->span.file);
        if (r == 0)
                r = compare_u32(a->span.line, b->span.line);
        if (r == 0)
                r = compare_u32(a->span.column, b->span.column);
        if (r == 0)
                r = compare_u32(a->level, b->level);
        if (r == 0)
                r = strcmp(a->code, b->code);
        if (r == 0)
                r = strcmp(a->text, b->text);
        return r;
}

void diag_sort(Diag *d) {
        size_t n = 0;

        if (d->n_entries == 0)
                return;
        qsort(d->entries, d->n_entries, sizeof *d->entries, entry_compare);
        for (size_t i = 0; i < d->n_entries; i++) {
                if (n > 0 && entry_compare(d->entries + n - 1, d->entries + i) == 0) {
                        if (d->entries[i].level == DIAG_ERROR)
                                d->n_errors--;
                        continue;
                }
                d->entries[n++] = d->entries[i];
        }
        d->n_entries = n;
        d->last = 0;
}

const char *diag_level_name(DiagLevel level) {
        static const char *const names[_DIAG_LEVEL_MAX] = {
                [DIAG_ERROR] = "error",
                [DIAG_WARNING] = "warning",
                [DIAG_NOTE] = "note",
        };

        return names[level];
}

/* There is a position for each generated line, and printf() is slow for so little. */
static void add_number(Buf *b, uint32_t n) {
        char digits[12], *p = digits + sizeof digits;

        do
                *--p = (char) ('0' + n % 10);
        while ((n /= 10) > 0);
        *--p = ':';
        buf_add_mem(b, p, (size_t) (digits + sizeof digits - p));
}

static const char *position_of(Arena *a, const char *path, Span span) {
        Buf b = BUF(a);

        buf_add(&b, str_printable(a, path));
        if (span.line > 0)
                add_number(&b, span.line);
        if (span.line > 0 && span.column > 0)
                add_number(&b, span.column);
        return buf_text(&b);
}

const char *diag_position(const Diag *d, Arena *a, Span span) {
        const SourceFile *file = sources_get(d->sources, span.file);

        return file ? position_of(a, sources_shown(d->sources, a, file->path), span) : "";
}

const char *diag_origin(const Diag *d, Arena *a, Span span) {
        const SourceFile *file = sources_get(d->sources, span.file);

        return file ? position_of(a, file->path, span) : "";
}
