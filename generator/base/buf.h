/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "generator/base/arena.h"

/* Growable text in an arena. `data` is always NUL-terminated once something was added. */
typedef struct Buf {
        Arena *arena;
        char *data;
        size_t len, capacity;
} Buf;

#define BUF(a) ((Buf){ .arena = (a) })

void buf_add_mem(Buf *b, const void *p, size_t n);
void buf_add(Buf *b, const char *s);
void buf_add_char(Buf *b, char c);
void buf_printf(Buf *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text so far, "" if there is none. Owned by the arena. */
const char *buf_text(const Buf *b);
