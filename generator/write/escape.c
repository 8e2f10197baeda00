/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/write/escape.h"

#include <errno.h>
#include <stdio.h>

#include "generator/base/limits.h"
#include "generator/base/str.h"

/* Quoting is a property of the reader, and two readers stand behind these classes. systemd unquotes, undoes C
 * escapes, then replaces specifiers, and expands "$" when it executes. Quadlet reads first where a value
 * stands in a .container file: it undoes one layer of its own and writes the value again, and its writer
 * knows quotes and control characters but neither "%", "$", a lone ";" nor empty words
 * (pkg/systemd/parser/split.go, escapeWords(), and unitfile.go, Lookup*(), of Podman 5.4.2 and 5.8.2). What
 * it copies to an X- section is read by systemd once more, line by line, where a carriage return also ends a
 * line. */
typedef enum Quoting {
        QUOTING_NONE,      /* the value is the rest of the line */
        QUOTING_WRAP,      /* the same, but one pair of double quotes around it is stripped */
        QUOTING_BACKSLASH, /* in double quotes, backslash before a backslash or a quote, nothing else */
        QUOTING_C,         /* in double quotes, with C escapes */
        QUOTING_C_BARE,    /* the rest of the line, with C escapes */
        QUOTING_SWITCH,    /* in quotes, a backslash is literal: change the kind of quotes */
} Quoting;

typedef struct ClassRule {
        Quoting quoting;
        bool percent;                            /* "%" is doubled against specifiers */
        bool dollar;                             /* "$" is doubled against expansion at exec */
        bool quadlet;                            /* quadlet reads it first */
        const char *(*check)(const char *value); /* what else the class asks of a value; NULL if it fits */
} ClassRule;

static bool char_is_word(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               (c && strchr("._:+-", c));
}

/* Words that mean the same with and without quotes, to every reader: these stay readable. */
static bool word_needs_quotes(const char *value) {
        const char *p = value;

        while (char_is_word(*p) || (*p && strchr("/@,=", *p)))
                p++;
        return p == value || *p;
}

static const char *check_absolute(const char *value) {
        if (value[0] != '/')
                return "the path is not absolute";
        if (strstr(value, "/../") || str_has_suffix(value, "/.."))
                return "the path has a \"..\" component";
        return NULL;
}

static const char *check_text(const char *value) {
        return value[0] ? NULL : "it is empty";
}

static const char *check_name(const char *value) {
        return unit_name_is_valid(value) ? NULL : "it is no valid unit name";
}

static const char *check_word(const char *value) {
        if (!value[0])
                return "it is empty";
        for (const char *p = value; *p; p++)
                if (!char_is_word(*p))
                        return "a plain word may only have letters, digits and ._:+-";
        return NULL;
}

static const char *check_assignment(const char *value) {
        const char *p = value;

        if (*p >= '0' && *p <= '9')
                return "the name of a variable must not start with a digit";
        while (char_is_word(*p) && !strchr(".:+-", *p))
                p++;
        if (p == value || *p != '=')
                return "it is no NAME=VALUE with a name of letters, digits and \"_\"";
        /* env_value_is_valid() of systemd. */
        for (; *p; p++)
                if (((unsigned char) *p < 0x20 && *p != '\t' && *p != '\n') || *p == 0x7f)
                        return "systemd drops variables with control characters";
        return NULL;
}

static const char *check_keyval(const char *value) {
        return value[0] && value[0] != '=' && strchr(value, '=') ? NULL : "it is no KEY=VALUE";
}

/* clang-format off */
static const ClassRule rules[_ESCAPE_CLASS_MAX] = {
        [ESCAPE_TEXT]           = { .quoting = QUOTING_NONE, .percent = true, .check = check_text },
        [ESCAPE_PATH]           = { .quoting = QUOTING_NONE, .percent = true, .check = check_absolute },
        [ESCAPE_PATH_LIST]      = { .quoting = QUOTING_BACKSLASH, .percent = true, .check = check_absolute },
        [ESCAPE_ARGV]           = { .quoting = QUOTING_C, .percent = true, .dollar = true },
        [ESCAPE_ENV]            = { .quoting = QUOTING_C, .percent = true, .check = check_assignment },
        [ESCAPE_NAME]           = { .quoting = QUOTING_NONE, .check = check_name },
        [ESCAPE_WORD]           = { .quoting = QUOTING_NONE, .check = check_word },
        [ESCAPE_QUADLET_SCALAR] = { .quoting = QUOTING_WRAP, .percent = true, .dollar = true, .quadlet = true },
        [ESCAPE_QUADLET_LINE]   = { .quoting = QUOTING_NONE, .percent = true, .dollar = true, .quadlet = true },
        [ESCAPE_QUADLET_STRV]   = { .quoting = QUOTING_SWITCH, .percent = true, .dollar = true, .quadlet = true },
        [ESCAPE_QUADLET_ARGV]   = { .quoting = QUOTING_C, .percent = true, .dollar = true, .quadlet = true },
        [ESCAPE_QUADLET_KEYVAL] = { .quoting = QUOTING_C, .percent = true, .dollar = true, .quadlet = true,
                                    .check = check_keyval },
        [ESCAPE_INPUT_TEXT]     = { .quoting = QUOTING_C_BARE, .percent = true },
        [ESCAPE_COMMENT]        = { .quoting = QUOTING_NONE },
};
/* clang-format on */

static bool quoting_has_c_escapes(Quoting q) {
        return q == QUOTING_C || q == QUOTING_C_BARE;
}

/* Go's unicode.IsSpace(), which quadlet trims lines with: the length of such a character at p, else 0. */
static size_t space_length(const char *p) {
        const unsigned char *u = (const unsigned char *) p;

        if (u[0] == ' ' || (u[0] >= '\t' && u[0] <= '\r'))
                return 1;
        if (u[0] == 0xc2 && (u[1] == 0x85 || u[1] == 0xa0))
                return 2;
        if (u[0] == 0xe1 && u[1] == 0x9a && u[2] == 0x80)
                return 3;
        if (u[0] == 0xe2 && u[1] == 0x80 &&
            ((u[2] >= 0x80 && u[2] <= 0x8a) || u[2] == 0xa8 || u[2] == 0xa9 || u[2] == 0xaf))
                return 3;
        if ((u[0] == 0xe2 && u[1] == 0x81 && u[2] == 0x9f) || (u[0] == 0xe3 && u[1] == 0x80 && u[2] == 0x80))
                return 3;
        return 0;
}

static bool has_outer_space(const char *value, size_t n) {
        if (space_length(value) > 0)
                return true;
        for (size_t k = 1; k <= 3 && k <= n; k++)
                if (space_length(value + n - k) == k)
                        return true;
        return false;
}

static bool has_control_but_tab(const char *value) {
        for (const unsigned char *p = (const unsigned char *) value; *p; p++)
                if ((*p < 0x20 && *p != '\t') || *p == 0x7f)
                        return true;
        return false;
}

/* unichar_is_valid() of systemd: a unit with one of these does not load at all. */
static bool has_noncharacter(const char *value, size_t n) {
        for (size_t i = 0, length; i < n; i += length) {
                uint32_t c = 0;

                length = 1;
                if ((unsigned char) value[i] < 0xef)
                        continue;
                length = str_decode_char(value + i, n - i, &c);
                if ((c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef))
                        return true;
        }
        return false;
}

static const char *quadlet_refusal(const ClassRule *rule, const char *value, size_t n) {
        if (n == 0)
                return "quadlet drops empty words and all that follows them";
        if (str_equal(value, ";"))
                return "quadlet takes the quotes from a lone \";\", which then ends the command line";
        /* escapeString() takes U+0080 for ASCII and writes half of it. */
        if (strstr(value, "\xc2\x80"))
                return "quadlet breaks the character U+0080";
        if (rule->quoting == QUOTING_WRAP && (value[0] == '"' || value[n - 1] == '"'))
                return "quadlet strips double quotes at either end";
        return NULL;
}

const char *escape_refusal(EscapeClass class, const char *value) {
        const ClassRule *rule = rules + class;
        size_t n = strlen(value);
        const char *reason = NULL;

        if (class == ESCAPE_COMMENT)
                return NULL;
        if (!str_is_utf8(value, n))
                return "it is not UTF-8";
        if (has_noncharacter(value, n))
                return "it has one of Unicode's noncharacters, such as U+FFFE, which systemd takes for no "
                       "text";
        if (!quoting_has_c_escapes(rule->quoting) && has_control_but_tab(value))
                return "control characters and line breaks cannot be written here";
        if (rule->quoting == QUOTING_NONE && n > 0 && has_outer_space(value, n))
                return "blanks at either end would be lost";
        if (rule->quoting == QUOTING_NONE && n > 0 && value[n - 1] == '\\')
                return "a backslash at its end would continue the line";
        if (rule->quadlet)
                reason = quadlet_refusal(rule, value, n);
        if (!reason && rule->check)
                reason = rule->check(value);
        return reason;
}

static void add_c_escaped(Buf *b, char c) {
        switch (c) {
        case '\\':
        case '"':
                buf_add_char(b, '\\');
                buf_add_char(b, c);
                break;
        case '\n':
                buf_add(b, "\\n");
                break;
        case '\t':
                buf_add(b, "\\t");
                break;
        default:
                if ((unsigned char) c < 0x20 || c == 0x7f)
                        buf_printf(b, "\\x%02x", (unsigned char) c);
                else
                        buf_add_char(b, c);
        }
}

static void add_char(Buf *b, const ClassRule *rule, char c) {
        if ((c == '%' && rule->percent) || (c == '$' && rule->dollar))
                buf_add_char(b, c);
        if (quoting_has_c_escapes(rule->quoting))
                add_c_escaped(b, c);
        else {
                if (rule->quoting == QUOTING_BACKSLASH && (c == '\\' || c == '"'))
                        buf_add_char(b, '\\');
                buf_add_char(b, c);
        }
}

/* abc"def'g becomes "abc"'"def'"'g". */
static void add_switching(Buf *b, const ClassRule *rule, const char *value) {
        char quote = strchr(value, '"') && !strchr(value, '\'') ? '\'' : '"';

        buf_add_char(b, quote);
        for (const char *p = value; *p; p++) {
                if (*p == quote) {
                        buf_add_char(b, quote);
                        quote = quote == '"' ? '\'' : '"';
                        buf_add_char(b, quote);
                }
                add_char(b, rule, *p);
        }
        buf_add_char(b, quote);
}

/* What no class changes: most of all text, so it is added in one go. */
static bool char_is_plain(char c) {
        return (unsigned char) c > 0x20 && c != 0x7f && c != '%' && c != '$' && c != '\\' && c != '"';
}

int escape_add(Buf *b, EscapeClass class, const char *value) {
        const ClassRule *rule = rules + class;
        size_t n = strlen(value);
        bool quotes;

        if (class == ESCAPE_COMMENT) {
                buf_add(b, escape_for_message(b->arena, value, /* max= */ 1000));
                return 0;
        }
        if (escape_refusal(class, value))
                return -EINVAL;
        if (rule->quoting == QUOTING_SWITCH && word_needs_quotes(value)) {
                add_switching(b, rule, value);
                return 0;
        }

        quotes = ((rule->quoting == QUOTING_C || rule->quoting == QUOTING_BACKSLASH) &&
                  word_needs_quotes(value)) ||
                 (rule->quoting == QUOTING_WRAP && (has_outer_space(value, n) || value[n - 1] == '\\'));
        if (quotes)
                buf_add_char(b, '"');
        for (const char *p = value; *p; p++) {
                const char *plain = p;

                while (char_is_plain(*p))
                        p++;
                buf_add_mem(b, plain, (size_t) (p - plain));
                if (!*p)
                        break;
                if (rule->quoting == QUOTING_C_BARE && *p == ' ' && (p == value || !p[1]))
                        buf_add(b, "\\x20");
                else
                        add_char(b, rule, *p);
        }
        if (quotes)
                buf_add_char(b, '"');
        return 0;
}

int escape_add_assignment(Buf *b, const char *name, const char *value) {
        char *assignment = arena_printf(b->arena, "%s=%s", name, value);

        if (escape_refusal(ESCAPE_ENV, assignment))
                return -EINVAL;
        buf_add(b, name);
        buf_add(b, "=\"");
        for (const char *p = value; *p; p++) {
                if (strchr("\"\\`$", *p))
                        buf_add_char(b, '\\');
                buf_add_char(b, *p);
        }
        buf_add(b, "\"\n");
        return 0;
}

const char *escape_for_message(Arena *a, const char *s, size_t max) {
        const bool text = str_is_utf8(s, strlen(s));
        Buf b = BUF(a);
        size_t shown = 0;

        for (const char *p = s; *p; p++) {
                bool starts = !text || ((unsigned char) *p & 0xc0) != 0x80;
                size_t plain = 0;

                while (shown + plain < max && p[plain] >= 0x20 && p[plain] < 0x7f)
                        plain++;
                if (plain > 0) {
                        buf_add_mem(&b, p, plain);
                        shown += plain;
                        p += plain - 1;
                        continue;
                }
                if (starts && shown++ >= max) {
                        buf_add(&b, "…");
                        break;
                }
                if ((unsigned char) *p < 0x20 || *p == 0x7f || (!text && (unsigned char) *p >= 0x80))
                        buf_printf(&b, "\\x%02x", (unsigned char) *p);
                else
                        buf_add_char(&b, *p);
        }
        return buf_text(&b);
}
