/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_POISON 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ARENA_POISON 1
#endif

/* Without this, a chunk would hide from the address sanitizer every overflow between its blocks. */
#ifdef ARENA_POISON
#include <sanitizer/asan_interface.h>
#define RED_ZONE (_Alignof(max_align_t))
#define poison(p, n) ASAN_POISON_MEMORY_REGION((p), (n))
#define unpoison(p, n) ASAN_UNPOISON_MEMORY_REGION((p), (n))
#else
#define RED_ZONE 0u
#define poison(p, n) ((void) 0)
#define unpoison(p, n) ((void) 0)
#endif

/* Each chunk is twice as large as the last. From HUGE_PAGE on they are mapped and aligned for huge pages: of
 * a large input most of the time would otherwise go into page faults. */
#define CHUNK_SIZE_MIN (256u * 1024u)
#define CHUNK_SIZE_MAX (8u * 1024u * 1024u)
#define HUGE_PAGE (2u * 1024u * 1024u)
#define ALIGNMENT (_Alignof(max_align_t))

typedef struct Chunk {
        struct Chunk *next;
        size_t used, size;
        void *mapping; /* NULL: it is from calloc() */
        size_t mapping_size;
        max_align_t data[];
} Chunk;

struct Arena {
        Chunk *head;
        size_t used, limit, chunk_size;
};

static _Noreturn void arena_exhausted(const Arena *a) {
        static const char text[] = "unitproof: out of memory, or the input expands beyond the limit\n";

        (void) a;
        (void) !write(STDERR_FILENO, text, sizeof text - 1);
        _exit(EXIT_FAILURE);
}

Arena *arena_new(size_t limit) {
        Arena *a = calloc(1, sizeof *a);

        if (!a)
                arena_exhausted(NULL);
        a->limit = limit;
        a->chunk_size = CHUNK_SIZE_MIN;
        return a;
}

Arena *arena_free(Arena *a) {
        if (!a)
                return NULL;
        for (Chunk *c = a->head, *next; c; c = next) {
                next = c->next;
                unpoison(c->data, c->size);
                if (c->mapping)
                        (void) munmap(c->mapping, c->mapping_size);
                else
                        free(c);
        }
        free(a);
        return NULL;
}

size_t arena_used(const Arena *a) {
        return a->used;
}

/* Zero bytes, aligned to a huge page. */
static Chunk *chunk_map(size_t size) {
        size_t mapping_size = size + HUGE_PAGE;
        void *mapping = mmap(NULL, mapping_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        Chunk *c;

        if (mapping == MAP_FAILED)
                return NULL;
        c = (Chunk *) (((uintptr_t) mapping + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE);
        (void) madvise(c, size, MADV_HUGEPAGE); /* without them it is only slower */
        c->mapping = mapping;
        c->mapping_size = mapping_size;
        return c;
}

/* What is left of the limit, if that is less. */
static size_t chunk_size_next(Arena *a, size_t size) {
        size_t left = a->limit - a->used, want = a->chunk_size;

        if (size > want / 4)
                return size;
        if (a->chunk_size < CHUNK_SIZE_MAX)
                a->chunk_size *= 2;
        return want < left || left < size ? want : left;
}

static Chunk *arena_add_chunk(Arena *a, size_t size) {
        size_t want = chunk_size_next(a, size), total;
        Chunk *c;

        if (want > a->limit - a->used)
                arena_exhausted(a);
        total = sizeof *c + want;
        c = total >= HUGE_PAGE ? chunk_map(total) : calloc(1, total);
        if (!c)
                arena_exhausted(a);
        c->size = want;
        a->used += want;
        poison(c->data, want);

        /* A block of its own goes behind the head, so that the head's free space stays in use. */
        if (want == size && a->head) {
                c->next = a->head->next;
                a->head->next = c;
        } else {
                c->next = a->head;
                a->head = c;
        }
        return c;
}

void *arena_alloc(Arena *a, size_t size) {
        Chunk *c = a->head;
        size_t room;
        void *p;

        if (size > SIZE_MAX - 2 * ALIGNMENT)
                arena_exhausted(a);
        room = (size + RED_ZONE + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        if (!c || c->size - c->used < room)
                c = arena_add_chunk(a, room);
        p = (char *) c->data + c->used;
        c->used += room;
        unpoison(p, size);
        return p;
}

void *arena_alloc_array(Arena *a, size_t size, size_t n) {
        size_t total;

        if (__builtin_mul_overflow(size, n, &total))
                arena_exhausted(a);
        return arena_alloc(a, total);
}

void *arena_grow(Arena *a, void *array, size_t size, size_t *capacity, size_t need) {
        size_t cap = *capacity;
        void *grown;

        if (need <= cap)
                return array;
        cap = cap ? cap * 2 : 8;
        if (cap < need)
                cap = need;
        grown = arena_alloc_array(a, size, cap);
        if (array)
                memcpy(grown, array, *capacity * size);
        *capacity = cap;
        return grown;
}

char *arena_strndup(Arena *a, const char *s, size_t n) {
        char *copy = arena_alloc(a, n + 1);

        if (n > 0)
                memcpy(copy, s, n);
        return copy;
}

char *arena_strdup(Arena *a, const char *s) {
        return arena_strndup(a, s, strlen(s));
}

char *arena_vprintf(Arena *a, const char *format, va_list ap) {
        char small[256];
        va_list again;
        char *s;
        int n;

        va_copy(again, ap);
        n = vsnprintf(small, sizeof small, format, again);
        va_end(again);
        if (n < 0)
                arena_exhausted(a);
        if ((size_t) n < sizeof small)
                return arena_strndup(a, small, (size_t) n);
        s = arena_alloc(a, (size_t) n + 1);
        (void) vsnprintf(s, (size_t) n + 1, format, ap);
        return s;
}

char *arena_printf(Arena *a, const char *format, ...) {
        va_list ap;
        char *s;

        va_start(ap, format);
        s = arena_vprintf(a, format, ap);
        va_end(ap);
        return s;
}
