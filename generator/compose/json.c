/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/buf.h"
#include "generator/base/str.h"
#include "generator/compose/value.h"
#include "generator/front/scalar.h"

/* The model as JSON, in the bytes of Docker Compose 2.40. */

static void write_string(Buf *b, const char *text) {
        static const char letters[] = "\"\\\b\f\n\r\t", escapes[] = "\"\\bfnrt";

        buf_add_char(b, '"');
        for (const char *p = text; *p; p++) {
                const char *found = strchr(letters, *p);

                if (found)
                        buf_printf(b, "\\%c", escapes[found - letters]);
                else if ((unsigned char) *p < 0x20 || strchr("<>&", *p))
                        buf_printf(b, "\\u%04x", (unsigned) *p);
                else if (str_has_prefix(p, "\xe2\x80\xa8") || str_has_prefix(p, "\xe2\x80\xa9")) {
                        buf_printf(b, "\\u202%c", p[2] == '\xa8' ? '8' : '9');
                        p += 2;
                } else if (*p == '$')
                        buf_add(b, "$$");
                else
                        buf_add_char(b, *p);
        }
        buf_add_char(b, '"');
}

static void write_line(Buf *b, size_t depth) {
        buf_printf(b, "\n%*s", (int) (depth * 2), "");
}

static void write_scalar(Buf *b, const Node *n) {
        double value;

        if (n->kind == NODE_FLOAT && value_parse_float(n->text, &value))
                buf_add(b, value_float_text(b->arena, value, /* single= */ false, /* json= */ true));
        else if (n->kind == NODE_INT || n->kind == NODE_BOOL)
                buf_add(b, scalar_canonical(b->arena, n));
        else if (n->kind == NODE_NULL)
                buf_add(b, "null");
        else
                write_string(b, n->text);
}

/* service: how far it is to a mapping of services' keys, whose extensions are not printed. */
static void write_node(Buf *b, const Node *n, size_t depth, int service) {
        bool first = true;

        if (n->kind == NODE_SEQUENCE) {
                buf_add_char(b, '[');
                for (size_t i = 0; i < n->n; i++) {
                        buf_add(b, i > 0 ? "," : "");
                        write_line(b, depth + 1);
                        write_node(b, n->items[i], depth + 1, -1);
                }
                if (n->n > 0)
                        write_line(b, depth);
                buf_add_char(b, ']');
        } else if (n->kind == NODE_MAPPING) {
                buf_add_char(b, '{');
                for (size_t i = 0; i < n->n; i++) {
                        const char *key = n->pairs[i].key->text;
                        int next = depth == 0 ? (str_equal(key, "services") ? 1 : -1) : service - 1;

                        if ((service == 0 && is_extension(key)) || str_equal(key, SECRET_VALUE_KEY))
                                continue;
                        buf_add(b, first ? "" : ",");
                        first = false;
                        write_line(b, depth + 1);
                        write_string(b, key);
                        buf_add(b, ": ");
                        write_node(b, n->pairs[i].value, depth + 1, next);
                }
                if (!first)
                        write_line(b, depth);
                buf_add_char(b, '}');
        } else
                write_scalar(b, n);
}

const char *compose_to_json(Arena *a, const Node *model) {
        Buf b = BUF(a);

        write_node(&b, model, 0, -1);
        return buf_text(&b);
}
