/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "generator/base/str.h"
#include "generator/compose/rules.h"
#include "generator/compose/value.h"

/* Final forms of mappings and lists: known keys in Compose's order, free keys by name, nothing that
 * is empty. */

static Node *finish_absent(Load *l, const Type *t, Span span) {
        switch (t->absent) {
        case ABSENT_OMIT:
                break;
        case ABSENT_NULL:
                return node_new(l->arena, NODE_NULL, span);
        case ABSENT_SECTION:
                return t->finish(l, t, mapping_new(l, span));
        case ABSENT_EMPTY:
                return node_new_string(l->arena, span, "");
        case ABSENT_ZERO:
                return node_new_int(l->arena, span, 0);
        case ABSENT_NO_SIZE:
                return node_new_string(l->arena, span, "0");
        }
        return NULL;
}

static Node *sort_deep(Node *n) {
        if (n->kind == NODE_MAPPING) {
                mapping_sort(n);
                for (size_t i = 0; i < n->n; i++)
                        (void) sort_deep(n->pairs[i].value);
        } else if (n->kind == NODE_SEQUENCE)
                for (size_t i = 0; i < n->n; i++)
                        (void) sort_deep(n->items[i]);
        return n;
}

static void keep_extensions(Load *l, const Node *n, Node *into) {
        size_t start = into->n;
        Node tail;

        for (size_t i = 0; i < n->n; i++)
                if (is_extension(n->pairs[i].key->text))
                        mapping_add(l, into, n->pairs[i].key, sort_deep(n->pairs[i].value));
        tail = (Node){ .kind = NODE_MAPPING, .n = into->n - start };
        if (tail.n > 0) {
                tail.pairs = into->pairs + start;
                mapping_sort(&tail);
        }
}

static Node *shown_key(Load *l, const KeyDef *row, const Node *section, const NodePair *pair) {
        return key_new(l, pair ? pair->key->span : section->span, row->shown ? row->shown : row->name);
}

Node *finish_section(Load *l, const Type *t, Node *n) {
        Node *section;

        if (n->kind != NODE_MAPPING)
                return NULL;
        section = mapping_new(l, n->span);
        for (size_t i = 0; i < t->section->n_keys; i++) {
                const KeyDef *row = t->section->keys + i;
                const NodePair *pair = node_get_pair(n, row->name);
                Node *value;

                if (!row->type->finish)
                        continue;
                value = pair ? row->type->finish(l, row->type, pair->value) : NULL;
                if (!value)
                        value = finish_absent(l, row->type, n->span);
                if (value)
                        mapping_add(l, section, pair && !row->shown ? pair->key : shown_key(l, row, n, pair),
                                    value);
        }
        if (t->section->keep_extensions)
                keep_extensions(l, n, section);
        return section;
}

Node *finish_list(Load *l, const Type *t, Node *n) {
        const Type *item = t->items->type;
        Node *list;

        if (n->kind != NODE_SEQUENCE || n->n == 0)
                return NULL;
        list = sequence_new(l, n->span);
        for (size_t i = 0; i < n->n; i++) {
                Node *value = item->finish(l, item, n->items[i]);

                if (value)
                        node_append(l->arena, list, value);
        }
        return list;
}

Node *finish_named(Load *l, const Type *t, Node *n) {
        const Type *item = t->values->type;
        Node *named;

        if (n->kind != NODE_MAPPING || n->n == 0)
                return NULL;
        named = mapping_new(l, n->span);
        for (size_t i = 0; i < n->n; i++) {
                Node *value = n->pairs[i].value;

                if (value->kind != NODE_NULL)
                        value = item->finish(l, item, value);
                if (value)
                        mapping_add(l, named, n->pairs[i].key, value);
        }
        mapping_sort(named);
        return named;
}

/* A text value of a map: what is null becomes "". */
static Node *map_value(Load *l, const Node *n) {
        return value_string(l, n, n->kind == NODE_NULL ? "" : value_text(l->arena, n));
}

/* A mapping, or a list of KEY=VALUE, as a mapping; a later entry of the same key counts. */
static Node *map_of(Load *l, Node *n, bool keep_null) {
        Map seen = { 0 };
        Node *map = mapping_new(l, n->span);
        bool list = n->kind == NODE_SEQUENCE;

        if (n->kind != NODE_MAPPING && !list)
                return map;
        for (size_t i = 0; i < n->n; i++) {
                const Node *from = list ? n->items[i] : n->pairs[i].value;
                const char *text = NULL;
                Node *key, *value;
                size_t at;

                key = list ? key_new(l, from->span, value_cut(l, from, '=', &text)) : n->pairs[i].key;
                if (list)
                        value = text ? value_string(l, from, text)
                                     : node_new(l->arena, NODE_NULL, from->span);
                else
                        value = (Node *) from;
                if (value->kind != NODE_NULL || !keep_null)
                        value = map_value(l, value);
                at = (size_t) map_get(&seen, key->text);
                if (at > 0) {
                        map->pairs[at - 1] = (NodePair){ .key = key, .value = value };
                        continue;
                }
                mapping_add(l, map, key, value);
                map_set(l->arena, &seen, key->text, (void *) map->n);
        }
        mapping_sort(map);
        return map;
}

Node *finish_map(Load *l, const Type *t, Node *n) {
        Node *map = map_of(l, n, /* keep_null= */ false);

        (void) t;
        return map->n > 0 ? map : NULL;
}

Node *finish_environment(Load *l, const Type *t, Node *n) {
        Node *map = map_of(l, n, /* keep_null= */ true);

        (void) t;
        for (size_t i = 0; n->kind == NODE_SEQUENCE && i < map->n; i++) {
                const char *name = map->pairs[i].key->text;
                size_t length = strlen(name);

                if (length == 0 || !strchr(" \t\n\v\f\r", name[length - 1]))
                        continue;
                diag_error(l->diag, map->pairs[i].key->span, "bad-value",
                           "the name of the variable '%s' ends in a space", name);
                diag_hint(l->diag, "write NAME=VALUE without a space before '='");
        }
        return map->n > 0 ? map : NULL;
}

Node *finish_option_lists(Load *l, const Type *t, Node *n) {
        Node *map = mapping_new(l, n->span);

        (void) t;
        for (size_t i = 0; n->kind == NODE_MAPPING && i < n->n; i++) {
                Node *value = n->pairs[i].value, *list = sequence_new(l, value->span);

                if (value->kind != NODE_SEQUENCE)
                        node_append(l->arena, list, map_value(l, value));
                else
                        for (size_t j = 0; j < value->n; j++)
                                node_append(l->arena, list, map_value(l, value->items[j]));
                if (list->n > 0)
                        mapping_add(l, map, n->pairs[i].key, list);
        }
        mapping_sort(map);
        return map->n > 0 ? map : NULL;
}

Node *finish_file(Load *l, Node *file) {
        Node *model = finish_section(l, &compose_type, file);

        if (model && !node_get(model, "services"))
                node_set(l->arena, model, "services", file->span, mapping_new(l, file->span));
        if (model)
                mapping_sort(model);
        return model;
}
