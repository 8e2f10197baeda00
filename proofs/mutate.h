/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Detectors are tested by being switched off: with -Dmutations=true each name in the environment variable
 * UNITPROOF_MUTATE, a list with commas, makes the place that asks for it do nothing, and some test must then
 * fail. In every other build the answer is a constant and the variable is not read. */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifdef UNITPROOF_MUTATIONS
static inline bool mutation_is_on(const char *name) {
        const char *list = getenv("UNITPROOF_MUTATE");
        size_t length = strlen(name);

        for (const char *p = list; p && *p;) {
                const char *end = strchrnul(p, ',');

                if ((size_t) (end - p) == length && strncmp(p, name, length) == 0)
                        return true;
                p = *end ? end + 1 : end;
        }
        return false;
}
#else
static inline bool mutation_is_on(const char *name) {
        (void) name;
        return false;
}
#endif
