/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/plan/plan.h"

#include <stdlib.h>

#include "generator/base/str.h"

void plan_add(Plan *p, PlanItem item) {
        p->items = arena_grow(p->arena, p->items, sizeof(*p->items), &p->capacity, p->n_items + 1);
        p->items[p->n_items++] = item;
}

void plan_expect(Plan *p, PlanExpected expected) {
        p->expected = arena_grow(p->arena, p->expected, sizeof(*p->expected), &p->expected_capacity,
                                 p->n_expected + 1);
        p->expected[p->n_expected++] = expected;
}

void plan_add_proof(Plan *p, PlanProof proof) {
        p->proofs = arena_grow(p->arena, p->proofs, sizeof(*p->proofs), &p->proofs_capacity, p->n_proofs + 1);
        p->proofs[p->n_proofs++] = proof;
}

void plan_add_activation(Plan *p, const char *target, Span origin) {
        const PlanItem item = {
                .phase = PLAN_ACTIVATE,
                .path = arena_printf(p->arena, "multi-user.target.wants/%s", target),
                .target = arena_printf(p->arena, "../%s", target),
                .origin = origin,
        };

        plan_add(p, item);
}

static int compare_items(const void *a, const void *b) {
        const PlanItem *x = a, *y = b;

        if (x->phase != y->phase)
                return x->phase < y->phase ? -1 : 1;
        return strcmp(x->path, y->path);
}

static int compare_expected(const void *a, const void *b) {
        const PlanExpected *x = a, *y = b;

        return strcmp(x->unit, y->unit);
}

void plan_sort(Plan *p) {
        if (p->n_items > 0)
                qsort(p->items, p->n_items, sizeof(*p->items), compare_items);
        if (p->n_expected > 0)
                qsort(p->expected, p->n_expected, sizeof(*p->expected), compare_expected);
}

const PlanProof *plan_find_proof(const Plan *p, const Proof *proof) {
        for (size_t i = 0; i < p->n_proofs; i++)
                if (p->proofs[i].proof == proof)
                        return p->proofs + i;
        return NULL;
}

const PlanItem *plan_find(const Plan *p, const char *path) {
        for (size_t i = 0; i < p->n_items; i++)
                if (str_equal(p->items[i].path, path))
                        return p->items + i;
        return NULL;
}
