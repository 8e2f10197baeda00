/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/facts/ini.h"

#include <ini.h>
#include <string.h>

#include "generator/base/str.h"

typedef struct IniState {
        Arena *arena;
        Diag *diag;
        uint32_t file, line;
        const char *position, *end; /* what is still to be read */
        const char *text;           /* the line that inih has now */
        IniHandler handler;
        void *userdata;
} IniState;

static bool line_is_clean(const char *line, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (((unsigned char) line[i] < 0x20 && line[i] != '\t') || line[i] == 0x7f)
                        return false;
        return str_is_utf8(line, n);
}

/* inih itself says nothing of a section that has no keys. A blank in front would make the line a part of the
 * value before it. */
static void report_section(IniState *st, size_t n) {
        const char *text = st->text, *end;

        if (st->line == 1 && n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
                text += 3;
                n -= 3;
        }
        end = n > 0 && text[0] == '[' ? memchr(text, ']', n) : NULL;
        if (end)
                st->handler(st->userdata, arena_strndup(st->arena, text + 1, (size_t) (end - text - 1)), NULL,
                            NULL,
                            (Span){ .file = st->file,
                                    .line = st->line,
                                    .column = 1,
                                    .length = (uint32_t) (end - text + 1) });
}

/* inih's fgets(): handing out the lines ourselves is how a handler can know which line it is in. A line that
 * cannot be carried is reported here and handed on as an empty one. */
static char *next_line(char *buffer, int size, void *userdata) {
        IniState *st = userdata;
        const char *newline;
        size_t n, used;

        if (st->position == st->end)
                return NULL;
        newline = memchr(st->position, '\n', (size_t) (st->end - st->position));
        n = (size_t) ((newline ? newline : st->end) - st->position);
        st->text = st->position;
        st->position += n + (newline ? 1 : 0);
        st->line++;
        if (n > 0 && st->text[n - 1] == '\r')
                n--;

        used = n;
        if (n + 3 > (size_t) size) {
                diag_error(st->diag, (Span){ .file = st->file, .line = st->line, .column = 1 }, "ini",
                           "this line has %zu bytes, and at most %d can be read", n, size - 3);
                used = 0;
        } else if (!line_is_clean(st->text, n)) {
                diag_error(st->diag, (Span){ .file = st->file, .line = st->line, .column = 1 }, "ini",
                           "this line holds control characters or is not UTF-8");
                used = 0;
        } else
                report_section(st, n);
        memcpy(buffer, st->text, used);
        buffer[used] = '\n';
        buffer[used + 1] = '\0';
        return buffer;
}

static int handle_line(void *userdata, const char *section, const char *key, const char *value) {
        IniState *st = userdata;
        size_t blanks = strspn(st->text, " \t\xef\xbb\xbf");
        Span span = {
                .file = st->file,
                .line = st->line,
                .column = (uint32_t) strspn(st->text, " \t") + 1,
                .length = str_has_prefix(st->text + blanks, key) ? (uint32_t) strlen(key) : 0,
        };

        st->handler(st->userdata, arena_strdup(st->arena, section), arena_strdup(st->arena, key),
                    arena_strdup(st->arena, value), span);
        return 1;
}

void ini_read(Arena *a, Diag *d, const Sources *s, uint32_t file, IniHandler handler, void *userdata) {
        const SourceFile *f = sources_get(s, file);
        IniState st = {
                .arena = a,
                .diag = d,
                .file = file,
                .position = f->bytes,
                .end = f->bytes + f->length,
                .text = f->bytes,
                .handler = handler,
                .userdata = userdata,
        };
        int r;

        r = ini_parse_stream(next_line, &st, handle_line, &st);
        if (r > 0) {
                diag_error(d, (Span){ .file = file, .line = (uint32_t) r, .column = 1 }, "ini",
                           "this line is neither a [section] nor a \"key = value\"");
                diag_hint(d, "comments begin with # or ;");
        } else if (r < 0)
                diag_error(d, (Span){ .file = file }, "ini", "out of memory while reading this file");
}
