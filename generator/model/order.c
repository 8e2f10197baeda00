/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "generator/model/build.h"

/* One order of all services in which everything comes after what it depends on. It serves twice: as the rank
 * that makes output readable, and to tell who of two services that share a directory creates files and who
 * takes them over. For the second, the likely downloaders are visited first; an importer is then ordered
 * after its downloader without ever closing a circle, and one that the downloader depends on swaps roles with
 * it by itself. */

typedef struct Visit {
        Service *service;
        size_t next; /* dependency to look at */
} Visit;

typedef enum VisitState {
        VISIT_NEW,
        VISIT_OPEN,
        VISIT_DONE,
} VisitState;

typedef struct Order {
        Build *build;
        unsigned char *state; /* VisitState, parallel to the services */
        Visit *stack;         /* explicit: a chain may be as long as the file allows */
        size_t depth, n_done;
} Order;

static unsigned creator_score(const Build *b, const Service *s) {
        unsigned score = 0;

        for (size_t i = 0; i < b->options.n_data; i++)
                if (b->options.data[i].downloader == s)
                        score = 16;
        if (role_downloads(extra_of(b, s)->role))
                score += extra_of(b, s)->role == ROLE_SEEDER ? 8 : 4;
        if (s->tunnel)
                score += 2;
        if (extra_of(b, s)->role != ROLE_READER)
                score += 1;
        return score;
}

static void cycle_report(Order *o, const Service *again) {
        size_t first = o->depth;
        const char *chain = "";
        const Visit *v;

        do
                first--;
        while (o->stack[first].service != again);
        for (size_t i = first; i < o->depth; i++)
                chain = arena_printf(o->build->arena, "%s%s → ", chain, o->stack[i].service->name);
        v = &o->stack[first];
        diag_error(o->build->diag, v->service->depends[v->next - 1].span, "cycle",
                   "these services wait for each other in a circle: %s%s", chain, again->name);
        diag_hint(o->build->diag, "a service also waits for the one whose network it joins");
}

static void push(Order *o, Service *s) {
        o->state[service_index(o->build, s)] = VISIT_OPEN;
        o->stack[o->depth++] = (Visit){ .service = s };
}

/* Gives s its rank, after all that it depends on. False after a cycle. */
static bool visit(Order *o, Service *s) {
        if (o->state[service_index(o->build, s)] != VISIT_NEW)
                return true;
        push(o, s);
        while (o->depth > 0) {
                Visit *v = &o->stack[o->depth - 1];
                Service *next;

                if (v->next == v->service->n_depends) {
                        v->service->rank = o->n_done++;
                        o->state[service_index(o->build, v->service)] = VISIT_DONE;
                        o->depth--;
                        continue;
                }
                next = v->service->depends[v->next++].service;
                switch ((VisitState) o->state[service_index(o->build, next)]) {
                case VISIT_NEW:
                        push(o, next);
                        break;
                case VISIT_OPEN:
                        cycle_report(o, next);
                        return false;
                case VISIT_DONE:
                        break;
                }
        }
        return true;
}

typedef struct Start {
        Service *service;
        unsigned score;
} Start;

static int compare_starts(const void *a, const void *b) {
        const Start *x = a, *y = b;

        if (x->score != y->score)
                return x->score > y->score ? -1 : 1;
        return x->service < y->service ? -1 : x->service > y->service;
}

void order_compute(Build *b) {
        size_t n = b->stack->n_services;
        Start *starts = arena_new_array(b->arena, Start, n);
        Order o = {
                .build = b,
                .state = arena_new_array(b->arena, unsigned char, n),
                .stack = arena_new_array(b->arena, Visit, n),
        };

        for (size_t i = 0; i < n; i++) {
                Service *s = &b->stack->services[i];

                extra_of(b, s)->score = creator_score(b, s);
                starts[i] = (Start){ s, extra_of(b, s)->score };
        }
        qsort(starts, n, sizeof(Start), compare_starts);
        for (size_t i = 0; i < n; i++)
                if (!visit(&o, starts[i].service))
                        return;
}
