/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/compose/schema.h"
#include "generator/compose/value.h"

/* What check.c says about a tree that the tables do not allow. */

typedef struct Place {
        const struct Place *parent; /* NULL: the file */
        const char *key;            /* NULL: an item of a list */
        size_t index;
} Place;

/* "services.web.ports[0]" */
const char *place_text(Load *l, const Place *p);

void report_unknown(Load *l, const Section *s, const NodePair *pair, const Place *at);
void report_type(Load *l, const Type *t, const Node *n, const Place *at);
