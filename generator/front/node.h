/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "generator/base/arena.h"
#include "generator/base/source.h"

/* One value of a YAML document: the only tree that the compiler has between bytes and stack.
 * Compose resolution turns such trees into such trees, so every value still knows the file, line
 * and column that it came from. Nodes belong to the arena; a node is never changed once another
 * tree may point to it: copy first. */
typedef enum NodeKind {
        NODE_NULL,
        NODE_BOOL,
        NODE_INT,
        NODE_FLOAT,
        NODE_STRING,
        NODE_SEQUENCE,
        NODE_MAPPING,
        _NODE_KIND_MAX,
} NodeKind;

/* The Compose merge tags, Compose Specification "13-merge": !reset drops, !override replaces. */
typedef enum NodeTag {
        NODE_TAG_NONE,
        NODE_TAG_RESET,
        NODE_TAG_OVERRIDE,
} NodeTag;

typedef struct Node Node;

typedef struct NodePair {
        Node *key;   /* a scalar; key->text is the key */
        Node *value; /* never NULL */
} NodePair;

struct Node {
        NodeKind kind;
        NodeTag tag;
        Span span;
        bool quoted; /* a scalar that was written in quotes or as a block: always a string */
        /* A variable or "$$" was replaced: the text is final, see scalar_canonical(). */
        bool interpolated;
        /* Some of the text came from a variable whose name says that it is a secret. */
        bool secret;

        /* Scalars: the text as written (after interpolation); never NULL for a scalar but
         * NODE_NULL, where it is "". */
        const char *text;

        /* NODE_SEQUENCE uses items, NODE_MAPPING uses pairs, in the order of the file. */
        size_t n;
        union {
                Node **items;
                NodePair *pairs;
        };
        size_t capacity;
};

const char *node_kind_name(NodeKind kind); /* "a mapping", "a string", … for messages */
bool node_is_scalar(const Node *n);        /* not NULL, sequence or mapping; NULL pointer: false */
bool node_is_null(const Node *n);          /* NULL pointer or NODE_NULL */

/* Mapping access; NULL node, other kind or missing key give NULL. */
Node *node_get(const Node *mapping, const char *key);
const NodePair *node_get_pair(const Node *mapping, const char *key);
/* Scalar text, or NULL if absent or not a scalar. */
const char *node_get_text(const Node *mapping, const char *key);
bool node_get_bool(const Node *mapping, const char *key, bool fallback);

Node *node_new(Arena *a, NodeKind kind, Span span);
Node *node_new_string(Arena *a, Span span, const char *text);
Node *node_new_bool(Arena *a, Span span, bool value);
Node *node_new_int(Arena *a, Span span, long long value);
Node *node_copy(Arena *a, const Node *n); /* deep */
void node_append(Arena *a, Node *sequence, Node *item);
/* Appends without looking whether the key is there. */
void node_append_pair(Arena *a, Node *mapping, Node *key, Node *value);
/* Replaces the value in place if the key exists, otherwise appends. */
void node_set(Arena *a, Node *mapping, const char *key, Span key_span, Node *value);
bool node_remove(Node *mapping, const char *key);
/* Same kind, text and children; positions are not compared. */
bool node_equal(const Node *a, const Node *b);
