/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "generator/base/buf.h"
#include "generator/base/str.h"
#include "generator/compose/check-report.h"
#include "generator/compose/rules.h"
#include "generator/front/scalar.h"

/* Holds a tree against the tables: unknown keys, wrong types, missing and repeated entries. */

static bool name_is_plain(const char *name) {
        static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";

        return *name && name[strspn(name, plain)] == '\0';
}

static void check_node(Load *l, const Type *t, const Node *n, const Place *at);

static void check_mapping(Load *l, const Type *t, const Node *n, const Place *at) {
        for (size_t i = 0; i < n->n; i++) {
                const Node *key = n->pairs[i].key;
                Place here = { .parent = at, .key = key->text };
                const KeyDef *row = type_child(t, key->text);

                if (t->section) {
                        if (!row && t->section->extensions && is_extension(key->text))
                                continue;
                        if (!row && t->section->open)
                                continue;
                        if (!row) {
                                report_unknown(l, t->section, n->pairs + i, at);
                                continue;
                        }
                } else if (!t->open_names && !name_is_plain(key->text)) {
                        if (t->closed_names) {
                                diag_error(l->diag, key->span, "bad-name", "'%s' is no valid name in %s",
                                           key->text, place_text(l, at));
                                diag_hint(l->diag, "use letters, digits, '.', '_' and '-'");
                        }
                        continue;
                }
                if (t->named && !*key->text) {
                        diag_error(l->diag, key->span, "bad-name", "a name is missing in %s",
                                   place_text(l, at));
                        diag_hint(l->diag, "write NAME: VALUE, or remove the entry");
                }
                if (row)
                        check_node(l, row->type, n->pairs[i].value, &here);
        }
        for (size_t i = 0; t->section && i < 3 && t->section->required[i]; i++)
                if (!node_get(n, t->section->required[i])) {
                        diag_error(l->diag, n->span, "missing-key", "%s lacks '%s'", place_text(l, at),
                                   t->section->required[i]);
                        diag_hint(l->diag, "add '%s:'", t->section->required[i]);
                }
}

/* What big.Rat of Go reads in a text: a number with or without a point, in any base, or a fraction. */
static bool parse_rational(const char *text, long double *ret) {
        const char *digits = text + (*text == '+' || *text == '-'), *slash = strchr(text, '/');
        char *end;
        long double value, under = 1;
        long long whole;

        if (strspn(digits, "0123456789.") == 0)
                return false;
        if (slash) {
                under = strtold(slash + 1, &end);
                if (!isdigit((unsigned char) slash[1]) || *end || under == 0)
                        return false;
        }
        value = strtold(text, &end);
        if (end != text &&
            (*end == 'p' || *end == 'P')) { /* times a power of two, after decimal digits too */
                char *after;
                long power = strtol(end + 1, &after, 10);

                if (after == end + 1)
                        return false;
                end = after;
                value = ldexpl(value, (int) (power < -16000 ? -16000 : power > 16000 ? 16000 : power));
        }
        if (slash ? end == slash : *end == '\0')
                *ret = value / under;
        else if (scalar_parse_int(text, &whole))
                *ret = (long double) whole;
        else
                return false;
        return true;
}

/* As Compose's validator compares items: a text is that text again, a number is any item before it, in quotes
 * or not, that has its value. */
static bool item_repeats(Load *l, Map *seen, Node *item) {
        const char *text = value_text(l->arena, item), *value = NULL, *id;
        long double number;
        bool repeats;

        if (item->kind != NODE_BOOL && item->kind != NODE_NULL && parse_rational(text, &number))
                value = arena_printf(l->arena, "=%La", number == 0 ? 0 : number);
        id = arena_printf(l->arena, "%d%s", item->kind, text);
        repeats = map_get(seen, item->kind != NODE_STRING && value ? value : id);
        map_set(l->arena, seen, id, item);
        if (value)
                map_set(l->arena, seen, value, item);
        return repeats;
}

static void check_sequence(Load *l, const Type *t, const Node *n, const Place *at) {
        Map seen = { 0 };

        for (size_t i = 0; i < n->n; i++) {
                Node *item = n->items[i];
                Place here = { .parent = at, .index = i };

                if (t->items)
                        check_node(l, t->items->type, item, &here);
                if (!t->unique || !node_is_scalar(item) || !item_repeats(l, &seen, item))
                        continue;
                diag_error(l->diag, item->span, "duplicate-item", "%s stands twice in %s", item->text,
                           place_text(l, at));
                diag_hint(l->diag, "remove one of the two");
        }
}

static void check_words(Load *l, const Type *t, const Node *n, const Place *at) {
        Buf list = BUF(l->arena);
        size_t n_words = 0;
        const char *near;

        for (; t->words[n_words]; n_words++) {
                if (str_equal(t->words[n_words], n->text))
                        return;
                buf_printf(&list, "%s%s", n_words > 0 ? ", " : "", t->words[n_words]);
        }
        near = str_nearest(n->text, t->words, n_words);
        diag_error(l->diag, n->span, "bad-value", "%s cannot be '%s'", place_text(l, at), n->text);
        if (near)
                diag_hint(l->diag, "did you mean '%s'?", near);
        else
                diag_hint(l->diag, "it is one of: %s", buf_text(&list));
}

static bool lies_within(const long long *range, const Node *n) {
        long long whole;
        double value;

        if (n->kind == NODE_INT && scalar_parse_int(n->text, &whole))
                return whole >= range[0] && whole <= range[1];
        if (n->kind == NODE_FLOAT && value_parse_float(n->text, &value))
                return value >= (double) range[0] && value <= (double) range[1];
        return true;
}

static void check_range(Load *l, const long long *range, const Node *n, const Place *at) {
        if (lies_within(range, n))
                return;
        diag_error(l->diag, n->span, "bad-value", "%s is out of range: %s", place_text(l, at), n->text);
        diag_hint(l->diag, "it lies between %lld and %lld", range[0], range[1]);
}

/* A number with a point that is whole is a whole number, as in JSON. */
static unsigned form_of(const Type *t, const Node *n) {
        double value;

        if (!t->exact && n->kind == NODE_FLOAT && value_parse_float(n->text, &value) && value == trunc(value))
                return FORM_NUMBER;
        return FORM(n->kind);
}

static void check_node(Load *l, const Type *t, const Node *n, const Place *at) {
        unsigned form = form_of(t, n);

        if (!((t->forms | (l->merged ? 0 : t->passing)) & form)) {
                report_type(l, t, n, at);
                return;
        }
        if (n->kind == NODE_MAPPING)
                check_mapping(l, t, n, at);
        else if (n->kind == NODE_SEQUENCE)
                check_sequence(l, t, n, at);
        if (t->words && n->kind == NODE_STRING)
                check_words(l, t, n, at);
        if (t->range)
                check_range(l, t->range, n, at);
        if (t->limits && l->merged)
                check_range(l, t->limits, n, at);
        if (!(t->forms & form) || (t->limits && !lies_within(t->limits, n)))
                l->unsettled = true;
        if (t->check)
                t->check(l, place_text(l, at), n);
}

void check_file(Load *l, const Node *file) {
        Place root = { 0 };

        check_node(l, &compose_type, file, &root);
}

void check_merged(Load *l, const Node *file) {
        if (!l->unsettled)
                return;
        l->unsettled = false;
        l->merged = true;
        check_file(l, file);
        l->merged = false;
}
