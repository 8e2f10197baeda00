/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Scope-bound handles. A variable that is marked CLEANUP(x) is released when its scope ends, so that
 * no error path has to remember it. */

#include <dirent.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CLEANUP(function) __attribute__((cleanup(function)))
#define ARRAY_LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static inline void handle_close(int *fd) {
        if (*fd >= 0)
                (void) close(*fd);
        *fd = -1;
}

static inline void handle_free(void *pointer) {
        free(*(void **) pointer);
}

static inline void handle_fclose(FILE **file) {
        if (*file)
                (void) fclose(*file);
}

static inline void handle_closedir(DIR **dir) {
        if (*dir)
                (void) closedir(*dir);
}

static inline void handle_json(json_t **json) {
        json_decref(*json);
}

/* Hands the value of a scope-bound variable to somebody else. */
static inline int handle_take_fd(int *fd) {
        int taken = *fd;

        *fd = -1;
        return taken;
}

#define handle_take(pointer)                                                                                 \
        ({                                                                                                   \
                __typeof__(pointer) *_slot = &(pointer);                                                     \
                __typeof__(pointer) _taken = *_slot;                                                         \
                *_slot = NULL;                                                                               \
                _taken;                                                                                      \
        })
