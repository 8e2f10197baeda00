/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/front/doc.h"

#include "generator/base/limits.h"
#include "generator/front/doc-internal.h"
#include "generator/front/text-check.h"

#define _cleanup_event_ __attribute__((cleanup(yaml_event_delete)))

/* libyaml counts lines and columns (in characters) from 0. */
Span doc_span(const Doc *doc, yaml_mark_t start, yaml_mark_t end) {
        bool one_line = start.line == end.line && end.column > start.column;

        return (Span){
                .file = doc->file,
                .line = (uint32_t) start.line + 1,
                .column = (uint32_t) start.column + 1,
                .length = one_line ? (uint32_t) (end.column - start.column) : 0,
        };
}

bool doc_count_node(Doc *doc, Span span) {
        if (doc->n_nodes < LIMIT_NODES) {
                doc->n_nodes++;
                return true;
        }
        diag_error(doc->diag, span, "too-many-nodes",
                   "the file has more than %d values, its aliases expanded", LIMIT_NODES);
        diag_hint(doc->diag, "an alias stands for a copy; aliases of aliases multiply");
        return false;
}

static bool next_event(Doc *doc, yaml_event_t *ret_event) {
        if (yaml_parser_parse(&doc->parser, ret_event))
                return true;
        doc_report_syntax(doc);
        return false;
}

static Node *read_node(Doc *doc, const yaml_event_t *event, size_t depth);

static bool read_items(Doc *doc, Node *sequence, size_t depth) {
        for (;;) {
                _cleanup_event_ yaml_event_t event = { 0 };
                Node *item;

                if (!next_event(doc, &event))
                        return false;
                if (event.type == YAML_SEQUENCE_END_EVENT)
                        return true;
                item = read_node(doc, &event, depth);
                if (!item)
                        return false;
                node_append(doc->arena, sequence, item);
        }
}

static void check_key(Doc *doc, const Node *key) {
        if (node_is_scalar(key))
                return;
        diag_error(doc->diag, key->span, "bad-key", "%s cannot be a key",
                   key->kind == NODE_NULL ? "null" : node_kind_name(key->kind));
        if (key->kind == NODE_NULL)
                diag_hint(doc->diag, "put the word before ':', in quotes if it is null or ~");
        else
                diag_hint(doc->diag, "keys are words; quote the key if it starts with [ or {");
}

static bool read_pairs(Doc *doc, Node *mapping, size_t depth) {
        for (;;) {
                _cleanup_event_ yaml_event_t key_event = { 0 }, value_event = { 0 };
                Node *key, *value;

                if (!next_event(doc, &key_event))
                        return false;
                if (key_event.type == YAML_MAPPING_END_EVENT)
                        return true;
                key = read_node(doc, &key_event, depth);
                if (!key || !next_event(doc, &value_event))
                        return false;
                value = read_node(doc, &value_event, depth);
                if (!value)
                        return false;
                check_key(doc, key);
                if (node_is_scalar(key))
                        node_append_pair(doc->arena, mapping, key, value);
        }
}

static Node *read_collection(Doc *doc, const yaml_event_t *event, size_t depth) {
        bool is_mapping = event->type == YAML_MAPPING_START_EVENT;
        const yaml_char_t *anchor_name, *tag;
        Anchor *anchor = NULL;
        Node *n;

        n = node_new(doc->arena, is_mapping ? NODE_MAPPING : NODE_SEQUENCE,
                     doc_span(doc, event->start_mark, event->end_mark));
        if (depth >= LIMIT_DEPTH) {
                diag_error(doc->diag, n->span, "too-deep", "lists and mappings are nested more than %d deep",
                           LIMIT_DEPTH);
                diag_hint(doc->diag, "no Compose key needs that; look for a stray '[' or '{'");
                return NULL;
        }
        anchor_name = is_mapping ? event->data.mapping_start.anchor : event->data.sequence_start.anchor;
        tag = is_mapping ? event->data.mapping_start.tag : event->data.sequence_start.tag;
        doc_collection_tag(doc, (const char *) tag, n);
        if (anchor_name)
                anchor = doc_anchor_open(doc, (const char *) anchor_name);
        doc->n_overrides += n->tag == NODE_TAG_OVERRIDE;
        if (!(is_mapping ? read_pairs : read_items)(doc, n, depth + 1))
                return NULL;
        doc->n_overrides -= n->tag == NODE_TAG_OVERRIDE;
        if (is_mapping)
                doc_finish_mapping(doc, n);
        if (anchor)
                doc_anchor_close(anchor, n);
        return n;
}

/* What begins with the event, which is `depth` collections below the document. NULL: nothing more
 * can be read. */
static Node *read_node(Doc *doc, const yaml_event_t *event, size_t depth) {
        Span span = doc_span(doc, event->start_mark, event->end_mark);
        Node *n;

        if (event->type == YAML_ALIAS_EVENT)
                return doc_alias(doc, (const char *) event->data.alias.anchor, span, depth);
        if (!doc_count_node(doc, span))
                return NULL;
        if (event->type != YAML_SCALAR_EVENT)
                return read_collection(doc, event, depth);
        n = doc_scalar(doc, event);
        if (event->data.scalar.anchor)
                doc_anchor_close(doc_anchor_open(doc, (const char *) event->data.scalar.anchor), n);
        return n;
}

/* The content of the one document: events between the start and the end of the stream. */
static Node *read_stream(Doc *doc) {
        Node *root = NULL;

        for (;;) {
                _cleanup_event_ yaml_event_t event = { 0 };

                if (!next_event(doc, &event))
                        return NULL;
                switch (event.type) {
                case YAML_STREAM_END_EVENT:
                        return root ? root : node_new(doc->arena, NODE_NULL, (Span){ .file = doc->file });
                case YAML_DOCUMENT_START_EVENT:
                        if (!root)
                                break;
                        diag_error(doc->diag, doc_span(doc, event.start_mark, event.end_mark),
                                   "second-document", "a second document starts here");
                        diag_hint(doc->diag, "put it into a file of its own: an override file, "
                                             "or one that 'include' names");
                        return NULL;
                case YAML_STREAM_START_EVENT:
                case YAML_DOCUMENT_END_EVENT:
                case YAML_NO_EVENT:
                        break;
                case YAML_ALIAS_EVENT:
                case YAML_SCALAR_EVENT:
                case YAML_SEQUENCE_START_EVENT:
                case YAML_MAPPING_START_EVENT:
                case YAML_SEQUENCE_END_EVENT:
                case YAML_MAPPING_END_EVENT:
                        root = read_node(doc, &event, 0);
                        if (!root)
                                return NULL;
                }
        }
}

Node *doc_parse(Arena *a, Diag *d, const Sources *s, uint32_t file) {
        Doc doc = { .arena = a, .diag = d, .source = sources_get(s, file), .file = file };
        size_t n_errors = d->n_errors;
        const char *text;
        Node *root;

        if (!text_check(d, s, file))
                return NULL;
        if (!yaml_parser_initialize(&doc.parser)) {
                diag_error(d, (Span){ .file = file }, "no-memory", "out of memory");
                return NULL;
        }
        yaml_parser_set_encoding(&doc.parser, YAML_UTF8_ENCODING);
        /* libyaml would count a byte order mark as a column of line 1, and take the next line for another
         * block. */
        text = source_text(doc.source);
        yaml_parser_set_input_string(&doc.parser, (const unsigned char *) text,
                                     (size_t) (doc.source->bytes + doc.source->length - text));
        root = read_stream(&doc);
        yaml_parser_delete(&doc.parser);
        return d->n_errors > n_errors ? NULL : root;
}
