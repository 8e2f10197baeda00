/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "generator/base/buf.h"
#include "generator/base/diag.h"
#include "generator/base/limits.h"
#include "generator/front/node.h"

/* One arena, in-memory files and collected diagnostics for each test. */
typedef struct Fixture {
        Arena *arena;
        Sources sources;
        Diag diag;
} Fixture;

static inline int fixture_setup(void **state) {
        static Fixture f;

        f = (Fixture){ .arena = arena_new(LIMIT_ARENA_BYTES) };
        f.sources = (Sources){ .arena = f.arena };
        f.diag = (Diag){ .arena = f.arena, .sources = &f.sources };
        *state = &f;
        return 0;
}

static inline int fixture_teardown(void **state) {
        Fixture *f = *state;

        f->arena = arena_free(f->arena);
        return 0;
}

/* A new file and an empty list of diagnostics, for the next row of a table. */
static inline uint32_t fixture_file_n(Fixture *f, const char *bytes, size_t length) {
        f->diag = (Diag){ .arena = f->arena, .sources = &f->sources };
        return (uint32_t) sources_add(&f->sources, "file", arena_strndup(f->arena, bytes, length), length);
}

static inline uint32_t fixture_file(Fixture *f, const char *bytes) {
        return fixture_file_n(f, bytes, strlen(bytes));
}

static inline void fixture_print(const Fixture *f, const char *input) {
        fprintf(stderr, "--- input: %.200s\n", input);
        diag_print(&f->diag, stderr, DIAG_TEXT);
}

/* Exactly one error, there, with that code. */
static inline void assert_error(const Fixture *f, const char *input, uint32_t line, uint32_t column,
                                const char *code) {
        const DiagEntry *e = f->diag.entries;

        if (f->diag.n_entries != 1 || e->level != DIAG_ERROR || e->span.line != line ||
            e->span.column != column || strcmp(e->code, code) != 0) {
                fixture_print(f, input);
                fail_msg("expected one error %u:%u [%s]", line, column, code);
        }
}

static inline void assert_clean(const Fixture *f, const char *input) {
        if (f->diag.n_entries > 0) {
                fixture_print(f, input);
                fail_msg("expected no diagnostic");
        }
}

/* A tree in one line: {a: [1, "1", 1.5, true, null]}; "!r" and "!o" stand for the merge tags. */
static inline void fixture_dump(Buf *b, const Node *n) {
        bool mapping = n->kind == NODE_MAPPING;

        buf_add(b, n->tag == NODE_TAG_RESET ? "!r " : n->tag == NODE_TAG_OVERRIDE ? "!o " : "");
        switch (n->kind) {
        case NODE_NULL:
                buf_add(b, "null");
                break;
        case NODE_BOOL:
        case NODE_INT:
        case NODE_FLOAT:
                buf_printf(b, "%s%s", n->kind == NODE_FLOAT ? "f" : "", n->text);
                break;
        case NODE_STRING:
                buf_printf(b, "\"%s\"", n->text);
                break;
        case NODE_SEQUENCE:
        case NODE_MAPPING:
                buf_add(b, mapping ? "{" : "[");
                for (size_t i = 0; i < n->n; i++) {
                        buf_add(b, i > 0 ? ", " : "");
                        if (mapping)
                                buf_printf(b, "%s: ", n->pairs[i].key->text);
                        fixture_dump(b, mapping ? n->pairs[i].value : n->items[i]);
                }
                buf_add(b, mapping ? "}" : "]");
                break;
        case _NODE_KIND_MAX:
                fail();
        }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_setup, fixture_teardown)
