/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "generator/base/str.h"
#include "generator/compose/rules.h"
#include "generator/compose/value.h"

/* How an override file combines with the files before it, and a service with the one that it
 * extends: Compose Specification "13-merge" and Docker Compose 2.40. The base may be changed; the
 * later tree may not. */

static Node *merge_node(Load *l, const KeyDef *row, Node *base, Node *over);

static void report_conflict(Load *l, const Node *base, const Node *over) {
        diag_error(l->diag, over->span, "merge", "%s cannot take the place of %s", node_kind_name(over->kind),
                   node_kind_name(base->kind));
        diag_hint(l->diag, "write the value in the form that %s has",
                  diag_position(l->diag, l->arena, base->span));
}

static Node *merge_mappings(Load *l, const Type *t, Node *base, Node *over) {
        Map index = { 0 };

        if (base->n > 16)
                for (size_t i = 0; i < base->n; i++)
                        map_set(l->arena, &index, base->pairs[i].key->text, (void *) (i + 1));
        for (size_t i = 0; i < over->n; i++) {
                NodePair pair = over->pairs[i];
                NodePair *there = NULL;

                if (index.n > 0) {
                        size_t at = (size_t) map_get(&index, pair.key->text);

                        there = at > 0 ? base->pairs + at - 1 : NULL;
                } else
                        there = (NodePair *) node_get_pair(base, pair.key->text);
                if (!there) {
                        mapping_add(l, base, pair.key, pair.value);
                        if (index.n > 0)
                                map_set(l->arena, &index, pair.key->text, (void *) base->n);
                        continue;
                }
                there->value =
                        merge_node(l, t ? type_child(t, pair.key->text) : NULL, there->value, pair.value);
                there->key = pair.key;
        }
        return base;
}

static int text_compare(const void *a, const void *b) {
        return strcmp((*(Node *const *) a)->text, (*(Node *const *) b)->text);
}

static void append_pair(Load *l, Node *list, const Node *key, const Node *value) {
        const Node *from = node_is_null(value) ? key : value;
        const char *text = key->text;

        if (value->kind == NODE_MAPPING || value->kind == NODE_SEQUENCE) {
                diag_error(l->diag, value->span, "wrong-type", "'%s' must be text, not %s", key->text,
                           node_kind_name(value->kind));
                diag_hint(l->diag, "write %s=VALUE", key->text);
                return;
        }
        if (!node_is_null(value))
                text = arena_printf(l->arena, "%s=%s", key->text, value_text(l->arena, value));
        node_append(l->arena, list, value_string(l, from, text));
}

/* Any form of a list of KEY=VALUE as a sequence; NULL if it is none. */
static Node *to_sequence(Load *l, Node *n) {
        Node *list = sequence_new(l, n->span);

        if (n->kind == NODE_SEQUENCE)
                return n;
        if (n->kind == NODE_STRING)
                node_append(l->arena, list, n);
        if (n->kind != NODE_MAPPING)
                return list;
        for (size_t i = 0; i < n->n; i++) {
                const Node *value = n->pairs[i].value;

                if (value->tag == NODE_TAG_RESET)
                        continue;
                if (value->kind == NODE_SEQUENCE)
                        for (size_t j = 0; j < value->n; j++)
                                append_pair(l, list, n->pairs[i].key, value->items[j]);
                else
                        append_pair(l, list, n->pairs[i].key, value);
        }
        if (list->n > 1)
                qsort(list->items, list->n, sizeof *list->items, text_compare);
        return list;
}

/* Tags within a mapping count before it becomes a list. */
static void apply_tags(Node *base, const Node *over) {
        for (size_t i = 0; over->kind == NODE_MAPPING && i < over->n; i++)
                if (over->pairs[i].value->tag != NODE_TAG_NONE)
                        (void) node_remove(base, over->pairs[i].key->text);
}

static Node *append_all(Load *l, Node *base, const Node *over, bool skip_known) {
        Map known = { 0 };

        for (size_t i = 0; skip_known && i < base->n; i++)
                if (node_is_scalar(base->items[i]))
                        map_set(l->arena, &known, base->items[i]->text, base->items[i]);
        for (size_t i = 0; i < over->n; i++)
                if (!node_is_scalar(over->items[i]) || !map_get(&known, over->items[i]->text))
                        node_append(l->arena, base, over->items[i]);
        return base;
}

static Node *to_names(Load *l, Node *n, bool depends) {
        Node *names;

        if (n->kind == NODE_MAPPING)
                return n;
        names = mapping_new(l, n->span);
        for (size_t i = 0; n->kind == NODE_SEQUENCE && i < n->n; i++) {
                Node *item = n->items[i], *value = node_new(l->arena, NODE_NULL, item->span);

                if (item->kind != NODE_STRING)
                        continue; /* the check of the merged file says so */
                if (depends) {
                        value = mapping_new(l, item->span);
                        node_set(l->arena, value, "condition", item->span,
                                 node_new_string(l->arena, item->span, "service_started"));
                        node_set(l->arena, value, "required", item->span,
                                 node_new_bool(l->arena, item->span, true));
                }
                node_set(l->arena, names, item->text, item->span, value);
        }
        return names;
}

static Node *merge_logging(Load *l, const KeyDef *row, Node *base, Node *over) {
        const Node *old = node_get(base, "driver"), *new = node_get(over, "driver");

        if (base->kind != NODE_MAPPING || over->kind != NODE_MAPPING || (old && new && !node_equal(old, new)))
                return over;
        return merge_mappings(l, row->type, base, over);
}

static size_t pool_find(const Node *pools, const Node *pool) {
        const char *subnet = node_get_text(pool, "subnet");
        size_t i;

        for (i = 0; i < pools->n; i++)
                if (str_equal(node_get_text(pools->items[i], "subnet"), subnet))
                        break;
        return i;
}

/* Pools of the two lists meet by subnet. The walk is Compose's own, since its order shows in the
 * result. */
static Node *merge_pools(Load *l, const KeyDef *row, Node *base, Node *over) {
        Node *pools = sequence_new(l, over->span);

        if (base->kind != NODE_SEQUENCE || over->kind != NODE_SEQUENCE) {
                report_conflict(l, base, over);
                return over;
        }
        for (size_t i = 0; i < base->n; i++)
                for (size_t j = 0; j < over->n; j++) {
                        Node *pool = over->items[j], *merged;
                        size_t at;

                        if (base->items[i]->kind != NODE_MAPPING || pool->kind != NODE_MAPPING) {
                                node_append(l->arena, pools, pool); /* the check of the merged file says so */
                                continue;
                        }
                        if (!str_equal(node_get_text(base->items[i], "subnet"),
                                       node_get_text(pool, "subnet")) &&
                            pool_find(pools, pool) == pools->n) {
                                node_append(l->arena, pools, pool);
                                continue;
                        }
                        merged = merge_mappings(l, row->type->items->type, base->items[i], pool);
                        at = pool_find(pools, merged);
                        if (at < pools->n)
                                pools->items[at] = merged;
                        else
                                node_append(l->arena, pools, merged);
                }
        return pools;
}

static Node *merge_plain(Load *l, const KeyDef *row, Node *base, Node *over) {
        if (over->kind == NODE_NULL)
                return base;
        if (base->kind != NODE_MAPPING && base->kind != NODE_SEQUENCE)
                return over;
        if (base->kind != over->kind) {
                report_conflict(l, base, over);
                return base;
        }
        if (base->kind == NODE_SEQUENCE)
                return append_all(l, base, over, /* skip_known= */ false);
        return merge_mappings(l, row ? row->type : NULL, base, over);
}

static Node *merge_node(Load *l, const KeyDef *row, Node *base, Node *over) {
        if (over->tag != NODE_TAG_NONE || base->tag == NODE_TAG_RESET)
                return over;
        switch (row ? row->merge : MERGE_PLAIN) {
        case MERGE_PLAIN:
                break;
        case MERGE_REPLACE:
                return over;
        case MERGE_LIST:
                apply_tags(base, over);
                return append_all(l, to_sequence(l, base), to_sequence(l, over),
                                  /* skip_known= */ false);
        case MERGE_HOSTS:
                apply_tags(base, over);
                return append_all(l, to_sequence(l, base), to_sequence(l, over),
                                  /* skip_known= */ true);
        case MERGE_NAMES:
                return merge_mappings(l, row->type, to_names(l, base, false), to_names(l, over, false));
        case MERGE_DEPENDS:
                return merge_mappings(l, row->type, to_names(l, base, true), to_names(l, over, true));
        case MERGE_BUILD:
                base = expand_build(l, base);
                over = expand_build(l, over);
                break;
        case MERGE_LOGGING:
                return merge_logging(l, row, base, over);
        case MERGE_POOLS:
                return merge_pools(l, row, base, over);
        }
        return merge_plain(l, row, base, over);
}

Node *merge_files(Load *l, Node *base, Node *over) {
        return merge_mappings(l, &compose_type, base, over);
}

Node *merge_services(Load *l, Node *base, Node *over) {
        return merge_mappings(l, &service_type, base, over);
}

void merge_clean(Node *n) {
        size_t kept = 0;

        n->tag = NODE_TAG_NONE;
        if (n->kind == NODE_MAPPING) {
                for (size_t i = 0; i < n->n; i++) {
                        if (n->pairs[i].value->tag == NODE_TAG_RESET)
                                continue;
                        merge_clean(n->pairs[i].value);
                        n->pairs[kept++] = n->pairs[i];
                }
                n->n = kept;
        } else if (n->kind == NODE_SEQUENCE) {
                for (size_t i = 0; i < n->n; i++) {
                        if (n->items[i]->tag == NODE_TAG_RESET)
                                continue;
                        merge_clean(n->items[i]);
                        n->items[kept++] = n->items[i];
                }
                n->n = kept;
        }
}
