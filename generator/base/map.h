/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>

#include "generator/base/arena.h"

/* From names to pointers, for tables that input can make large: a linear search in them would let a
 * file of a few megabytes cost minutes. Open addressing, grown at half load, in an arena. Names are
 * kept by reference; iteration is left out on purpose, so that no hash order can reach an output.
 */
typedef struct Map {
        struct MapSlot *slots;
        size_t n, n_slots; /* n_slots is 0 or a power of two */
} Map;

/* NULL if the name is not there. */
void *map_get(const Map *m, const char *name);
/* Adds or replaces; value must not be NULL. */
void map_set(Arena *a, Map *m, const char *name, void *value);
