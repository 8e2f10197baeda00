/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/limits.h"
#include "generator/base/str.h"
#include "generator/front/doc-internal.h"
#include "generator/front/scalar.h"
#include "generator/front/text-check.h"

#define CORE "tag:yaml.org,2002:"

typedef struct TagRule {
        const char *tag, *shown;
        NodeKind kind; /* what a node with it must be; _NODE_KIND_MAX: any */
        NodeTag merge;
        bool key_only;
} TagRule;

static const TagRule tag_rules[] = {
        { CORE "str", "!!str", NODE_STRING, NODE_TAG_NONE, false },
        { CORE "int", "!!int", NODE_INT, NODE_TAG_NONE, false },
        { CORE "float", "!!float", NODE_FLOAT, NODE_TAG_NONE, false },
        { CORE "bool", "!!bool", NODE_BOOL, NODE_TAG_NONE, false },
        { CORE "null", "!!null", NODE_NULL, NODE_TAG_NONE, false },
        { CORE "seq", "!!seq", NODE_SEQUENCE, NODE_TAG_NONE, false },
        { CORE "map", "!!map", NODE_MAPPING, NODE_TAG_NONE, false },
        { CORE "merge", "!!merge", NODE_STRING, NODE_TAG_NONE, true },
        { "!reset", "!reset", _NODE_KIND_MAX, NODE_TAG_RESET, false },
        { "!override", "!override", _NODE_KIND_MAX, NODE_TAG_OVERRIDE, false },
};

/* NULL for no tag and for the non-specific "!"; otherwise the rule, or a diagnostic and NULL. */
static const TagRule *find_tag(Doc *doc, Span span, const char *tag) {
        if (!tag || str_equal(tag, "!"))
                return NULL;
        for (size_t i = 0; i < ELEMENTS(tag_rules); i++)
                if (str_equal(tag_rules[i].tag, tag))
                        return tag_rules + i;
        if (str_has_prefix(tag, CORE))
                diag_error(doc->diag, span, "unknown-tag", "unknown tag '!!%s'", tag + strlen(CORE));
        else
                diag_error(doc->diag, span, "unknown-tag", "unknown tag '%s'", tag);
        diag_hint(doc->diag, "Compose knows !reset and !override; quote the text if it is no tag");
        return NULL;
}

static void report_misfit(Doc *doc, Span span, const TagRule *rule, NodeKind kind) {
        diag_error(doc->diag, span, "bad-tag", "%s cannot have the tag %s", node_kind_name(kind),
                   rule->shown);
}

static void apply_scalar_tag(Doc *doc, const char *tag, Node *n) {
        const TagRule *rule = find_tag(doc, n->span, tag);
        NodeKind kind;

        if (tag && str_equal(tag, "!"))
                n->quoted = true;
        if (!rule || rule->kind == _NODE_KIND_MAX) {
                n->tag = rule && doc->n_overrides == 0 ? rule->merge : NODE_TAG_NONE;
                /* A tag that is none of YAML's own leaves text as it is, without a look at it. */
                n->quoted |= rule != NULL;
                n->kind = n->quoted ? NODE_STRING : scalar_kind(n->text);
                return;
        }
        /* An explicit tag rules over quotes: !!int "1" is a number. */
        kind = scalar_kind(n->text);
        n->kind = rule->kind;
        if (rule->key_only)
                n->quoted = !str_equal(n->text, "<<");
        else
                n->quoted = rule->kind == NODE_STRING;
        if (rule->kind != kind && rule->kind != NODE_STRING &&
            !(rule->kind == NODE_FLOAT && kind == NODE_INT))
                report_misfit(doc, n->span, rule, n->quoted ? NODE_STRING : kind);
}

Node *doc_scalar(Doc *doc, const yaml_event_t *event) {
        const char *text = (const char *) event->data.scalar.value;
        size_t length = event->data.scalar.length;
        Node *n;

        n = node_new(doc->arena, NODE_STRING, doc_span(doc, event->start_mark, event->end_mark));
        n->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
        if (length > LIMIT_SCALAR_BYTES) {
                diag_error(doc->diag, n->span, "value-too-long", "the value has %zu bytes, more than %d",
                           length, LIMIT_SCALAR_BYTES);
                diag_hint(doc->diag, "put long text into a file and mount it, or use 'configs'");
                return n;
        }
        if (!text_check_value(doc->diag, n->span, text, length))
                return n;
        n->text = arena_strndup(doc->arena, text, length);
        apply_scalar_tag(doc, (const char *) event->data.scalar.tag, n);
        if (n->kind == NODE_NULL)
                n->text = "";
        return n;
}

void doc_collection_tag(Doc *doc, const char *tag, Node *node) {
        const TagRule *rule = find_tag(doc, node->span, tag);

        if (!rule)
                return;
        node->tag = doc->n_overrides == 0 ? rule->merge : NODE_TAG_NONE;
        if (rule->kind != _NODE_KIND_MAX && rule->kind != node->kind)
                report_misfit(doc, node->span, rule, node->kind);
}

bool doc_is_merge_key(const Node *key) {
        return key->kind == NODE_STRING && !key->quoted && str_equal(key->text, "<<");
}
