/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <yaml.h>

#include "generator/base/map.h"
#include "generator/front/doc.h"

/* One parse, shared by the doc-*.c files only. */
typedef struct Doc {
        Arena *arena;
        Diag *diag;
        const SourceFile *source;
        uint32_t file;
        yaml_parser_t parser;
        Map anchors; /* name → Anchor */
        size_t n_nodes;
        unsigned n_overrides; /* of the collections around, with !override: tags within have no meaning to
                                 Compose */
} Doc;

Span doc_span(const Doc *doc, yaml_mark_t start, yaml_mark_t end);
/* Another node; false and a diagnostic when LIMIT_NODES is reached. */
bool doc_count_node(Doc *doc, Span span);

/* doc-anchor.c. An anchor is open while its own node is being read: an alias to it then would be a
 * node within itself. */
typedef struct Anchor Anchor;
Anchor *doc_anchor_open(Doc *doc, const char *name);
void doc_anchor_close(Anchor *anchor, Node *node);
/* A copy of what the alias stands for, or NULL after a diagnostic. */
Node *doc_alias(Doc *doc, const char *name, Span span, size_t depth);

/* doc-scalar.c. NULL is never returned; diagnostics tell what is wrong. */
Node *doc_scalar(Doc *doc, const yaml_event_t *event);
/* The merge tag or the fault of a collection's tag. */
void doc_collection_tag(Doc *doc, const char *tag, Node *node);
/* A plain "<<": the merge key. "<<" in quotes is an ordinary key. */
bool doc_is_merge_key(const Node *key);

/* doc-mapping.c. Looks for duplicate keys and resolves "<<". */
void doc_finish_mapping(Doc *doc, Node *mapping);

/* doc-error.c. What libyaml complains about. */
void doc_report_syntax(Doc *doc);
