/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdint.h>
#include <stdlib.h>

#include "generator/base/diag.h"
#include "generator/base/limits.h"
#include "generator/base/str.h"

/* What each front-end target needs: one file in memory, and diagnostics. */
typedef struct FuzzInput {
        Arena *arena;
        Sources sources;
        Diag diag;
        uint32_t file;
} FuzzInput;

static inline void fuzz_open(FuzzInput *in, const uint8_t *data, size_t size) {
        *in = (FuzzInput){ .arena = arena_new(LIMIT_ARENA_BYTES) };
        in->sources = (Sources){ .arena = in->arena };
        in->diag = (Diag){ .arena = in->arena, .sources = &in->sources };
        in->file = (uint32_t) sources_add(&in->sources, "input",
                                          arena_strndup(in->arena, (const char *) data, size), size);
}

/* Every diagnostic is complete, and none of its printed forms can act on a terminal. */
static inline void fuzz_close(FuzzInput *in) {
        char *text = NULL;
        size_t size = 0;
        FILE *f;

        for (size_t i = 0; i < in->diag.n_entries; i++) {
                const DiagEntry *e = in->diag.entries + i;

                if (!e->code || !e->text || e->span.file > in->sources.n_files)
                        abort();
        }
        diag_sort(&in->diag);
        for (DiagFormat format = DIAG_TEXT; format <= DIAG_KMSG; format++) {
                f = open_memstream(&text, &size);
                if (!f)
                        abort();
                diag_print(&in->diag, f, format);
                if (fclose(f) != 0 || !str_is_utf8(text, size))
                        abort();
                for (const char *p = text; format != DIAG_TEXT_COLOR && *p; p++)
                        if ((unsigned char) *p < 0x20 && *p != '\n')
                                abort();
                free(text);
        }
        in->arena = arena_free(in->arena);
}
