/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/front/node.h"

#include "generator/base/str.h"

const char *node_kind_name(NodeKind kind) {
        static const char *const names[_NODE_KIND_MAX] = {
                [NODE_NULL] = "nothing",      [NODE_BOOL] = "a boolean",  [NODE_INT] = "a number",
                [NODE_FLOAT] = "a number",    [NODE_STRING] = "a string", [NODE_SEQUENCE] = "a list",
                [NODE_MAPPING] = "a mapping",
        };

        return names[kind];
}

bool node_is_scalar(const Node *n) {
        return n && n->kind != NODE_NULL && n->kind != NODE_SEQUENCE && n->kind != NODE_MAPPING;
}

bool node_is_null(const Node *n) {
        return !n || n->kind == NODE_NULL;
}

static NodePair *find_pair(const Node *mapping, const char *key) {
        if (!mapping || mapping->kind != NODE_MAPPING)
                return NULL;
        for (size_t i = 0; i < mapping->n; i++)
                if (mapping->pairs[i].key->text[0] == key[0] && strcmp(mapping->pairs[i].key->text, key) == 0)
                        return mapping->pairs + i;
        return NULL;
}

const NodePair *node_get_pair(const Node *mapping, const char *key) {
        return find_pair(mapping, key);
}

Node *node_get(const Node *mapping, const char *key) {
        const NodePair *pair = find_pair(mapping, key);

        return pair ? pair->value : NULL;
}

const char *node_get_text(const Node *mapping, const char *key) {
        const Node *value = node_get(mapping, key);

        return node_is_scalar(value) ? value->text : NULL;
}

bool node_get_bool(const Node *mapping, const char *key, bool fallback) {
        const Node *value = node_get(mapping, key);

        if (!value || value->kind != NODE_BOOL)
                return fallback;
        return value->text[0] == 't' || value->text[0] == 'T';
}

Node *node_new(Arena *a, NodeKind kind, Span span) {
        Node *n = arena_new_object(a, Node);

        n->kind = kind;
        n->span = span;
        n->text = kind == NODE_SEQUENCE || kind == NODE_MAPPING ? NULL : "";
        return n;
}

Node *node_new_string(Arena *a, Span span, const char *text) {
        Node *n = node_new(a, NODE_STRING, span);

        n->text = arena_strdup(a, text);
        n->quoted = true;
        return n;
}

Node *node_new_bool(Arena *a, Span span, bool value) {
        Node *n = node_new(a, NODE_BOOL, span);

        n->text = value ? "true" : "false";
        return n;
}

Node *node_new_int(Arena *a, Span span, long long value) {
        Node *n = node_new(a, NODE_INT, span);

        n->text = arena_printf(a, "%lld", value);
        return n;
}

Node *node_copy(Arena *a, const Node *n) {
        Node *copy = arena_new_object(a, Node);

        *copy = *n; /* texts are never changed in place, so both may use them */
        copy->capacity = n->n;
        if (n->kind == NODE_SEQUENCE) {
                copy->items = arena_new_array(a, Node *, n->n);
                for (size_t i = 0; i < n->n; i++)
                        copy->items[i] = node_copy(a, n->items[i]);
        } else if (n->kind == NODE_MAPPING) {
                copy->pairs = arena_new_array(a, NodePair, n->n);
                for (size_t i = 0; i < n->n; i++)
                        copy->pairs[i] = (NodePair){
                                .key = node_copy(a, n->pairs[i].key),
                                .value = node_copy(a, n->pairs[i].value),
                        };
        }
        return copy;
}

void node_append(Arena *a, Node *sequence, Node *item) {
        sequence->items =
                arena_grow(a, sequence->items, sizeof(Node *), &sequence->capacity, sequence->n + 1);
        sequence->items[sequence->n++] = item;
}

void node_append_pair(Arena *a, Node *mapping, Node *key, Node *value) {
        mapping->pairs = arena_grow(a, mapping->pairs, sizeof(NodePair), &mapping->capacity, mapping->n + 1);
        mapping->pairs[mapping->n++] = (NodePair){ .key = key, .value = value };
}

void node_set(Arena *a, Node *mapping, const char *key, Span key_span, Node *value) {
        NodePair *pair = find_pair(mapping, key);

        if (pair)
                pair->value = value;
        else
                node_append_pair(a, mapping, node_new_string(a, key_span, key), value);
}

bool node_remove(Node *mapping, const char *key) {
        NodePair *pair = find_pair(mapping, key);
        size_t i;

        if (!pair)
                return false;
        i = (size_t) (pair - mapping->pairs);
        memmove(pair, pair + 1, (mapping->n - i - 1) * sizeof *pair);
        mapping->n--;
        return true;
}

static bool mapping_equal(const Node *a, const Node *b) {
        for (size_t i = 0; i < a->n; i++) {
                const Node *other = node_get(b, a->pairs[i].key->text);

                if (!other || !node_equal(a->pairs[i].value, other))
                        return false;
        }
        return true;
}

bool node_equal(const Node *a, const Node *b) {
        if (a == b)
                return true;
        if (!a || !b || a->kind != b->kind || a->n != b->n)
                return false;
        switch (a->kind) {
        case NODE_SEQUENCE:
                for (size_t i = 0; i < a->n; i++)
                        if (!node_equal(a->items[i], b->items[i]))
                                return false;
                return true;
        case NODE_MAPPING:
                return mapping_equal(a, b);
        case NODE_NULL:
                return true;
        case NODE_BOOL:
        case NODE_INT:
        case NODE_FLOAT:
        case NODE_STRING:
                return strcmp(a->text, b->text) == 0;
        case _NODE_KIND_MAX:
                break;
        }
        return false;
}
