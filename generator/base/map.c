/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/map.h"

#include <stdint.h>
#include <string.h>

#define SLOTS_MIN 32

typedef struct MapSlot {
        const char *name;
        uint64_t hash;
        void *value;
} MapSlot;

/* FNV-1a with a final mix. Names that collide on purpose are bounded by the size of a file. */
static uint64_t name_hash(const char *name) {
        uint64_t h = UINT64_C(14695981039346656037);

        for (; *name; name++) {
                h ^= (unsigned char) *name;
                h *= UINT64_C(1099511628211);
        }
        h ^= h >> 32;
        h *= UINT64_C(0x9e3779b97f4a7c15);
        return h ^ (h >> 29);
}

static MapSlot *slot_find(const Map *m, const char *name, uint64_t hash) {
        size_t mask = m->n_slots - 1;
        size_t i = hash & mask;

        while (m->slots[i].name && (m->slots[i].hash != hash || strcmp(m->slots[i].name, name) != 0))
                i = (i + 1) & mask;
        return m->slots + i;
}

static void map_enlarge(Arena *a, Map *m) {
        Map larger = { .n = m->n, .n_slots = m->n_slots ? m->n_slots * 2 : SLOTS_MIN };

        larger.slots = arena_new_array(a, MapSlot, larger.n_slots);
        for (size_t i = 0; i < m->n_slots; i++)
                if (m->slots[i].name)
                        *slot_find(&larger, m->slots[i].name, m->slots[i].hash) = m->slots[i];
        *m = larger;
}

void *map_get(const Map *m, const char *name) {
        return m->n > 0 ? slot_find(m, name, name_hash(name))->value : NULL;
}

void map_set(Arena *a, Map *m, const char *name, void *value) {
        uint64_t hash = name_hash(name);
        MapSlot *slot;

        if ((m->n + 1) * 2 > m->n_slots)
                map_enlarge(a, m);
        slot = slot_find(m, name, hash);
        if (!slot->name)
                m->n++;
        *slot = (MapSlot){ .name = name, .hash = hash, .value = value };
}
