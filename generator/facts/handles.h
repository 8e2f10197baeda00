/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Variables that are released when their scope ends. For what the kernel or libc owns; compile data lives in
 * the arena. */
static inline void close_fdp(int *fd) {
        if (*fd >= 0)
                (void) close(*fd);
        *fd = -1;
}

static inline void close_dirp(DIR **d) {
        if (*d)
                (void) closedir(*d);
        *d = NULL;
}

static inline void close_filep(FILE **f) {
        if (*f)
                (void) fclose(*f);
        *f = NULL;
}

static inline void free_memoryp(void *p) {
        free(*(void **) p);
}

/* Hands the descriptor to somebody else. */
static inline int take_fd(int *fd) {
        int taken = *fd;

        *fd = -1;
        return taken;
}

#define _cleanup_close_ __attribute__((cleanup(close_fdp)))
#define _cleanup_closedir_ __attribute__((cleanup(close_dirp)))
#define _cleanup_fclose_ __attribute__((cleanup(close_filep)))
#define _cleanup_free_ __attribute__((cleanup(free_memoryp)))
