/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/diag.h"

#include <unistd.h>

#include "generator/base/buf.h"
#include "generator/base/limits.h"
#include "generator/base/str.h"

/* The kernel cuts a record at about 1 kB (PRINTKRB_RECORD_MAX), its own prefix included. */
#define KMSG_BYTES_MAX 880
/* What of a source line is shown: a window around the column. */
#define WINDOW_CHARS 100
#define WINDOW_BEFORE 40

typedef struct Style {
        const char *bold, *level[_DIAG_LEVEL_MAX], *caret, *reset;
} Style;

static const Style style_plain = { "", { "", "", "" }, "", "" };
static const Style style_color = {
        .bold = "\033[1m",
        .level = { "\033[1;31m", "\033[1;35m", "\033[1;36m" },
        .caret = "\033[1;32m",
        .reset = "\033[0m",
};

/* Lines end in "\n", "\r\n" or "\r", as libyaml counts them. NULL if the file has no such line. */
static const char *source_line(const SourceFile *file, uint32_t line, size_t *ret_length) {
        const char *p = source_text(file), *end = file->bytes + file->length;
        size_t n = 0;

        for (uint32_t i = 1; i < line; i++) {
                while (p < end && *p != '\n' && *p != '\r')
                        p++;
                if (p == end)
                        return NULL;
                p += p + 1 < end && p[0] == '\r' && p[1] == '\n' ? 2 : 1;
        }
        while (p + n < end && p[n] != '\n' && p[n] != '\r')
                n++;
        *ret_length = n;
        return p;
}

/* One column for each character, whatever it is, so that the caret stands below the right one. */
static size_t add_source_char(Buf *b, bool shown, const char *p, size_t n) {
        uint32_t c = 0;
        size_t length = str_decode_char(p, n, &c);

        if (shown && length > 0 && !char_is_hostile(c))
                buf_add_mem(b, p, length);
        else if (shown)
                buf_add_char(b, length > 0 && c == '\t' ? ' ' : '?');
        return length > 0 ? length : 1;
}

static void print_source(FILE *f, Arena *a, const SourceFile *file, Span span, const Style *style) {
        Buf text = BUF(a), below = BUF(a);
        uint32_t column = 1, first = 1, underline = span.length > 0 ? span.length : 1;
        const char *line;
        size_t n = 0;

        line = source_line(file, span.line, &n);
        if (!line)
                return;
        if (span.column > WINDOW_CHARS - WINDOW_BEFORE / 2)
                first = span.column - WINDOW_BEFORE;
        for (size_t i = 0; i < n && column < first + WINDOW_CHARS; column++)
                i += add_source_char(&text, column >= first, line + i, n - i);
        for (uint32_t i = first; i < span.column; i++)
                buf_add_char(&below, ' ');
        for (uint32_t i = 0; i < underline && (i == 0 || span.column + i < column); i++)
                buf_add_char(&below, i == 0 ? '^' : '~');
        fprintf(f, "%5u | %s%s\n", span.line, first > 1 ? "…" : "", buf_text(&text));
        fprintf(f, "      | %s%s%s%s\n", first > 1 ? " " : "", style->caret, buf_text(&below), style->reset);
}

static void print_text(const Diag *d, FILE *f, Arena *a, const DiagEntry *e, const Style *style) {
        const SourceFile *file = sources_get(d->sources, e->span.file);
        const char *position = diag_position(d, a, e->span);

        fprintf(f, "%s%s%s%s%s%s:%s %s [%s]\n", style->bold, position, *position ? ": " : "", style->reset,
                style->level[e->level], diag_level_name(e->level), style->reset, str_printable(a, e->text),
                e->code);
        if (file && file->bytes && e->span.line > 0 && e->span.column > 0 && !e->hide_source)
                print_source(f, a, file, e->span, style);
        if (e->hint)
                fprintf(f, "%shint:%s %s\n", style->bold, style->reset, str_printable(a, e->hint));
}

/* The kernel takes one write as one record. */
static void print_kmsg(const Diag *d, FILE *f, Arena *a, const DiagEntry *e) {
        static const int priority[_DIAG_LEVEL_MAX] = { 3, 4, 6 };
        const char *position = diag_position(d, a, e->span);
        const char *hint = e->hint ? arena_printf(a, " (%s)", e->hint) : "";
        const char *text;

        text = arena_printf(a, "%s%s%s%s [%s]", position, *position ? ": " : "", str_printable(a, e->text),
                            str_printable(a, hint), e->code);
        fprintf(f, "<%d>unitproof-generator[%d]: %s\n", priority[e->level], (int) getpid(),
                str_shorten(a, text, KMSG_BYTES_MAX - sizeof "<3>unitproof-generator[1234567]: "));
        (void) fflush(f);
}

void diag_print(const Diag *d, FILE *f, DiagFormat format) {
        _cleanup_arena_ Arena *a = arena_new(LIMIT_ARENA_BYTES);
        DiagEntry rest = { .level = DIAG_NOTE, .code = "too-many" };

        for (size_t i = 0; i <= d->n_entries; i++) {
                const DiagEntry *e = i < d->n_entries ? d->entries + i : &rest;

                if (e == &rest) {
                        if (d->n_dropped == 0)
                                break;
                        rest.text = arena_printf(a, "%zu more are not shown", d->n_dropped);
                }
                switch (format) {
                case DIAG_TEXT:
                        print_text(d, f, a, e, &style_plain);
                        break;
                case DIAG_TEXT_COLOR:
                        print_text(d, f, a, e, &style_color);
                        break;
                case DIAG_KMSG:
                        print_kmsg(d, f, a, e);
                        break;
                }
        }
}
