/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "generator/base/str.h"
#include "generator/compose/value.h"

/* Building and searching node trees. */

Node *value_string(Load *l, const Node *from, const char *text) {
        Node *n = node_new(l->arena, NODE_STRING, from->span);

        n->text = text;
        n->quoted = true;
        n->secret = from->secret;
        return n;
}

const char *value_cut(Load *l, const Node *entry, char separator, const char **ret_value) {
        const char *text = value_text(l->arena, entry), *cut = strchr(text, separator);

        *ret_value = cut ? cut + 1 : NULL;
        return cut ? arena_strndup(l->arena, text, (size_t) (cut - text)) : text;
}

Node *mapping_new(Load *l, Span span) {
        return node_new(l->arena, NODE_MAPPING, span);
}

Node *sequence_new(Load *l, Span span) {
        return node_new(l->arena, NODE_SEQUENCE, span);
}

Node *key_new(Load *l, Span span, const char *text) {
        Node *n = node_new(l->arena, NODE_STRING, span);

        n->text = text;
        n->quoted = true;
        return n;
}

void mapping_add(Load *l, Node *mapping, Node *key, Node *value) {
        mapping->pairs =
                arena_grow(l->arena, mapping->pairs, sizeof(NodePair), &mapping->capacity, mapping->n + 1);
        mapping->pairs[mapping->n++] = (NodePair){ .key = key, .value = value };
}

static int pair_compare(const void *a, const void *b) {
        const NodePair *x = a, *y = b;

        return strcmp(x->key->text, y->key->text);
}

void mapping_sort(Node *mapping) {
        if (mapping->n > 1)
                qsort(mapping->pairs, mapping->n, sizeof(NodePair), pair_compare);
}

Node *mapping_find(const Node *sorted, const char *key) {
        Node name = { .kind = NODE_STRING, .text = key };
        NodePair wanted = { .key = &name };
        NodePair *found;

        if (!sorted || sorted->kind != NODE_MAPPING || sorted->n == 0)
                return NULL;
        found = bsearch(&wanted, sorted->pairs, sorted->n, sizeof(NodePair), pair_compare);
        return found ? found->value : NULL;
}

bool is_extension(const char *key) {
        return str_has_prefix(key, "x-");
}
