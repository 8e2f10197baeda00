/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/command/exec-words.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "generator/base/buf.h"

static int hex_value(char c) {
        if (c >= '0' && c <= '9')
                return c - '0';
        c = (char) tolower((unsigned char) c);
        return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The character after a backslash; returns how many bytes it took, or a negative errno. */
static int unescape(const char *p, Buf *word) {
        static const char from[] = "abfnrtvs\\\"'", to[] = "\a\b\f\n\r\t\v \\\"'";
        const char *known = p[0] ? strchr(from, p[0]) : NULL;

        if (known) {
                buf_add_char(word, to[known - from]);
                return 1;
        }
        if (p[0] == 'x' && hex_value(p[1]) >= 0 && hex_value(p[2]) >= 0) {
                buf_add_char(word, (char) (hex_value(p[1]) * 16 + hex_value(p[2])));
                return 3;
        }
        return -EINVAL;
}

/* One word from *p, which is not blank. */
static int read_word(const char **p, Buf *word) {
        char quote = '\0';
        const char *c = *p;

        for (; *c && (quote || (*c != ' ' && *c != '\t')); c++) {
                if (*c == '\\') {
                        int r = unescape(c + 1, word);

                        if (r < 0)
                                return r;
                        c += r;
                } else if (quote ? *c == quote : *c == '"' || *c == '\'')
                        quote = quote ? '\0' : *c;
                else if (*c == '%' || *c == '$') {
                        if (c[1] != *c)
                                return -EOPNOTSUPP;
                        buf_add_char(word, *c++);
                } else
                        buf_add_char(word, *c);
        }
        *p = c;
        return quote ? -EINVAL : 0;
}

int exec_words(Arena *a, const char *line, const char ***ret_words, size_t *ret_n) {
        const char **words = NULL;
        size_t n = 0, capacity = 0;

        line += strspn(line, " \t");
        line += strspn(line, "@-:+!|");
        for (;;) {
                Buf word = BUF(a);
                int r;

                line += strspn(line, " \t");
                words = arena_grow(a, words, sizeof(*words), &capacity, n + 1);
                words[n] = NULL;
                if (*line == '\0')
                        break;
                r = read_word(&line, &word);
                if (r < 0)
                        return r;
                words[n++] = arena_strdup(a, buf_text(&word));
        }
        *ret_words = words;
        *ret_n = n;
        return 0;
}
