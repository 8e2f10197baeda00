/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/write/unit-writer.h"

#include <stdarg.h>
#include <stdio.h>

#include "generator/base/str.h"

UnitWriter unit_writer(Arena *a, Diag *d) {
        return (UnitWriter){ .buf = BUF(a), .diag = d };
}

static void refuse(UnitWriter *w, const char *key, EscapeClass class, const char *value) {
        diag_error(w->diag, w->span, "cannot-express", "'%s' cannot be written as %s=: %s",
                   escape_for_message(w->buf.arena, value, /* max= */ 80), key, escape_refusal(class, value));
}

/* Takes back what a line that failed half way has added. */
static void cut(UnitWriter *w, size_t length) {
        w->buf.len = length;
        if (w->buf.data)
                w->buf.data[length] = '\0';
}

void unit_section(UnitWriter *w, const char *name) {
        buf_printf(&w->buf, "%s[%s]\n", w->buf.len > 0 ? "\n" : "", name);
}

void unit_comment(UnitWriter *w, const char *text) {
        buf_add(&w->buf, "# ");
        (void) escape_add(&w->buf, ESCAPE_COMMENT, text);
        buf_add_char(&w->buf, '\n');
}

void unit_line(UnitWriter *w, const char *key, EscapeClass class, const char *value) {
        unit_words(w, key, class, &value, 1);
}

void unit_linef(UnitWriter *w, const char *key, EscapeClass class, const char *format, ...) {
        va_list ap;
        char *value;
        int n;

        va_start(ap, format);
        n = vsnprintf(NULL, 0, format, ap);
        va_end(ap);
        if (n < 0)
                return;
        value = arena_alloc(w->buf.arena, (size_t) n + 1);
        va_start(ap, format);
        (void) vsnprintf(value, (size_t) n + 1, format, ap);
        va_end(ap);
        unit_line(w, key, class, value);
}

void unit_words(UnitWriter *w, const char *key, EscapeClass class, const char *const *words, size_t n) {
        if (n == 0)
                return;
        unit_begin(w, key);
        for (size_t i = 0; i < n; i++)
                unit_word(w, class, words[i]);
        unit_end(w);
}

void unit_begin(UnitWriter *w, const char *key) {
        w->key = key;
        w->line_start = w->buf.len;
        w->failed = false;
        buf_add(&w->buf, key);
        buf_add_char(&w->buf, '=');
        w->value_start = w->buf.len;
}

void unit_word(UnitWriter *w, EscapeClass class, const char *value) {
        if (w->buf.len > w->value_start)
                buf_add_char(&w->buf, ' ');
        if (escape_add(&w->buf, class, value) < 0) {
                refuse(w, w->key, class, value);
                w->failed = true;
        }
}

void unit_word_from_environment(UnitWriter *w, const char *name) {
        if (w->buf.len > w->value_start)
                buf_add_char(&w->buf, ' ');
        buf_printf(&w->buf, "${%s}", name);
}

void unit_end(UnitWriter *w) {
        if (w->failed)
                cut(w, w->line_start);
        else
                buf_add_char(&w->buf, '\n');
}

const char *unit_writer_text(const UnitWriter *w) {
        return buf_text(&w->buf);
}
