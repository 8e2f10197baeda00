/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/front/doc-internal.h"

/* Below this, comparing each with each is cheaper than a table. */
#define PAIRWISE_MAX 16

static void report_duplicate(Doc *doc, const Node *key, const Node *first) {
        diag_error(doc->diag, key->span, "duplicate-key", "the key '%s' is here a second time", key->text);
        if (doc_is_merge_key(key))
                diag_hint(doc->diag,
                          "the first is in line %u; merge several with one list: "
                          "<<: [*a, *b]",
                          first->span.line);
        else
                diag_hint(doc->diag, "the first is in line %u; remove one of them", first->span.line);
}

static void check_duplicates_pairwise(Doc *doc, const Node *mapping) {
        for (size_t i = 1; i < mapping->n; i++)
                for (size_t j = 0; j < i; j++)
                        if (str_equal(mapping->pairs[i].key->text, mapping->pairs[j].key->text)) {
                                report_duplicate(doc, mapping->pairs[i].key, mapping->pairs[j].key);
                                break;
                        }
}

static void check_duplicates(Doc *doc, const Node *mapping) {
        Map keys = { 0 };

        if (mapping->n <= PAIRWISE_MAX) {
                check_duplicates_pairwise(doc, mapping);
                return;
        }
        for (size_t i = 0; i < mapping->n; i++) {
                Node *key = mapping->pairs[i].key, *first = map_get(&keys, key->text);

                if (first)
                        report_duplicate(doc, key, first);
                else
                        map_set(doc->arena, &keys, key->text, key);
        }
}

/* The pairs of one merged mapping whose keys are not there yet. Its nodes are taken over: they are
 * a copy, or written in place and reachable from nowhere else. */
static void merge_one(Doc *doc, Node *result, Map *keys, const Node *merged) {
        if (merged->kind != NODE_MAPPING) {
                diag_error(doc->diag, merged->span, "bad-merge",
                           "'<<' merges a mapping or a list of mappings, this is %s",
                           node_kind_name(merged->kind));
                return;
        }
        for (size_t i = 0; i < merged->n; i++) {
                Node *key = merged->pairs[i].key;

                if (map_get(keys, key->text))
                        continue;
                map_set(doc->arena, keys, key->text, key);
                node_append_pair(doc->arena, result, key, merged->pairs[i].value);
        }
}

static void merge_value(Doc *doc, Node *result, Map *keys, const Node *value) {
        if (value->kind != NODE_SEQUENCE) {
                merge_one(doc, result, keys, value);
                return;
        }
        for (size_t i = 0; i < value->n; i++)
                merge_one(doc, result, keys, value->items[i]);
}

static void resolve_merge(Doc *doc, Node *mapping) {
        Node result = *mapping;
        Map keys = { 0 };

        /* The mapping's own keys win wherever "<<" stands, so all of them are known first. */
        for (size_t i = 0; i < mapping->n; i++)
                if (!doc_is_merge_key(mapping->pairs[i].key))
                        map_set(doc->arena, &keys, mapping->pairs[i].key->text, mapping->pairs[i].key);
        result.pairs = NULL;
        result.n = result.capacity = 0;
        for (size_t i = 0; i < mapping->n; i++)
                if (doc_is_merge_key(mapping->pairs[i].key))
                        merge_value(doc, &result, &keys, mapping->pairs[i].value);
                else
                        node_append_pair(doc->arena, &result, mapping->pairs[i].key, mapping->pairs[i].value);
        *mapping = result;
}

void doc_finish_mapping(Doc *doc, Node *mapping) {
        bool has_merge = false;

        check_duplicates(doc, mapping);
        for (size_t i = 0; i < mapping->n; i++)
                has_merge = has_merge || doc_is_merge_key(mapping->pairs[i].key);
        if (has_merge)
                resolve_merge(doc, mapping);
}
