/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A directory that a test fills and that is gone afterwards. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static inline int tree_remove_entry(const char *path, const struct stat *st, int type, struct FTW *where) {
        (void) st;
        (void) type;
        (void) where;
        return remove(path);
}

static inline void tree_done(const char *root) {
        (void) nftw(root, tree_remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Into a buffer of the caller: "/tmp/unitproof-test.XXXXXX". */
static inline char *tree_new(char buffer[64]) {
        strcpy(buffer, "/tmp/unitproof-test.XXXXXX");
        if (!mkdtemp(buffer))
                abort();
        return buffer;
}

static inline void tree_path(char *ret, size_t size, const char *root, const char *path) {
        if ((size_t) snprintf(ret, size, "%s/%s", root, path) >= size)
                abort();
}

/* All directories above path. */
static inline void tree_make_parents(const char *root, const char *path) {
        char full[512];

        for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
                if ((size_t) snprintf(full, sizeof(full), "%s/%.*s", root, (int) (slash - path), path) >=
                    sizeof(full))
                        abort();
                if (mkdir(full, 0755) < 0 && errno != EEXIST)
                        abort();
        }
}

static inline void tree_write_mode(const char *root, const char *path, const char *text, mode_t mode) {
        char full[512];
        FILE *f;

        tree_make_parents(root, path);
        tree_path(full, sizeof(full), root, path);
        f = fopen(full, "we");
        if (!f || fputs(text, f) < 0 || fclose(f) != 0 || chmod(full, mode) < 0)
                abort();
}

static inline void tree_write(const char *root, const char *path, const char *text) {
        tree_write_mode(root, path, text, 0644);
}

static inline void tree_link(const char *root, const char *path, const char *target) {
        char full[512];

        tree_make_parents(root, path);
        tree_path(full, sizeof(full), root, path);
        if (symlink(target, full) < 0)
                abort();
}

static inline int tree_exists(const char *root, const char *path) {
        char full[512];
        struct stat st;

        tree_path(full, sizeof(full), root, path);
        return lstat(full, &st) == 0;
}

/* The whole text of a small file; NULL if it is not there. Freed by the caller. */
static inline char *tree_read(const char *root, const char *path) {
        char full[512], *text = calloc(1, 65536);
        FILE *f;

        tree_path(full, sizeof(full), root, path);
        f = fopen(full, "re");
        if (!f || !text) {
                free(text);
                return NULL;
        }
        (void) !fread(text, 1, 65535, f);
        (void) fclose(f);
        return text;
}
