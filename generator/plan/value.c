/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <ctype.h>
#include <stdlib.h>

#include "generator/base/str.h"
#include "generator/plan/lower.h"

bool value_is_true(const Node *n) {
        return n->kind == NODE_BOOL
                       ? n->text[0] == 't' || n->text[0] == 'T'
                       : str_equal(n->text, "true") || str_equal(n->text, "yes") || str_equal(n->text, "1");
}

bool value_seconds(const char *text, unsigned *ret_seconds) {
        static const struct {
                const char *unit;
                double seconds;
        } units[] = {
                { "ns", 1e-9 }, { "us", 1e-6 }, { "µs", 1e-6 }, { "ms", 1e-3 },     { "s", 1 },
                { "m", 60 },    { "h", 3600 },  { "d", 86400 }, { "w", 7 * 86400 },
        };
        double sum = 0;
        unsigned whole;

        if (!isdigit((unsigned char) text[0]))
                return false;
        while (*text) {
                size_t i = 0;
                double number;
                char *end;

                number = strtod(text, &end);
                if (end == text || number < 0)
                        return false;
                /* "ms" comes before "m". */
                while (i < ELEMENTS(units) && !str_has_prefix(end, units[i].unit))
                        i++;
                if (i == ELEMENTS(units))
                        return false;
                sum += number * units[i].seconds;
                text = end + strlen(units[i].unit);
        }
        if (sum > 1e9)
                return false;
        whole = (unsigned) sum;
        *ret_seconds = whole + ((double) whole < sum ? 1 : 0);
        return true;
}

const char *value_csv(Arena *a, const char *value) {
        Buf b = BUF(a);

        if (!strpbrk(value, ",\"\n\r"))
                return value;
        buf_add_char(&b, '"');
        for (const char *p = value; *p; p++)
                if (*p == '"')
                        buf_add(&b, "\"\"");
                else
                        buf_add_char(&b, *p);
        buf_add_char(&b, '"');
        return buf_text(&b);
}

static void add_json_string(Buf *b, const char *text) {
        buf_add_char(b, '"');
        for (const unsigned char *p = (const unsigned char *) text; *p; p++)
                if (*p == '"' || *p == '\\')
                        buf_printf(b, "\\%c", *p);
                else if (*p == '\n')
                        buf_add(b, "\\n");
                else if (*p == '\t')
                        buf_add(b, "\\t");
                else if (*p < 0x20 || *p == 0x7f)
                        buf_printf(b, "\\u%04x", *p);
                else if (p[0] == 0xc2 && p[1] == 0x80) {
                        /* quadlet breaks this one when it stands for itself. */
                        buf_add(b, "\\u0080");
                        p++;
                } else
                        buf_add_char(b, (char) *p);
        buf_add_char(b, '"');
}

const char *value_json_array(Arena *a, const Node *const *items, size_t n) {
        Buf b = BUF(a);

        buf_add_char(&b, '[');
        for (size_t i = 0; i < n; i++) {
                if (i > 0)
                        buf_add_char(&b, ',');
                add_json_string(&b, items[i]->text);
        }
        buf_add_char(&b, ']');
        return buf_text(&b);
}
