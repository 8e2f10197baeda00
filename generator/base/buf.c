/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/buf.h"

#include <stdarg.h>
#include <string.h>

void buf_add_mem(Buf *b, const void *p, size_t n) {
        if (b->capacity <= b->len || b->capacity - b->len <= n)
                b->data = arena_grow(b->arena, b->data, 1, &b->capacity, b->len + n + 1);
        if (n > 0)
                memcpy(b->data + b->len, p, n);
        b->len += n;
        b->data[b->len] = '\0';
}

void buf_add(Buf *b, const char *s) {
        buf_add_mem(b, s, strlen(s));
}

void buf_add_char(Buf *b, char c) {
        if (b->capacity <= b->len || b->capacity - b->len <= 1)
                b->data = arena_grow(b->arena, b->data, 1, &b->capacity, b->len + 2);
        b->data[b->len++] = c;
        b->data[b->len] = '\0';
}

void buf_printf(Buf *b, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        buf_add(b, arena_vprintf(b->arena, format, ap));
        va_end(ap);
}

const char *buf_text(const Buf *b) {
        return b->data ? b->data : "";
}
