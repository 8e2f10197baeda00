/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/command/output.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "generator/base/buf.h"
#include "generator/base/str.h"
#include "generator/facts/handles.h"

json_t *json_text(Session *s, const char *text) {
        return text ? json_string(str_printable(s->arena, text)) : json_null();
}

json_t *json_lines(Session *s, const char *text) {
        Buf b = BUF(s->arena);

        for (const char *line = text; *line;) {
                size_t n = strcspn(line, "\n");

                buf_add(&b, str_printable(s->arena, arena_strndup(s->arena, line, n)));
                if (line[n] == '\n')
                        buf_add_char(&b, '\n');
                line += n + (line[n] == '\n');
        }
        return json_string(buf_text(&b));
}

void json_put(json_t *object, const char *key, json_t *value) {
        if (json_object_set_new(object, key, value) < 0) {
                fprintf(stderr, "unitproof: out of memory\n");
                exit(STATUS_FAILED);
        }
}

static json_t *diag_entry_json(Session *s, const Diag *d, const DiagEntry *e) {
        const SourceFile *f = sources_get(d->sources, e->span.file);
        json_t *o = json_object();

        json_put(o, "file", json_text(s, f ? sources_shown(d->sources, s->arena, f->path) : NULL));
        json_put(o, "line", f && e->span.line > 0 ? json_integer(e->span.line) : json_null());
        json_put(o, "column", f && e->span.column > 0 ? json_integer(e->span.column) : json_null());
        json_put(o, "level", json_text(s, diag_level_name(e->level)));
        json_put(o, "code", json_text(s, e->code));
        json_put(o, "message", json_text(s, e->text));
        json_put(o, "hint", json_text(s, e->hint));
        return o;
}

void output_diag(Session *s, Diag *d) {
        diag_sort(d);
        if (!s->json) {
                diag_print(d, stderr, s->color_err ? DIAG_TEXT_COLOR : DIAG_TEXT);
                return;
        }
        for (size_t i = 0; i < d->n_entries; i++)
                (void) json_array_append_new(s->diagnostics, diag_entry_json(s, d, d->entries + i));
}

int command_fail(Session *s, int status, const char *code, const char *format, ...) {
        _cleanup_free_ char *text = NULL;
        va_list args;
        int r;

        va_start(args, format);
        r = vasprintf(&text, format, args);
        va_end(args);
        if (r < 0)
                return status;
        if (s->json) {
                Sources none = { .arena = s->arena };
                Diag d = { .arena = s->arena, .sources = &none };

                diag_error(&d, (Span){ 0 }, code, "%s", text);
                output_diag(s, &d);
        } else
                fprintf(stderr, "unitproof: %s\n", str_printable(s->arena, text));
        return status;
}

/* Columns that a terminal needs, near enough: one for each character. */
static int text_width(const char *text) {
        int n = 0;

        for (; *text; text++)
                if (((unsigned char) *text & 0xc0) != 0x80)
                        n++;
        return n;
}

void output_word(const Session *s, Tone tone, int width, const char *text) {
        static const char *const codes[_TONE_MAX] = {
                [TONE_PLAIN] = "",        [TONE_BOLD] = "\033[1m",   [TONE_DIM] = "\033[2m",
                [TONE_GOOD] = "\033[32m", [TONE_BAD] = "\033[1;31m", [TONE_WARN] = "\033[33m",
        };
        const bool color = s->color_out && tone != TONE_PLAIN;
        const char *safe = str_printable(s->arena, text);

        printf("%s%s%s", color ? codes[tone] : "", safe, color ? "\033[0m" : "");
        for (int i = text_width(safe); i < width; i++)
                putchar(' ');
}

const char *output_age(Arena *a, unsigned long long seconds) {
        static const struct {
                unsigned long long seconds;
                const char *one, *many;
        } units[] = {
                { 86400, "day", "days" },
                { 3600, "h", "h" },
                { 60, "min", "min" },
                { 1, "s", "s" },
        };

        for (size_t i = 0; i < ELEMENTS(units); i++)
                if (seconds >= units[i].seconds) {
                        unsigned long long n = seconds / units[i].seconds;

                        return arena_printf(a, "%llu %s", n, n == 1 ? units[i].one : units[i].many);
                }
        return "now";
}
