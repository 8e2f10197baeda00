/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "generator/base/arena.h"

/* Directories of the host, or of a host that lies below another directory. `root` is that directory; NULL or
 * "" is the running host. Below a root, absolute paths and links are resolved without leaving it (openat2(2),
 * RESOLVE_IN_ROOT). */

/* An O_CLOEXEC descriptor or a negative errno. */
int root_open(const char *root, const char *path, int flags);

typedef enum RootEntry {
        ROOT_DIRECTORIES, /* links to directories too */
        ROOT_FILES,       /* regular files, links to them too */
} RootEntry;

enum {
        LIMIT_DIRECTORY_ENTRIES = 4096, /* names of one directory that are looked at */
};

/* Names of one kind in a directory, without those that begin with a dot, sorted by bytes. The array ends with
 * NULL. Links that lead nowhere are among them. Returns 0 or a negative errno (-ENOENT, -ENOLINK if the directory
 * is such a link, -E2BIG beyond LIMIT_DIRECTORY_ENTRIES…). */
int root_list(Arena *a, const char *root, const char *path, RootEntry kind, const char ***ret_names,
              size_t *ret_n);

/* strerror() of what root_list() returned, in words that fit what it means here. */
const char *root_list_error(int error);

/* A regular file that its owner may execute. Asks for the mode, not for our own rights: the answer is the
 * same for everybody. */
bool root_is_program(const char *root, const char *path);
