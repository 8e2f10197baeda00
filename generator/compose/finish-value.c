/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "generator/base/str.h"
#include "generator/compose/rules.h"
#include "generator/compose/value.h"
#include "generator/front/scalar.h"

/* Final forms of single values and of lists of them. */

Node *finish_drop(Load *l, const Type *t, Node *n) {
        (void) l, (void) t, (void) n;
        return NULL;
}

/* Compose prints none, and gives them to its own runner when it starts the service. */
Node *finish_models(Load *l, const Type *t, Node *n) {
        (void) t;
        if (n->n > 0) {
                diag_warning(l->diag, n->span, "ignored", "'models' of a service are left out");
                diag_hint(l->diag, "run the model in a service of its own");
        }
        return NULL;
}

/* The same, but a driver of addresses may have been counted on. */
Node *finish_ipam_options(Load *l, const Type *t, Node *n) {
        (void) t;
        if (n->n > 0)
                diag_note(l->diag, n->span, "different", "'options' of 'ipam' are left out, as Compose does");
        return NULL;
}

Node *finish_text(Load *l, const Type *t, Node *n) {
        (void) t;
        if (n->kind == NODE_NULL || !*n->text)
                return NULL;
        return n->kind == NODE_STRING ? n : value_string(l, n, value_text(l->arena, n));
}

Node *finish_bool_kept(Load *l, const Type *t, Node *n) {
        if (n->kind == NODE_STRING)
                return cast_bool(l, t, n);
        return n->kind == NODE_BOOL ? node_new_bool(l->arena, n->span, strcasecmp(n->text, "true") == 0)
                                    : NULL;
}

Node *finish_bool(Load *l, const Type *t, Node *n) {
        Node *value = finish_bool_kept(l, t, n);

        return value && str_equal(value->text, "true") ? value : NULL;
}

Node *finish_int_kept(Load *l, const Type *t, Node *n) {
        long long value;
        double number;

        if (n->kind == NODE_STRING)
                return cast_int(l, t, n);
        if (n->kind == NODE_FLOAT && value_parse_float(n->text, &number) && number > -9e18 && number < 9e18)
                value = (long long) number;
        else if (!node_is_scalar(n) || !scalar_parse_int(n->text, &value)) {
                return value_refuse(l, n, t->what, NULL);
        }
        return node_new_int(l->arena, n->span, value);
}

Node *finish_int(Load *l, const Type *t, Node *n) {
        Node *value = finish_int_kept(l, t, n);

        return value && !str_equal(value->text, "0") ? value : NULL;
}

Node *finish_float(Load *l, const Type *t, Node *n) {
        Node *value;
        double number;
        long long whole;

        if (n->kind == NODE_INT && scalar_parse_int(n->text, &whole))
                number = (double) whole;
        else if (!node_is_scalar(n) || !value_parse_float(n->text, &number)) {
                return value_refuse(l, n, t->what, NULL);
        }
        number = (double) (float) number;
        if (number == 0)
                return NULL;
        value = node_new(l->arena, NODE_FLOAT, n->span);
        value->text = value_float_text(l->arena, number, /* single= */ true, /* json= */ true);
        return value;
}

/* Sizes are printed as strings of bytes. */
Node *finish_bytes(Load *l, const Type *t, Node *n) {
        long long bytes = 0;

        if (n->kind == NODE_INT ? !scalar_parse_int(n->text, &bytes)
                                : n->kind == NODE_STRING && !value_parse_bytes(n->text, &bytes)) {
                return value_refuse(l, n, t->what, "give a number with one of the units b, k, m, g");
        }
        if (n->kind == NODE_FLOAT) {
                bool digits = !n->text[strspn(n->text, "+-0123456789")];

                diag_warning(l->diag, n->span, "ignored",
                             digits ? "a size beyond 9223372036854775807 counts as none"
                                    : "a size with a fraction or an exponent counts as none");
                if (digits)
                        diag_hint(l->diag, "give one that a machine can have, with a unit: \"16g\"");
                else
                        diag_hint(l->diag, "give a unit: \"%sg\"", n->text);
        }
        return bytes != 0 ? value_string(l, n, arena_printf(l->arena, "%lld", bytes)) : NULL;
}

Node *finish_duration_kept(Load *l, const Type *t, Node *n) {
        long long ns;

        if (!node_is_scalar(n) || !value_parse_duration(n->text, &ns)) {
                return value_refuse(l, n, t->what, "give numbers with the units h, m, s, ms");
        }
        return value_string(l, n, value_duration_text(l->arena, ns));
}

Node *finish_duration(Load *l, const Type *t, Node *n) {
        Node *value = finish_duration_kept(l, t, n);

        return value && !str_equal(value->text, "0s") ? value : NULL;
}

Node *finish_strings(Load *l, const Type *t, Node *n) {
        Node *list;

        (void) t;
        if (n->kind == NODE_NULL || (n->kind == NODE_SEQUENCE && n->n == 0))
                return NULL;
        list = sequence_new(l, n->span);
        if (n->kind != NODE_SEQUENCE)
                node_append(l->arena, list, n);
        else
                for (size_t i = 0; i < n->n; i++)
                        node_append(l->arena, list,
                                    value_string(l, n->items[i], value_text(l->arena, n->items[i])));
        return list;
}

Node *finish_command(Load *l, const Type *t, Node *n) {
        const char *rest;
        Node *words;

        (void) t;
        if (n->kind != NODE_STRING)
                return n;
        words = value_split_words(l->arena, n, &rest);
        if (!words) {
                diag_error(l->diag, n->span, "bad-value", "a quote or bracket in the command is not closed");
                diag_hint(l->diag, "close it, or write the command as a list");
                return NULL;
        }
        if (rest) {
                diag_warning(l->diag, n->span, "command-cut",
                             "Compose runs no shell: the command ends before '%s'", rest);
                diag_hint(l->diag, "quote the character, or write [sh, -c, \"…\"]");
        }
        return words;
}

Node *finish_test(Load *l, const Type *t, Node *n) {
        Node *list;

        if (n->kind != NODE_STRING)
                return finish_strings(l, t, n);
        list = sequence_new(l, n->span);
        node_append(l->arena, list, node_new_string(l->arena, n->span, "CMD-SHELL"));
        node_append(l->arena, list, n);
        return list;
}

Node *finish_mode(Load *l, const Type *t, Node *n) {
        long long mode;
        char *end;

        if (n->kind == NODE_STRING) {
                mode = strtoll(n->text, &end, 8);
                if (end == n->text || *end) {
                        return value_refuse(l, n, t->what, "write it as \"0440\"");
                }
        } else if (!scalar_parse_int(n->text, &mode)) {
                return value_refuse(l, n, t->what, "write it as \"0440\"");
        }
        return value_string(
                l, n,
                arena_printf(l->arena, mode < 0 ? "0-%llo" : "0%llo",
                             mode < 0 ? 0ULL - (unsigned long long) mode : (unsigned long long) mode));
}

static bool is_fraction(Load *l, const Type *t, const Node *n) {
        if (n->kind != NODE_FLOAT)
                return false;
        (void) value_refuse(l, n, t->what, "write it without a point");
        return true;
}

Node *finish_published(Load *l, const Type *t, Node *n) {
        return is_fraction(l, t, n) ? NULL : finish_text(l, t, n);
}

Node *finish_count(Load *l, const Type *t, Node *n) {
        if (n->kind == NODE_STRING && strcasecmp(n->text, "all") == 0)
                return node_new_int(l->arena, n->span, -1);
        return is_fraction(l, t, n) ? NULL : finish_int(l, t, n);
}

Node *finish_ulimit(Load *l, const Type *t, Node *n) {
        Node *value;

        if (n->kind == NODE_MAPPING)
                return finish_section(l, t, n);
        value = finish_int_kept(l, t, n);
        return value && str_equal(value->text, "0") ? mapping_new(l, n->span) : value;
}

Node *finish_ssh(Load *l, const Type *t, Node *n) {
        Node *list;

        (void) t;
        if (n->kind != NODE_MAPPING || n->n == 0)
                return NULL;
        list = sequence_new(l, n->span);
        mapping_sort(n);
        for (size_t i = 0; i < n->n; i++) {
                const Node *path = n->pairs[i].value;

                node_append(l->arena, list,
                            value_string(l, n->pairs[i].key,
                                         path->kind == NODE_NULL
                                                 ? n->pairs[i].key->text
                                                 : arena_printf(l->arena, "%s=%s", n->pairs[i].key->text,
                                                                value_text(l->arena, path))));
        }
        return list;
}

static int text_compare(const void *a, const void *b) {
        return strcmp((*(Node *const *) a)->text, (*(Node *const *) b)->text);
}

static void add_host(Load *l, Node *list, const Node *from, const char *host, const char *address) {
        size_t length = strlen(address);

        if (!*host || strpbrk(host, ":=")) {
                (void) value_refuse(l, from, "HOST=ADDRESS", NULL);
                return;
        }
        if (length > 2 && address[0] == '[' && address[length - 1] == ']')
                address = arena_strndup(l->arena, address + 1, length - 2);
        node_append(l->arena, list, value_string(l, from, arena_printf(l->arena, "%s=%s", host, address)));
}

static void add_host_entry(Load *l, Node *list, const Node *entry) {
        const char *addresses, *host = value_cut(l, entry, '=', &addresses);

        if (!addresses)
                host = value_cut(l, entry, ':', &addresses);
        if (!addresses) {
                (void) value_refuse(l, entry, "HOST=ADDRESS", NULL);
                return;
        }
        for (const char *p = addresses, *end; p; p = *end ? end + 1 : NULL) {
                end = strchrnul(p, ',');
                add_host(l, list, entry, host, arena_strndup(l->arena, p, (size_t) (end - p)));
        }
}

Node *finish_hosts(Load *l, const Type *t, Node *n) {
        Node *list = sequence_new(l, n->span);
        bool named = n->kind == NODE_MAPPING && n->n > 0; /* hosts without an address leave an empty list */

        (void) t;
        for (size_t i = 0; n->kind == NODE_SEQUENCE && i < n->n; i++)
                add_host_entry(l, list, n->items[i]);
        for (size_t i = 0; n->kind == NODE_MAPPING && i < n->n; i++) {
                const Node *value = n->pairs[i].value;
                const char *host = n->pairs[i].key->text;

                if (value->kind != NODE_SEQUENCE)
                        add_host(l, list, value, host, value_text(l->arena, value));
                else
                        for (size_t j = 0; j < value->n; j++)
                                add_host(l, list, value->items[j], host,
                                         value_text(l->arena, value->items[j]));
        }
        if (list->n > 1)
                qsort(list->items, list->n, sizeof *list->items, text_compare);
        return list->n > 0 || named ? list : NULL;
}
