/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/base/diag.h"
#include "generator/base/limits.h"

/* One arena with sources that hold what a test puts there. */
typedef struct Case {
        Arena *arena;
        Sources sources;
        Diag diag;
} Case;

static inline void case_begin(Case *c) {
        c->arena = arena_new(LIMIT_ARENA_BYTES);
        c->sources = (Sources){ .arena = c->arena, .read = source_read_file };
        c->diag = (Diag){ .arena = c->arena, .sources = &c->sources };
}

static inline void case_end(Case *c) {
        c->arena = arena_free(c->arena);
}

static inline uint32_t case_file(Case *c, const char *path, const char *text) {
        return (uint32_t) sources_add(&c->sources, path, text, strlen(text));
}

/* "line:column code" of an entry, or "" if there is none. */
static inline const char *case_diag(const Case *c, size_t i) {
        const DiagEntry *e = c->diag.entries + i;

        return i < c->diag.n_entries
                       ? arena_printf(c->arena, "%u:%u %s", e->span.line, e->span.column, e->code)
                       : "";
}
