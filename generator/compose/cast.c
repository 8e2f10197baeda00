/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "generator/base/str.h"
#include "generator/compose/rules.h"
#include "generator/compose/value.h"
#include "generator/front/scalar.h"

/* Texts that stand where Compose wants a boolean or a number. Where a row says so the text is converted in
 * its own file, as soon as variables are replaced, and a wrong one is refused even if a later file replaces
 * it; all others keep their text until the files are merged (finish-value.c). */

Node *cast_bool(Load *l, const Type *t, const Node *n) {
        bool value;

        (void) t;
        if (!value_parse_bool(n->text, &value))
                return value_refuse(l, n, "a boolean", "write true or false");
        if (strcasecmp(n->text, "true") && strcasecmp(n->text, "false")) {
                diag_warning(l->diag, n->span, "deprecated", "'%s' is no boolean in YAML 1.2", n->text);
                diag_hint(l->diag, "write %s", value ? "true" : "false");
        }
        return node_new_bool(l->arena, n->span, value);
}

/* A text is read in base 10, a bare number as YAML has it. */
Node *cast_int(Load *l, const Type *t, const Node *n) {
        const char *digits = n->text + (*n->text == '-' || *n->text == '+');
        long long value;

        if (!*digits || digits[strspn(digits, "0123456789")] || !scalar_parse_int(n->text, &value))
                return value_refuse(l, n, t->what, NULL);
        return node_new_int(l->arena, n->span, strtoll(n->text, NULL, 10));
}

Node *cast_float(Load *l, const Type *t, const Node *n) {
        Node *value;
        double number;

        if (!value_parse_float(n->text, &number))
                return value_refuse(l, n, t->what, NULL);
        value = node_new(l->arena, NODE_FLOAT, n->span);
        value->text = n->text;
        return value;
}

static Node *cast_node(Load *l, const KeyDef *row, Node *n) {
        static Node *(*const casts[])(Load *, const Type *, const Node *) = {
                [CAST_BOOL] = cast_bool,
                [CAST_INT] = cast_int,
                [CAST_FLOAT] = cast_float,
        };

        if (n->tag == NODE_TAG_RESET)
                return n;
        if (n->kind == NODE_STRING && row->cast != CAST_NONE) {
                Node *value = casts[row->cast](l, row->type, n);

                if (!value)
                        return n;
                value->tag = n->tag;
                return value;
        }
        if (n->kind == NODE_MAPPING)
                for (size_t i = 0; i < n->n; i++) {
                        const KeyDef *child = type_child(row->type, n->pairs[i].key->text);

                        if (child)
                                n->pairs[i].value = cast_node(l, child, n->pairs[i].value);
                }
        else if (n->kind == NODE_SEQUENCE && row->type->items)
                for (size_t i = 0; i < n->n; i++)
                        n->items[i] = cast_node(l, row->type->items, n->items[i]);
        return n;
}

void cast_apply(Load *l, Node *file) {
        const KeyDef root = { .type = &compose_type };

        (void) cast_node(l, &root, file);
}
