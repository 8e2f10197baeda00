/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/write/template.h"

#include <stdio.h>
#include <stdlib.h>

#include "generator/base/str.h"
#include "generator/write/tokens.h"

static const struct {
        const char *name;
        int class;
} tokens[_TOKEN_MAX] = {
#define TOKEN_ROW(name, class) [TOKEN_##name] = { #name, class },
        TOKENS(TOKEN_ROW)
#undef TOKEN_ROW
};

static const char *find_value(const Template *t, int token, const TemplateValue *values, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (values[i].token == token)
                        return values[i].value;

        fprintf(stderr, "template %s: no value for @%s@\n", t->name, tokens[token].name);
        abort();
}

const char *template_fill(Arena *a, Diag *d, Span span, const Template *t, const TemplateValue *values,
                          size_t n) {
        Buf b = BUF(a);

        for (size_t i = 0; i < t->n_pieces; i++) {
                const TemplatePiece *piece = t->pieces + i;
                const char *value;
                int class;

                if (piece->text) {
                        buf_add(&b, piece->text);
                        continue;
                }
                value = find_value(t, piece->token, values, n);
                class = tokens[piece->token].class;
                if (class == TOKEN_BLOCK)
                        buf_add(&b, value);
                else if (escape_add(&b, (EscapeClass) class, value) < 0)
                        diag_error(d, span, "cannot-express", "'%s' cannot be written into a unit: %s",
                                   escape_for_message(a, value, /* max= */ 80),
                                   escape_refusal((EscapeClass) class, value));
        }
        return buf_text(&b);
}
