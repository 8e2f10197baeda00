/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/base/diag.h"
#include "generator/model/stack.h"

/* Host-wide settings: /etc/unitproof/unitproof.conf, then unitproof.conf.d/ in the order of the names,
 * unitproof.conf(5). A later file's single value replaces an earlier one; lists grow, and an empty value
 * empties them, as in systemd's own files. */

#define CONFIG_DIR "/etc/unitproof"

typedef struct ConfigKey {
        const char *section, *name;
        const char *meaning;
} ConfigKey;

/* Every key there is, in the order of the manual page. */
extern const ConfigKey config_keys[];
extern const size_t config_n_keys;

/* Reads one file into c, which holds what earlier files said. Mistakes go to diag; the rest of the file still
 * counts. */
void config_parse(Arena *a, Diag *d, const Sources *s, uint32_t file, Config *c);

/* Both places of the host (or of the host below root). Files that do not exist are no mistake. Errors are in
 * diag; what could be read is in *ret all the same, so that one bad line does not take the rest along. */
void config_load(Arena *a, Diag *d, Sources *s, const char *root, Config *ret);

/* The stacks of a host: sorted names of the directories in CONFIG_DIR, valid or not, without
 * unitproof.conf.d. The array ends with NULL. 0 or a negative errno; a host without CONFIG_DIR has none. */
int config_list_stacks(Arena *a, const char *root, const char ***ret_names, size_t *ret_n);

/* What a stack may be called: it becomes the first part of unit and container names, so a lower-case letter
 * or digit first, then those and
 * "-", "_"; at most 64 bytes; "unitproof" and "unitproof-…" are ours. Returns NULL or what is wrong, as the
 * end of the sentence "'Foo' cannot be the name of a stack: …". */
const char *config_stack_name_problem(const char *name);
