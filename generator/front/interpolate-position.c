/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/front/interpolate-internal.h"

typedef struct Cursor {
        const char *p, *end;
        uint32_t line, column;
} Cursor;

static void cursor_step(Cursor *c) {
        uint32_t decoded;
        size_t n = str_decode_char(c->p, (size_t) (c->end - c->p), &decoded);

        if (*c->p == '\n' || (*c->p == '\r' && c->p + 1 < c->end && c->p[1] != '\n')) {
                c->line++;
                c->column = 1;
        } else
                c->column++;
        c->p += n > 0 ? n : 1;
}

static Cursor cursor_at(const SourceFile *f, Span span) {
        Cursor c = { .p = source_text(f), .end = f->bytes + f->length, .line = 1, .column = 1 };

        while (c.p < c.end && (c.line < span.line || (c.line == span.line && c.column < span.column)))
                cursor_step(&c);
        return c;
}

/* The "$" and the word behind it, as written: "$", "${", "$$" and a name hold nothing that YAML
 * escapes. */
static size_t reference_length(const char *text) {
        size_t n = text[1] == '{' || text[1] == '$' ? 2 : 1;

        while (text[n] == '_' || (text[n] >= '0' && text[n] <= '9') || (text[n] >= 'A' && text[n] <= 'Z') ||
               (text[n] >= 'a' && text[n] <= 'z'))
                n++;
        return n;
}

Span interpolate_position(const Sources *s, Span span, const char *text, size_t offset) {
        const SourceFile *f = sources_get(s, span.file);
        size_t n_before = 0, n = reference_length(text + offset);
        Cursor c;

        if (!f || !f->bytes || span.line == 0)
                return span;
        for (size_t i = 0; i < offset; i++)
                n_before += text[i] == '$';
        for (c = cursor_at(f, span); c.p < c.end; cursor_step(&c)) {
                if (*c.p != '$' || n_before-- > 0)
                        continue;
                if ((size_t) (c.end - c.p) < n || memcmp(c.p, text + offset, n) != 0)
                        break;
                return (Span){ span.file, c.line, c.column, (uint32_t) n };
        }
        return span;
}
