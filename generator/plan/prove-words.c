/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/plan/lower.h"

/* The command line of each proof, in one place: the unit of a proof, the service that it is a part of and the
 * unit that proves anew what runs all use it. */

typedef struct ProveRow {
        void (*add)(Lower *l, const Proof *p, unsigned timeout_sec, Words *w);
} ProveRow;

void words_add(Arena *a, Words *w, const char *word) {
        w->items = arena_grow(a, w->items, sizeof(char *), &w->capacity, w->n + 1);
        w->items[w->n++] = word;
}

static void option(Lower *l, Words *w, const char *flag, const char *value) {
        words_add(l->arena, w, flag);
        words_add(l->arena, w, value);
}

static void add_engine(Lower *l, const Proof *p, unsigned timeout_sec, Words *w) {
        (void) p;
        (void) timeout_sec;
        option(l, w, "--engine", "podman");
}

static void add_health(Lower *l, const Proof *p, unsigned timeout_sec, Words *w) {
        option(l, w, "--unit", p->service->unit);
        option(l, w, "--engine", "podman");
        option(l, w, "--container", p->service->container);
        option(l, w, "--timeout", arena_printf(l->arena, "%u", timeout_sec));
}

static void add_egress(Lower *l, const Proof *p, unsigned timeout_sec, Words *w) {
        const Stack *st = l->stack;

        option(l, w, "--unit", p->of->unit);
        option(l, w, "--engine", "podman");
        for (size_t i = 0; i < st->n_echo; i++)
                option(l, w, "--echo", st->echo[i]);
        for (size_t i = 0; i < st->n_stun; i++)
                option(l, w, "--stun", st->stun[i]);
        if (p->interface)
                option(l, w, "--interface", p->interface);
        if (p->timeout_sec)
                option(l, w, "--retry-for", arena_printf(l->arena, "%u", timeout_sec));
}

static void add_binding(Lower *l, const Proof *p, unsigned timeout_sec, Words *w) {
        (void) timeout_sec;
        option(l, w, "--unit", p->service->unit);
        option(l, w, "--tunnel-unit", p->of->unit);
        option(l, w, "--engine", "podman");
        if (!lower_find_proof(l, PROOF_EGRESS, p->service))
                words_add(l->arena, w, "--without-egress");
}

static void add_hardlink(Lower *l, const Proof *p, unsigned timeout_sec, Words *w) {
        (void) timeout_sec;
        option(l, w, "--unit", p->service->unit);
        option(l, w, "--source-unit", p->of->unit);
        option(l, w, "--engine", "podman");
        option(l, w, "--source", p->source_dir);
        option(l, w, "--link-from", p->link_from);
        for (size_t i = 0; i < p->n_link_to; i++)
                option(l, w, "--link-to", p->link_to[i]);
}

static const ProveRow rows[_PROOF_KIND_MAX] = {
        [PROOF_ENGINE] = { add_engine },     [PROOF_HEALTH] = { add_health },
        [PROOF_EGRESS] = { add_egress },     [PROOF_BINDING] = { add_binding },
        [PROOF_HARDLINK] = { add_hardlink },
};

void lower_prove_words(Lower *l, const Proof *p, unsigned timeout_sec, Words *ret) {
        words_add(l->arena, ret, PROGRAM_PROVE);
        words_add(l->arena, ret, proof_kind_name(p->kind));
        option(l, ret, "--stack", l->stack->name);
        option(l, ret, "--subject", p->subject);
        rows[p->kind].add(l, p, timeout_sec, ret);
}
