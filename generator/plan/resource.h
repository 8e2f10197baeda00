/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/plan/lower.h"

/* A network or a volume in the making: one file of quadlet's. */
typedef struct Resource {
        Lower *lower;
        UnitWriter lines;
} Resource;

Resource resource_new(Lower *l);
void resource_refuse(Resource *r, const Node *n, const char *what);
/* One line; a secret is refused, since everybody reads units. */
void resource_line(Resource *r, const char *key, EscapeClass class, const Node *n, const char *value);
/* The same of the value itself, if there is one. */
void resource_scalar(Resource *r, const char *key, EscapeClass class, const Node *n);
/* A line NAME=VALUE for each pair. */
void resource_pairs(Resource *r, const char *key, const Node *mapping);
/* Adds the file to the plan. kind: "network", "volume". */
void resource_finish(Resource *r, const NodePair *p, const char *kind, const Template *template);

void lower_network(Lower *l, const NodePair *p);
void lower_volume(Lower *l, const NodePair *p);
