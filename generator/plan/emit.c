/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* Emitters that many rows share. */

static bool is_empty(const Node *n) {
        if (n->kind == NODE_SEQUENCE || n->kind == NODE_MAPPING)
                return n->n == 0;
        return n->kind == NODE_NULL || (n->kind == NODE_BOOL && !value_is_true(n));
}

void emit_refused(Draft *d, const ServiceKey *key, const Node *value) {
        if (is_empty(value))
                return;
        diag_error(d->lower->diag, value->span, "not-supported", "'%s' of service '%s' is not supported",
                   key->key, d->service->name);
        diag_hint(d->lower->diag, "%s", key->verdicts.unit.text);
}

void emit_elsewhere(Draft *d, const ServiceKey *key, const Node *value) {
        (void) d;
        (void) key;
        (void) value;
}

void emit_scalar(Draft *d, const ServiceKey *key, const Node *value) {
        if (node_is_scalar(value) && value->text[0] && judge_value(d, key->name, key->key, value))
                draft_line(d, &d->container, key->name, key->class, value, value->text);
}

void emit_list(Draft *d, const ServiceKey *key, const Node *value) {
        for (size_t i = 0; value->kind == NODE_SEQUENCE && i < value->n; i++)
                emit_scalar(d, key, value->items[i]);
}

void emit_pairs(Draft *d, const ServiceKey *key, const Node *value) {
        for (size_t i = 0; value->kind == NODE_MAPPING && i < value->n; i++) {
                const NodePair *p = value->pairs + i;
                const char *text = node_is_scalar(p->value) ? p->value->text : "";

                draft_line(d, &d->container, key->name, key->class, p->value,
                           arena_printf(d->lower->arena, "%s=%s", p->key->text, text));
        }
}

void emit_true(Draft *d, const ServiceKey *key, const Node *value) {
        if (node_is_scalar(value) && value_is_true(value))
                draft_line(d, &d->container, key->name, ESCAPE_WORD, value, "true");
}

void emit_flag(Draft *d, const ServiceKey *key, const Node *value) {
        if (node_is_scalar(value) && value->text[0] && judge_value(d, key->name, key->key, value))
                draft_podman_arg(d, &d->container, key->name, value, value->text);
}

void emit_flag_list(Draft *d, const ServiceKey *key, const Node *value) {
        for (size_t i = 0; value->kind == NODE_SEQUENCE && i < value->n; i++)
                emit_flag(d, key, value->items[i]);
}

void emit_flag_true(Draft *d, const ServiceKey *key, const Node *value) {
        if (node_is_scalar(value) && value_is_true(value)) {
                d->container.span = value->span;
                unit_line(&d->container, "PodmanArgs", ESCAPE_QUADLET_ARGV, key->name);
        }
}
