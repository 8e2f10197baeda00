/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/compose/check-report.h"

#include <string.h>

#include "generator/base/buf.h"
#include "generator/base/str.h"
#include "generator/compose/rules.h"

static void place_print(const Place *p, Buf *b) {
        if (!p->parent)
                return;
        place_print(p->parent, b);
        if (!p->key)
                buf_printf(b, "[%zu]", p->index);
        else
                buf_printf(b, "%s%s", b->len > 0 ? "." : "", p->key);
}

const char *place_text(Load *l, const Place *p) {
        Buf b = BUF(l->arena);

        place_print(p, &b);
        return b.len > 0 ? buf_text(&b) : "the file";
}

void report_unknown(Load *l, const Section *s, const NodePair *pair, const Place *at) {
        const char **names = arena_new_array(l->arena, const char *, s->n_keys);
        const char *key = pair->key->text, *near;

        for (size_t i = 0; i < s->n_keys; i++)
                names[i] = s->keys[i].name;
        near = str_nearest(key, names, s->n_keys);
        diag_error(l->diag, pair->key->span, "unknown-key", "unknown key '%s' in %s", key, place_text(l, at));
        if (near)
                diag_hint(l->diag, "did you mean '%s'?", near);
        else if (!at->parent && (node_get(pair->value, "image") || node_get(pair->value, "build")))
                diag_hint(l->diag, "a service stands below 'services:', indented");
        else if (s->extensions)
                diag_hint(l->diag, "remove it, or name it 'x-%s' if it is meant for another tool", key);
        else
                diag_hint(l->diag, "remove it");
}

/* ---- a wrong type ---- */

typedef struct Mistake {
        const Type *type; /* what may stand there */
        const Node *node; /* what does */
        const Place *at;
} Mistake;

static bool takes(const Mistake *m, unsigned form) {
        return (m->type->forms & form) != 0;
}

static const char *is_nothing(const Mistake *m) {
        return m->node->kind == NODE_NULL ? "" : NULL;
}

static const char *lacks_unit(const Mistake *m) {
        if (m->type->finish != finish_duration && m->type->finish != finish_duration_kept)
                return NULL;
        return node_is_scalar(m->node) ? m->node->text : "5";
}

static const char *lacks_quotes(const Mistake *m) {
        bool is_text = takes(m, FORM_STRING) && (!m->type->finish || m->type->finish == finish_text);

        return node_is_scalar(m->node) && is_text ? m->node->text : NULL;
}

static const char *is_no_switch(const Mistake *m) {
        return node_is_scalar(m->node) && takes(m, FORM_BOOL) ? "" : NULL;
}

/* services: {image: x} */
static const char *is_key_of_service(const Mistake *m) {
        const Place *above = m->at->parent;

        if (!m->at->key || !above || !str_equal(above->key, "services") || above->parent->parent)
                return NULL;
        return type_child(&service_type, m->at->key) && !is_extension(m->at->key) ? m->at->key : NULL;
}

/* "image:nginx" is one text. */
static const char *lacks_blank(const Mistake *m) {
        const char *colon = m->node->kind == NODE_STRING ? strchr(m->node->text, ':') : NULL;

        return colon && colon > m->node->text && colon[1] != '/' && takes(m, FORM_MAPPING) &&
                               !takes(m, FORM_SEQUENCE)
                       ? ""
                       : NULL;
}

static const char *lacks_list(const Mistake *m) {
        return node_is_scalar(m->node) && takes(m, FORM_SEQUENCE) && !strpbrk(m->node->text, "\"\\\r\n")
                       ? m->node->text
                       : NULL;
}

/* "- NAME: value" among "- NAME=value". */
static const char *is_pair_in_list(const Mistake *m) {
        const bool is_one = m->node->kind == NODE_MAPPING && m->node->n == 1;

        return is_one && !m->at->key && takes(m, FORM_STRING) && !takes(m, FORM_MAPPING)
                       ? m->node->pairs[0].key->text
                       : NULL;
}

/* The first that fits; what it returns stands between the two halves of the hint. */
static const struct {
        const char *(*fits)(const Mistake *m);
        const char *before, *after;
} type_hints[] = {
        { is_nothing, "give it a value, or remove the key", "" },
        { lacks_unit, "give a unit: \"", "s\"" },
        { lacks_quotes, "put the value in quotes: \"", "\"" },
        { is_no_switch, "write true or false", "" },
        { is_key_of_service, "'",
          "' belongs to a service: write it below the name of one, further indented" },
        { lacks_blank, "a blank belongs behind the ':' of a key", "" },
        { lacks_list, "make it a list: [\"", "\"]" },
        { is_pair_in_list, "a ':' with a blank behind it makes a mapping: write ",
          "=VALUE, or quote the entry" },
};

void report_type(Load *l, const Type *t, const Node *n, const Place *at) {
        const bool fraction = n->kind == NODE_FLOAT && (t->forms & FORM_INT);
        const Mistake mistake = { .type = t, .node = n, .at = at };

        diag_error(l->diag, n->span, "wrong-type", "%s must be %s, not %s", place_text(l, at), t->what,
                   fraction ? "a fraction" : node_kind_name(n->kind));
        for (size_t i = 0; i < ELEMENTS(type_hints); i++) {
                const char *word = type_hints[i].fits(&mistake);

                if (!word)
                        continue;
                diag_hint(l->diag, "%s%s%s", type_hints[i].before, word, type_hints[i].after);
                return;
        }
}
