/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/unit-name.h"

#include <stddef.h>
#include <string.h>

#include "generator/base/limits.h"

static const char *const suffixes[] = { ".service", ".socket", ".target", ".device", ".mount", ".automount",
                                        ".swap",    ".timer",  ".path",   ".slice",  ".scope" };

static size_t stem_length(const char *name, size_t n) {
        for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
                size_t suffix = strlen(suffixes[i]);

                if (n > suffix && strcmp(name + n - suffix, suffixes[i]) == 0)
                        return n - suffix;
        }
        return 0;
}

bool unit_name_is_valid(const char *name) {
        size_t n = name ? strnlen(name, UNIT_NAME_LENGTH_MAX + 1) : 0, stem;
        const char *at;

        if (n == 0 || n > UNIT_NAME_LENGTH_MAX)
                return false;
        stem = stem_length(name, n);
        if (stem == 0 || name[0] == '@' || name[0] == '.')
                return false;
        if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:-_.\\@") < stem)
                return false;
        at = memchr(name, '@', stem);
        return !at || at + 1 < name + stem;
}
