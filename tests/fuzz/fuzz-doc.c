/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/front/doc.h"
#include "generator/front/scalar.h"
#include "tests/fuzz/fuzz-front.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A tree that was given out keeps all that node.h promises. */
static size_t check_node(FuzzInput *in, const Node *n, size_t depth) {
        size_t count = 1;

        if (depth > LIMIT_DEPTH || n->span.file != in->file)
                abort();
        switch (n->kind) {
        case NODE_SEQUENCE:
                for (size_t i = 0; i < n->n; i++)
                        count += check_node(in, n->items[i], depth + 1);
                break;
        case NODE_MAPPING:
                for (size_t i = 0; i < n->n; i++) {
                        const Node *key = n->pairs[i].key;

                        if (!node_is_scalar(key) ||
                            (n->n <= 64 && node_get(n, key->text) != n->pairs[i].value))
                                abort(); /* no scalar, or there twice */
                        count += 1 + check_node(in, n->pairs[i].value, depth + 1);
                }
                break;
        case NODE_NULL:
        case NODE_BOOL:
        case NODE_INT:
        case NODE_FLOAT:
        case NODE_STRING:
                if (!n->text || !str_is_utf8(n->text, strlen(n->text)) ||
                    strlen(n->text) > LIMIT_SCALAR_BYTES || !scalar_canonical(in->arena, n))
                        abort();
                break;
        case _NODE_KIND_MAX:
                abort();
        }
        return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        FuzzInput in;
        const Node *n;

        fuzz_open(&in, data, size);
        n = doc_parse(in.arena, &in.diag, &in.sources, in.file);
        if ((n == NULL) != (in.diag.n_errors > 0))
                abort();
        if (n && check_node(&in, n, 0) > LIMIT_NODES)
                abort();
        if (n && size < 4096 && !node_equal(n, node_copy(in.arena, n)))
                abort();
        fuzz_close(&in);
        return 0;
}
