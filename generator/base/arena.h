/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdarg.h>
#include <stddef.h>

#include "generator/base/array.h"

/* Everything that lives as long as one compile (nodes, model, plan, diagnostics, strings) is
 * allocated here and freed in one go; nothing in it is freed alone. Kernel and library handles
 * never live here.
 *
 * A limit (bytes) makes hostile input end in an error instead of exhausting the host at boot: when
 * it is reached, or memory is out, the process says so and exits with EXIT_FAILURE. Nothing has
 * been written by then: commit allocates nothing after its first byte. */
typedef struct Arena Arena;

Arena *arena_new(size_t limit);
Arena *arena_free(Arena *a);
size_t arena_used(const Arena *a);

/* Zeroed, aligned for any type. Never NULL. */
void *arena_alloc(Arena *a, size_t size);
#define arena_new_object(a, type) ((type *) arena_alloc((a), sizeof(type)))
#define arena_new_array(a, type, n) ((type *) arena_alloc_array((a), sizeof(type), (n)))
void *arena_alloc_array(Arena *a, size_t size, size_t n);

/* Grows an array that was allocated here: returns room for at least `need` elements, capacity
 * doubled; *capacity is updated. The old block is abandoned to the arena. */
void *arena_grow(Arena *a, void *array, size_t size, size_t *capacity, size_t need);

char *arena_strdup(Arena *a, const char *s);
char *arena_strndup(Arena *a, const char *s, size_t n);
char *arena_printf(Arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *a, const char *format, va_list ap) __attribute__((format(printf, 2, 0)));

static inline void arena_freep(Arena **a) {
        *a = arena_free(*a);
}
#define _cleanup_arena_ __attribute__((cleanup(arena_freep)))
