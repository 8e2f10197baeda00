/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/limits.h"
#include "generator/front/doc-internal.h"

struct Anchor {
        Node *node; /* NULL while open */
};

Anchor *doc_anchor_open(Doc *doc, const char *name) {
        Anchor *anchor = arena_new_object(doc->arena, Anchor);

        /* A name may be given again: from here on it means the new node. */
        map_set(doc->arena, &doc->anchors, arena_strdup(doc->arena, name), anchor);
        return anchor;
}

void doc_anchor_close(Anchor *anchor, Node *node) {
        anchor->node = node;
}

/* Like node_copy(), but under the budgets of the file. */
static Node *copy_counted(Doc *doc, const Node *n, Span alias_span, size_t depth) {
        bool collection = n->kind == NODE_SEQUENCE || n->kind == NODE_MAPPING;
        Node *copy;

        if (!doc_count_node(doc, alias_span))
                return NULL;
        if (collection && depth >= LIMIT_DEPTH) {
                diag_error(doc->diag, alias_span, "too-deep",
                           "with this alias, lists and mappings are nested more than %d deep", LIMIT_DEPTH);
                return NULL;
        }
        copy = arena_new_object(doc->arena, Node);
        *copy = *n;
        copy->capacity = n->n;
        if (n->kind == NODE_SEQUENCE)
                copy->items = arena_new_array(doc->arena, Node *, n->n);
        if (n->kind == NODE_MAPPING)
                copy->pairs = arena_new_array(doc->arena, NodePair, n->n);
        for (size_t i = 0; collection && i < n->n; i++) {
                bool pair = n->kind == NODE_MAPPING;
                Node *key = pair ? copy_counted(doc, n->pairs[i].key, alias_span, depth + 1) : NULL;
                Node *value =
                        copy_counted(doc, pair ? n->pairs[i].value : n->items[i], alias_span, depth + 1);

                if (!value || (pair && !key))
                        return NULL;
                if (pair)
                        copy->pairs[i] = (NodePair){ .key = key, .value = value };
                else
                        copy->items[i] = value;
        }
        return copy;
}

Node *doc_alias(Doc *doc, const char *name, Span span, size_t depth) {
        const Anchor *anchor = map_get(&doc->anchors, name);

        if (!anchor) {
                diag_error(doc->diag, span, "unknown-alias",
                           "there is no anchor '&%s' before "
                           "this alias",
                           name);
                diag_hint(doc->diag,
                          "write &%s at the value that is meant, or quote the text if "
                          "it is no alias",
                          name);
                return NULL;
        }
        if (!anchor->node) {
                diag_error(doc->diag, span, "recursive-alias", "the value '&%s' would contain itself", name);
                diag_hint(doc->diag, "an alias cannot stand inside of its own anchor");
                return NULL;
        }
        return copy_counted(doc, anchor->node, span, depth);
}
