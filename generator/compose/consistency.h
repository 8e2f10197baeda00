/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/compose/load.h"

/* One service under check, in its model. */
typedef struct Check {
        Load *load;
        const Node *model, *services;
        const Map *inactive;
        const Node *key, *service;
        const Node *written; /* the same with what is empty */
        const char *name;
} Check;

/* The key of a mapping that is nearest to a name, or NULL. */
const char *nearest_key(Load *l, const Node *mapping, const char *name);
/* The same limit said twice, once below deploy. */
void check_limits(const Check *c);
void check_cycles(Load *l, const Node *services);
