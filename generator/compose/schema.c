/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/compose/schema.h"

#include "generator/base/str.h"

/* Walking the tables. */

const KeyDef *section_find(const Section *s, const char *name) {
        for (size_t i = 0; i < s->n_keys; i++)
                /* Called for each key of a file: the first letter spares most of the calls. */
                if (s->keys[i].name[0] == name[0] && str_equal(s->keys[i].name, name))
                        return s->keys + i;
        return NULL;
}

const KeyDef *type_child(const Type *t, const char *name) {
        if (t->section)
                return section_find(t->section, name);
        return t->values;
}
