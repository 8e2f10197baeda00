/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/front/dotenv.h"

#include <ctype.h>
#include <stdarg.h>

#include "generator/base/buf.h"
#include "generator/base/str.h"
#include "generator/front/interpolate-internal.h"
#include "generator/front/text-check.h"

typedef struct Reader {
        Arena *arena;
        Diag *diag;
        EnvTable *table;
        uint32_t file;
        const char *p, *end;
        uint32_t line;
        const char *line_start;
} Reader;

static Span span_at(const Reader *r, const char *p, size_t n) {
        Span span = { r->file, r->line, 1, 0 };
        uint32_t c;

        for (const char *q = r->line_start; q < p + n;) {
                size_t length = str_decode_char(q, (size_t) (r->end - q), &c);

                if (q < p)
                        span.column++;
                else
                        span.length++;
                q += length > 0 ? length : 1;
        }
        return span;
}

__attribute__((format(printf, 3, 4))) static bool refuse(const Reader *r, Span span, const char *format,
                                                         ...) {
        va_list ap;
        char text[512];

        va_start(ap, format);
        (void) vsnprintf(text, sizeof text, format, ap);
        va_end(ap);
        diag_error(r->diag, span, "dotenv", "%s", text);
        diag_hide_source(r->diag);
        return false;
}

/* A space on the line: what Compose trims, which counts the no-break space but not the newline. Its
 * length, or 0. */
static size_t blank_length(const char *p, const char *end) {
        if (p >= end || *p == '\n')
                return 0;
        if (isspace((unsigned char) *p))
                return 1;
        return end - p >= 2 && memcmp(p, "\xc2\xa0", 2) == 0 ? 2 : 0;
}

static void skip_blanks(Reader *r) {
        size_t n;

        while ((n = blank_length(r->p, r->end)) > 0)
                r->p += n;
}

static const char *trim_end(const char *start, const char *end) {
        while (end > start) {
                if (isspace((unsigned char) end[-1]))
                        end--;
                else if (end - start >= 2 && memcmp(end - 2, "\xc2\xa0", 2) == 0)
                        end -= 2;
                else
                        break;
        }
        return end;
}

static const char *find_line_end(const Reader *r) {
        const char *newline = memchr(r->p, '\n', (size_t) (r->end - r->p));

        return newline ? newline : r->end;
}

static void pass_newline(Reader *r) {
        r->p++;
        r->line++;
        r->line_start = r->p;
}

/* To the next character that is neither blank nor comment; false at the end of the file. */
static bool skip_to_statement(Reader *r) {
        while (r->p < r->end) {
                skip_blanks(r);
                if (r->p < r->end && *r->p == '#')
                        r->p = find_line_end(r);
                if (r->p == r->end || *r->p != '\n')
                        break;
                pass_newline(r);
        }
        return r->p < r->end;
}

static void skip_export(Reader *r) {
        static const char word[] = "export";
        size_t n = sizeof word - 1;

        if ((size_t) (r->end - r->p) > n && memcmp(r->p, word, n) == 0 &&
            blank_length(r->p + n, r->end) > 0) {
                r->p += n;
                skip_blanks(r);
        }
}

static bool char_is_of_name(const char *p, size_t length) {
        return length > 1 || isalnum((unsigned char) *p) || strchr("_.-[]", *p);
}

/* NAME, then "=", ":" or the end of the line. Leaves p behind the separator, or at the newline. */
static bool read_name(Reader *r, EnvVar *ret_var) {
        const char *start, *q, *name_end;
        uint32_t c;

        skip_export(r);
        start = q = r->p;
        while (q < r->end && !strchr("=:\n", *q)) {
                size_t length = blank_length(q, r->end);

                if (length == 0) {
                        length = str_decode_char(q, (size_t) (r->end - q), &c);
                        if (!char_is_of_name(q, length))
                                return refuse(r, span_at(r, q, length),
                                              "the character '%.*s' "
                                              "cannot be in a variable's name",
                                              (int) length, q);
                }
                q += length;
        }
        name_end = trim_end(start, q);
        if (name_end == start)
                return refuse(r, span_at(r, start, 0), "a variable's name is missing here");
        for (const char *s = start; s < name_end; s++)
                if (blank_length(s, name_end) > 0) {
                        refuse(r, span_at(r, start, (size_t) (name_end - start)),
                               "a variable's name cannot contain a space");
                        diag_hint(r->diag, "write NAME=value; put a value of several lines in "
                                           "quotes");
                        return false;
                }
        ret_var->name = arena_strndup(r->arena, start, (size_t) (name_end - start));
        ret_var->span = span_at(r, start, (size_t) (name_end - start));
        ret_var->no_value = q == r->end || *q == '\n';
        r->p = q + (ret_var->no_value ? 0 : 1);
        return true;
}

static bool store_value(Reader *r, EnvVar *var, Span span, const char *text, bool expand) {
        InterpolateOptions o = {
                .first = r->table->parent,
                .env = r->table,
                .span = span,
                .owner = var->name,
        };
        InterpolateResult result = { .text = text };

        if (expand && !interpolate_text(r->arena, r->diag, &o, text, &result))
                return false;
        if (!text_check_value(r->diag, span, result.text, strlen(result.text))) {
                diag_hide_source(r->diag);
                return false;
        }
        var->value = result.text;
        var->secret = result.secret || env_name_is_secret(var->name);
        return true;
}

static bool read_unquoted(Reader *r, EnvVar *var) {
        const char *start = r->p, *end = find_line_end(r);
        Span span = span_at(r, start, 0);

        r->p = end;
        for (const char *q = start; q + 1 < end; q++)
                if (q[0] == ' ' && q[1] == '#') {
                        end = q;
                        break;
                }
        end = trim_end(start, end);
        return store_value(r, var, span, arena_strndup(r->arena, start, (size_t) (end - start)),
                           /* expand= */ true);
}

static void buf_add_utf8(Buf *b, unsigned c) {
        if (c < 0x80)
                buf_add_char(b, (char) c);
        else {
                buf_add_char(b, (char) (0xc0 | c >> 6));
                buf_add_char(b, (char) (0x80 | (c & 0x3f)));
        }
}

/* "\0" and up to three octal digits. Compose rewrites it as "\" and the digits, which is a
 * character only if there are exactly three and they make at most 255; otherwise that text stays.
 */
static const char *unescape_octal(Buf *b, const char *p) {
        size_t n = 0;
        unsigned c = 0;

        for (p += 2; n < 3 && isdigit((unsigned char) p[n]); n++)
                c = p[n] < '8' && c < 512 ? c * 8 + (unsigned) (p[n] - '0') : 512;
        if (n == 3 && c < 256)
                buf_add_utf8(b, c);
        else {
                buf_add_char(b, '\\');
                buf_add_mem(b, p, n);
        }
        return p + n;
}

static Buf unescape(Arena *a, const char *p) {
        static const char letters[] = "abfnrtv\\\"", values[] = "\a\b\f\n\r\t\v\\\"";
        Buf b = BUF(a);

        while (*p) {
                const char *found = p[0] == '\\' && p[1] ? strchr(letters, p[1]) : NULL;

                if (found) {
                        buf_add_char(&b, values[found - letters]);
                        p += 2;
                } else if (p[0] == '\\' && p[1] == '$') {
                        buf_add(&b, "$$");
                        p += 2;
                } else if (p[0] == '\\' && p[1] == '0')
                        p = unescape_octal(&b, p);
                else
                        buf_add_char(&b, *p++);
        }
        return b;
}

/* In both kinds of quotes, a backslash before the quote takes the quote into the value and is
 * dropped; before anything else it stays, and hides a backslash behind it. */
static bool read_quoted(Reader *r, EnvVar *var) {
        char quote = *r->p;
        Span span = span_at(r, r->p, 1);
        bool escaped = false;
        Buf b = BUF(r->arena);

        for (r->p++; r->p < r->end && (*r->p != quote || escaped);) {
                char c = *r->p;

                if (escaped && c != quote)
                        buf_add_char(&b, '\\');
                if (escaped || c != '\\')
                        buf_add_char(&b, c);
                escaped = !escaped && c == '\\';
                if (c == '\n')
                        pass_newline(r);
                else
                        r->p++;
        }
        if (r->p == r->end) {
                refuse(r, span, "the quoted value of '%s' is never closed", var->name);
                diag_hint(r->diag, "close it with %c", quote);
                return false;
        }
        r->p++;
        if (quote == '"')
                b = unescape(r->arena, buf_text(&b));
        if (!text_check_value(r->diag, span, buf_text(&b), b.len)) { /* "\0000" is a NUL */
                diag_hide_source(r->diag);
                return false;
        }
        return store_value(r, var, span, buf_text(&b), /* expand= */ quote == '"');
}

static void warn_text_behind_quote(Reader *r) {
        skip_blanks(r);
        if (r->p == r->end || *r->p == '\n' || *r->p == '#')
                return;
        diag_warning(r->diag, span_at(r, r->p, 1), "dotenv",
                     "what stands behind the closing quote is read as another variable");
        diag_hide_source(r->diag);
}

/* "NAME" alone: a value that a parent has, else a mark that the name was there. */
static void store_inherited(Reader *r, EnvVar *var) {
        const EnvVar *parent = r->table->parent ? env_lookup(r->table->parent, var->name) : NULL;

        if (!parent && env_lookup(r->table, var->name))
                return;
        var->value = parent ? parent->value : "";
        var->no_value = !parent;
        var->secret = parent ? parent->secret : env_name_is_secret(var->name);
        env_set(r->arena, r->table, *var);
}

static bool read_statement(Reader *r) {
        EnvVar var = { 0 };
        bool quoted;

        if (!read_name(r, &var))
                return false;
        if (var.no_value) {
                store_inherited(r, &var);
                return true;
        }
        skip_blanks(r);
        quoted = r->p < r->end && (*r->p == '"' || *r->p == '\'');
        if (!(quoted ? read_quoted : read_unquoted)(r, &var))
                return false;
        env_set(r->arena, r->table, var);
        if (quoted)
                warn_text_behind_quote(r);
        return true;
}

static bool reader_open(Reader *r, const Sources *s) {
        const SourceFile *f = sources_get(s, r->file);

        if (!text_check(r->diag, s, r->file)) {
                diag_hide_source(r->diag);
                return false;
        }
        diag_hide_file(r->diag, r->file);
        r->p = source_text(f);
        r->end = f->bytes + f->length;
        r->line = 1;
        r->line_start = r->p;
        return true;
}

/* No message and no file that others may read shows their values from here on. */
static void tell_secrets(const Reader *r) {
        for (size_t i = 0; i < r->table->n; i++) {
                const EnvVar *var = r->table->vars + i;

                if (var->secret && !var->no_value && var->span.file == r->file)
                        diag_add_secret(r->diag, var->name, var->value, r->file);
        }
}

void env_parse(Arena *a, Diag *d, EnvTable *t, const Sources *s, uint32_t file) {
        Reader r = { .arena = a, .diag = d, .table = t, .file = file };

        if (!reader_open(&r, s))
                return;
        while (skip_to_statement(&r) && read_statement(&r))
                ;
        tell_secrets(&r);
}

/* Go's unicode.IsSpace(), which "docker run --env-file" trims the head of a line with. */
static void skip_wide_blanks(Reader *r, const char *end) {
        static const char *const wide[] = { "\xc2\x85", "\xe1\x9a\x80", "\xe2\x80\xaf", "\xe2\x81\x9f",
                                            "\xe3\x80\x80" };
        const char *start;

        do {
                start = r->p;
                skip_blanks(r);
                if (end - r->p >= 3 && memcmp(r->p, "\xe2\x80", 2) == 0 && (unsigned char) r->p[2] >= 0x80 &&
                    (unsigned char) r->p[2] <= 0x8a)
                        r->p += 3;
                for (size_t i = 0; i < ELEMENTS(wide); i++)
                        if ((size_t) (end - r->p) >= strlen(wide[i]) &&
                            memcmp(r->p, wide[i], strlen(wide[i])) == 0)
                                r->p += strlen(wide[i]);
        } while (r->p > start);
}

static bool read_raw_line(Reader *r) {
        const char *end = find_line_end(r), *text_end = end, *equals;
        EnvVar var = { 0 };

        skip_wide_blanks(r, end);
        if (text_end > r->p && text_end[-1] == '\r')
                text_end--;
        if (r->p >= text_end || *r->p == '#') {
                r->p = end;
                return true;
        }
        equals = memchr(r->p, '=', (size_t) (text_end - r->p));
        var.no_value = !equals;
        if (!equals)
                equals = text_end;
        var.span = span_at(r, r->p, (size_t) (equals - r->p));
        if (equals == r->p)
                return refuse(r, var.span, "a variable's name is missing here");
        for (const char *q = r->p; q < equals; q++)
                if (*q == ' ' || *q == '\t')
                        return refuse(r, var.span, "a variable's name cannot contain a space");
        var.name = arena_strndup(r->arena, r->p, (size_t) (equals - r->p));
        r->p = end;
        if (var.no_value) {
                store_inherited(r, &var);
                return true;
        }
        equals++;
        if (!store_value(r, &var, var.span, arena_strndup(r->arena, equals, (size_t) (text_end - equals)),
                         /* expand= */ false))
                return false;
        env_set(r->arena, r->table, var);
        return true;
}

void env_parse_raw(Arena *a, Diag *d, EnvTable *t, const Sources *s, uint32_t file) {
        Reader r = { .arena = a, .diag = d, .table = t, .file = file };

        if (!reader_open(&r, s))
                return;
        while (r.p < r.end && read_raw_line(&r))
                if (r.p < r.end)
                        pass_newline(&r);
        tell_secrets(&r);
}
