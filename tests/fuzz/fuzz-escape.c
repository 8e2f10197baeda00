/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdint.h>
#include <stdlib.h>

#include "generator/base/str.h"
#include "generator/write/escape.h"

/* A value goes through the writer and back through readers that are written here after systemd's
 * (extract-word.c, escape.c, unit-printf.c) and quadlet's (split.go, unitfile.go): what comes out has to be
 * what went in. The first byte chooses the class. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { READ_MAX = 1 << 16 };

typedef struct Word {
        char text[READ_MAX];
        size_t n;
} Word;

static void word_add(Word *w, char c) {
        if (w->n + 1 >= sizeof(w->text))
                abort();
        w->text[w->n++] = c;
        w->text[w->n] = '\0';
}

static int hex(char c) {
        if (c >= '0' && c <= '9')
                return c - '0';
        return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* One C escape after the backslash; returns how many bytes it had. What the writer does not write is a
 * failure. */
static size_t read_escape(Word *w, const char *p) {
        switch (*p) {
        case 'n':
                word_add(w, '\n');
                return 1;
        case 't':
                word_add(w, '\t');
                return 1;
        case 'r':
                word_add(w, '\r');
                return 1;
        case 'a':
                word_add(w, '\a');
                return 1;
        case 'b':
                word_add(w, '\b');
                return 1;
        case 'f':
                word_add(w, '\f');
                return 1;
        case 'v':
                word_add(w, '\v');
                return 1;
        case '\\':
        case '"':
        case '\'':
                word_add(w, *p);
                return 1;
        case 'x':
                if (hex(p[1]) < 0 || hex(p[2]) < 0 || hex(p[1]) * 16 + hex(p[2]) == 0)
                        abort();
                word_add(w, (char) (hex(p[1]) * 16 + hex(p[2])));
                return 3;
        default:
                abort();
        }
}

typedef struct Split {
        bool c_escapes;         /* else a backslash stands for the next character … */
        bool backslash_literal; /* … or for itself */
} Split;

/* The one word of a line; a second one is a failure, and so is none. */
static void split(const Split *s, const char *p, Word *ret) {
        bool any = false;
        char quote = 0;

        ret->n = 0;
        ret->text[0] = '\0';
        for (; *p; p++) {
                if (!quote && strchr(" \t\n\r", *p))
                        abort();
                any = true;
                if (!quote && (*p == '"' || *p == '\''))
                        quote = *p;
                else if (quote && *p == quote)
                        quote = 0;
                else if (*p == '\\' && !s->backslash_literal) {
                        if (s->c_escapes)
                                p += read_escape(ret, p + 1);
                        else
                                word_add(ret, *++p);
                } else
                        word_add(ret, *p);
        }
        if (!any || quote)
                abort();
}

/* Doubled characters are single again; a single one is an expansion that nobody wrote. */
static void undouble(Word *w, char c) {
        size_t n = 0;

        for (size_t i = 0; i < w->n; i++) {
                if (w->text[i] == c && w->text[++i] != c)
                        abort();
                w->text[n++] = w->text[i];
        }
        w->n = n;
        w->text[n] = '\0';
}

/* escapeWords(): what quadlet writes into the unit for one word. */
static void quadlet_write(const Word *w, Word *ret) {
        bool quotes = false;

        ret->n = 0;
        ret->text[0] = '\0';
        for (size_t i = 0; i < w->n; i++) {
                unsigned char c = (unsigned char) w->text[i];

                quotes |= c <= 0x20 || c == 0x7f || c == '"' || c == '\'' || c == '\\' ||
                          (c == 0xc2 && (unsigned char) w->text[i + 1] == 0x80);
        }
        if (quotes)
                word_add(ret, '"');
        for (size_t i = 0; i < w->n; i++) {
                static const char escapes[] = "\a\b\t\n\v\f\r", names[] = "abtnvfr";
                const char *known = w->text[i] ? strchr(escapes, w->text[i]) : NULL;
                unsigned char c = (unsigned char) w->text[i];

                if (known) {
                        word_add(ret, '\\');
                        word_add(ret, names[known - escapes]);
                } else if (c == '\\' || c == '"') {
                        word_add(ret, '\\');
                        word_add(ret, (char) c);
                } else if (c < 0x20 || c == 0x7f) {
                        static const char digits[] = "0123456789abcdef";

                        word_add(ret, '\\');
                        word_add(ret, 'x');
                        word_add(ret, digits[c >> 4]);
                        word_add(ret, digits[c & 15]);
                } else if (c == 0xc2 && (unsigned char) w->text[i + 1] == 0x80)
                        abort();
                else
                        word_add(ret, (char) c);
        }
        if (quotes)
                word_add(ret, '"');
        if (ret->n == 0 || str_equal(ret->text, ";"))
                abort();
}

/* strings.Trim() of quotes, 5.4.2. */
static void trim_quotes(Word *w, const char *line) {
        size_t n = strlen(line);

        while (n > 0 && line[n - 1] == '"')
                n--;
        while (n > 0 && *line == '"')
                line++, n--;
        w->n = 0;
        for (size_t i = 0; i < n; i++)
                word_add(w, line[i]);
}

static void read_back(EscapeClass class, const char *line, Word *ret) {
        static const Split exec = { .c_escapes = true }, plain = { 0 },
                           literal = { .backslash_literal = true };
        static Word middle;

        switch (class) {
        case ESCAPE_ARGV:
        case ESCAPE_ENV:
                split(&exec, line, ret);
                break;
        case ESCAPE_PATH_LIST:
                split(&plain, line, ret);
                break;
        case ESCAPE_QUADLET_ARGV:
        case ESCAPE_QUADLET_KEYVAL:
                split(&exec, line, ret);
                quadlet_write(ret, &middle);
                split(&exec, middle.text, ret);
                break;
        case ESCAPE_QUADLET_STRV:
                split(&literal, line, ret);
                quadlet_write(ret, &middle);
                split(&exec, middle.text, ret);
                break;
        case ESCAPE_QUADLET_SCALAR:
                trim_quotes(ret, line);
                quadlet_write(ret, &middle);
                split(&exec, middle.text, ret);
                break;
        case ESCAPE_QUADLET_LINE:
                ret->n = 0;
                for (const char *p = line; *p; p++)
                        word_add(ret, *p);
                quadlet_write(ret, &middle);
                split(&exec, middle.text, ret);
                break;
        case ESCAPE_INPUT_TEXT:
                ret->n = 0;
                ret->text[0] = '\0';
                for (const char *p = line; *p; p++)
                        if (*p == '\\')
                                p += read_escape(ret, p + 1);
                        else
                                word_add(ret, *p);
                break;
        case ESCAPE_TEXT:
        case ESCAPE_PATH:
        case ESCAPE_NAME:
        case ESCAPE_WORD:
        case ESCAPE_COMMENT:
        case _ESCAPE_CLASS_MAX:
                ret->n = 0;
                ret->text[0] = '\0';
                for (const char *p = line; *p; p++)
                        word_add(ret, *p);
                break;
        }
}

static bool class_is(EscapeClass class, const EscapeClass *list, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (list[i] == class)
                        return true;
        return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        static const EscapeClass no_percent[] = { ESCAPE_NAME, ESCAPE_WORD };
        static const EscapeClass dollar[] = { ESCAPE_ARGV,           ESCAPE_QUADLET_ARGV,
                                              ESCAPE_QUADLET_KEYVAL, ESCAPE_QUADLET_LINE,
                                              ESCAPE_QUADLET_SCALAR, ESCAPE_QUADLET_STRV };
        static Word read;
        EscapeClass class;
        const char *value;

        if (size < 1 || size > 4096)
                return 0;

        _cleanup_arena_ Arena *a = arena_new(/* limit= */ 1 << 20);
        Buf b = BUF(a);

        class = (EscapeClass) (data[0] % _ESCAPE_CLASS_MAX);
        value = arena_strndup(a, (const char *) data + 1, strnlen((const char *) data + 1, size - 1));
        if (escape_add(&b, class, value) < 0) {
                if (!escape_refusal(class, value) || b.len > 0)
                        abort();
                return 0;
        }
        /* One line, whatever the value was. */
        if (strpbrk(buf_text(&b), "\n\r"))
                abort();
        if (class == ESCAPE_COMMENT)
                return 0;
        if (b.len > 0 && buf_text(&b)[b.len - 1] == '\\' && class != ESCAPE_INPUT_TEXT)
                abort();
        read_back(class, buf_text(&b), &read);
        if (!class_is(class, no_percent, sizeof(no_percent) / sizeof(no_percent[0])))
                undouble(&read, '%');
        if (class_is(class, dollar, sizeof(dollar) / sizeof(dollar[0])))
                undouble(&read, '$');
        if (!str_equal(read.text, value))
                abort();
        return 0;
}
