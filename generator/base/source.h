/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "generator/base/arena.h"

/* Where a value stands. Lines and columns count from 1, columns in characters as editors show them;
 * line 0 means "the file as a whole"; file 0 means "nowhere" (a value that no file holds). */
typedef struct Span {
        uint32_t file; /* index into Sources, plus 1 */
        uint32_t line, column;
        uint32_t length; /* characters to underline, 0 if unknown */
} Span;

typedef struct SourceFile {
        const char *path;  /* as the operator knows it; relative paths stay relative */
        const char *bytes; /* kept for showing the line of a diagnostic; NUL-terminated */
        size_t length;
} SourceFile;

/* How the compiler reads files: the only way in which it touches the world, so that a compile is a
 * function of what the reader returns. Returns 0 or a negative errno: -ENOENT, -ENOLINK (a link that
 * leads to nothing), -EACCES, -EFBIG (more than LIMIT_FILE_BYTES), -EISDIR, -EINVAL (something else that
 * is no regular file)…; diag_unreadable() has words for each. The bytes belong to the arena and are
 * NUL-terminated. */
typedef int (*SourceReader)(void *userdata, Arena *arena, const char *path, char **ret_bytes,
                            size_t *ret_length);

typedef struct Sources {
        Arena *arena;
        SourceReader read;
        void *userdata;
        const char *root; /* what a message puts in front of absolute paths, so that whoever reads it can open
                             them; NULL or "": nothing */
        SourceFile *files;
        size_t n_files, capacity;
} Sources;

/* Reads a path (each path once: a second call returns the first's index) and returns the file
 * number (>= 1) or a negative errno. -E2BIG when LIMIT_FILES is reached. */
int sources_open(Sources *s, const char *path);
/* Registers bytes under a name without reading. With bytes NULL it only gives a name that
 * diagnostics can point to, for a file that could not be read; sources_open() does not take such an
 * entry as read. */
int sources_add(Sources *s, const char *path, const char *bytes, size_t length);
const SourceFile *sources_get(const Sources *s, uint32_t file);
/* A path of a file that is read, as messages show it. */
const char *sources_shown(const Sources *s, Arena *a, const char *path);
/* Where the text begins: behind a byte order mark, which is no character of line 1. */
const char *source_text(const SourceFile *f);

/* The reader of real files: userdata is a root directory ("" or NULL for /), below which every
 * absolute path is resolved without leaving it (openat2 RESOLVE_IN_ROOT). Bounded, O_NONBLOCK,
 * regular files only. */
int source_read_file(void *userdata, Arena *arena, const char *path, char **ret_bytes, size_t *ret_length);
/* What a descriptor gives to its end: a pipe that somebody writes the file into. As bounded. */
int source_read_fd(int fd, Arena *arena, char **ret_bytes, size_t *ret_length);
