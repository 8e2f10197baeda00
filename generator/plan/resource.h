/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/plan/lower.h"

/* A network or a volume in the making: one file of quadlet's. */
typedef struct Resource {
        Lower *lower;
        const char *kind; /* "network", "volume" */
        const NodePair *pair;
        UnitWriter lines;
} Resource;

Resource resource_new(Lower *l, const char *kind, const NodePair *p);
void resource_refuse(Resource *r, const Node *n, const char *what);
/* One line; a secret is refused, since everybody reads units. */
void resource_line(Resource *r, const char *key, EscapeClass class, const Node *n, const char *value);
/* The same of the value itself, if there is one. */
void resource_scalar(Resource *r, const char *key, EscapeClass class, const Node *n);
/* A line NAME=VALUE for each pair. */
void resource_pairs(Resource *r, const char *key, const Node *mapping);
/* Adds the file to the plan. */
void resource_finish(Resource *r, const Template *template);

void lower_network(Lower *l, const NodePair *p);
void lower_volume(Lower *l, const NodePair *p);
