/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/model/build.h"

/* Which proofs a stack has, and why, in words that an operator can check against the file. */

typedef struct ProofKindRow {
        const char *name;
        bool pre_start;
        bool repeatable; /* while the service runs, without disturbing it */
} ProofKindRow;

/* clang-format off */
static const ProofKindRow proof_kinds[_PROOF_KIND_MAX] = {
        /*                   name        pre_start repeatable */
        [PROOF_ENGINE] =   { "engine",   true,     false },
        [PROOF_HEALTH] =   { "health",   true,     false },
        [PROOF_KILLSWITCH] = { "killswitch", true, false },
        [PROOF_EGRESS] =   { "egress",   true,     true },
        [PROOF_BINDING] =  { "binding",  false,    true },
        [PROOF_DNS] =      { "dns",      false,    true },
        [PROOF_HARDLINK] = { "hardlink", false,    true },
};
/* clang-format on */

const char *proof_kind_name(ProofKind kind) {
        return kind >= 0 && kind < _PROOF_KIND_MAX ? proof_kinds[kind].name : NULL;
}

bool proof_kind_is_pre_start(ProofKind kind) {
        return kind >= 0 && kind < _PROOF_KIND_MAX && proof_kinds[kind].pre_start;
}

bool proof_kind_is_repeatable(ProofKind kind) {
        return kind >= 0 && kind < _PROOF_KIND_MAX && proof_kinds[kind].repeatable;
}

bool proof_kind_is_of_tunnel(ProofKind kind) {
        return kind == PROOF_EGRESS || kind == PROOF_BINDING || kind == PROOF_DNS;
}

const char *proof_unit_name(Arena *a, const Stack *s, const Proof *p) {
        return arena_printf(a, "%s-proof-%s-%s.service", s->name, proof_kind_name(p->kind), p->subject);
}

const char *proof_drill_name(Arena *a, const Stack *s, const Proof *p) {
        return arena_printf(a, "%s-drill-%s-%s.service", s->name, proof_kind_name(p->kind), p->subject);
}

const char *proof_drill_timer_name(Arena *a, const Stack *s, const Proof *p) {
        return arena_printf(a, "%s-drill-%s-%s.timer", s->name, proof_kind_name(p->kind), p->subject);
}

Proof *proof_add(Build *b, ProofKind kind, Service *service) {
        const ProofOption *o = options_proof(b, service, kind);
        Proof *p;

        b->proofs = arena_grow(b->arena, b->proofs, sizeof(Proof), &b->proofs_capacity, b->n_proofs + 1);
        p = &b->proofs[b->n_proofs++];
        *p = (Proof){
                .kind = kind,
                .subject = service ? service->name : b->stack->name,
                .service = service,
                .off = !o->on,
                .timeout_sec = o->timeout_sec
                                       ?: b->config ? b->config->proof_timeout_sec
                                                    : 0,
                .interface = o->interface,
                .schedule = o->schedule && *o->schedule ? o->schedule : NULL,
        };
        if (p->off)
                p->off_span = o->span;
        return p;
}

static void engine_proof(Build *b) {
        Proof *p = proof_add(b, PROOF_ENGINE, /* service= */ NULL);

        p->why = "every service of the stack runs on the container engine";
        p->span = b->stack->model->span;
}

/* The edge that asks for the health of a service: the first in the order of services. */
static void health_proofs(Build *b) {
        Stack *st = b->stack;
        const Dependency **edges = arena_new_array(b->arena, const Dependency *, st->n_services);
        const Service **waiters = arena_new_array(b->arena, const Service *, st->n_services);

        for (size_t i = 0; i < st->n_services; i++)
                for (size_t j = 0; j < st->services[i].n_depends; j++) {
                        const Dependency *d = &st->services[i].depends[j];
                        size_t k = service_index(b, d->service);

                        if (d->condition != DEPENDS_HEALTHY || edges[k])
                                continue;
                        edges[k] = d;
                        waiters[k] = &st->services[i];
                }
        for (size_t i = 0; i < st->n_services; i++) {
                Proof *p;

                if (!edges[i])
                        continue;
                p = proof_add(b, PROOF_HEALTH, &st->services[i]);
                p->of = p->service;
                p->span = edges[i]->span;
                p->why = arena_printf(
                        b->arena, "%s waits until %s is healthy%s", waiters[i]->name, p->subject,
                        st->services[i].has_healthcheck ? "" : ", by the health check of its image");
        }
}

/* What others await the end of has ended when it counts as started: there is nothing left to look at. */
static bool client_is_gone(Build *b, const Service *s, ProofKind kind) {
        if (!s->completes || proof_kind_is_pre_start(kind) || !options_proof(b, s, kind)->on)
                return false;
        diag_warning(b->diag, s->owner_span, "not-proved",
                     "there is no %s proof of '%s', which has ended when it has started",
                     proof_kind_name(kind), s->name);
        if (s->hooked)
                diag_hint(b->diag,
                          "what is looked at is its network namespace, before its first instruction");
        return true;
}

static void client_proofs(Build *b, ProofKind kind) {
        for (size_t i = 0; i < b->stack->n_services; i++) {
                Service *s = &b->stack->services[i];
                Proof *p;

                if (!s->tunnel)
                        continue;
                s->hooked = options_proof(b, s, PROOF_BINDING)->on;
                if (client_is_gone(b, s, kind))
                        continue;
                p = proof_add(b, kind, s);
                p->of = s->tunnel;
                p->span = s->owner_span;
                p->why = arena_printf(b->arena, "%s joins the network namespace of %s, which %s", s->name,
                                      s->tunnel->name, extra_of(b, s->tunnel)->power);
        }
}

/* One for each tunnel that has clients; the first of them is the reason. */
static void tunnel_proofs(Build *b) {
        Stack *st = b->stack;
        Service **first = arena_new_array(b->arena, Service *, st->n_services + 1);

        for (size_t i = st->n_services; i > 0; i--)
                if (st->services[i - 1].tunnel)
                        first[service_index(b, st->services[i - 1].tunnel)] = &st->services[i - 1];
        for (size_t i = 0; i < st->n_services; i++) {
                Service *s = &st->services[i];
                Proof *p;

                if (!first[i])
                        continue;
                p = proof_add(b, PROOF_KILLSWITCH, s);
                p->of = s;
                p->span = first[i]->owner_span;
                p->interface = p->interface ?: options_proof(b, s, PROOF_EGRESS)->interface;
                p->why = arena_printf(b->arena, "%s joins the network namespace of %s, which %s",
                                      first[i]->name, s->name, extra_of(b, s)->power);
        }
}

/* An option that nothing uses is most likely meant for another service. */
static void warn_unused(Build *b) {
        Stack *st = b->stack;
        bool *used = arena_new_array(b->arena, bool, st->n_services *_PROOF_KIND_MAX);

        for (size_t i = 0; i < b->n_proofs; i++) {
                const Proof *p = &b->proofs[i];

                if (p->service)
                        used[service_index(b, p->service) * _PROOF_KIND_MAX + p->kind] = true;
                if (proof_kind_is_of_tunnel(p->kind))
                        used[service_index(b, p->of) * _PROOF_KIND_MAX + p->kind] = true;
        }
        for (size_t i = 0; i < st->n_services; i++)
                for (int kind = 0; kind < _PROOF_KIND_MAX; kind++) {
                        const ProofOption *o = &b->options.services[i].proofs[kind];

                        if (o->set && !used[i * _PROOF_KIND_MAX + (size_t) kind])
                                diag_warning(b->diag, o->span, "unused-option",
                                             "'%s' has no %s proof that this could be about",
                                             st->services[i].name, proof_kind_name((ProofKind) kind));
                }
}

static bool schedule_is_used(const Build *b, const ProofOption *o) {
        for (size_t i = 0; i < b->n_proofs; i++)
                if (b->proofs[i].schedule == o->schedule && !b->proofs[i].off)
                        return true;
        return false;
}

/* A drill that never comes would not be missed. */
static void warn_unscheduled(Build *b, const ProofOption *o) {
        if (!o->schedule || !*o->schedule || schedule_is_used(b, o))
                return;
        diag_warning(
                b->diag, o->schedule_span, "unused-option",
                "no drill runs by this schedule: there is no killswitch proof that is on and goes by it");
        diag_hint(b->diag, "remove it; or see which service is taken for a tunnel, with 'unitproof graph'");
}

/* In the order of kinds, and within a kind of services: that is how the result is sorted. */
void proofs_build(Build *b) {
        if (b->stack->n_services > 0)
                engine_proof(b);
        health_proofs(b);
        tunnel_proofs(b);
        client_proofs(b, PROOF_EGRESS);
        client_proofs(b, PROOF_BINDING);
        client_proofs(b, PROOF_DNS);
        hardlinks_infer(b);
        warn_unused(b);
        warn_unscheduled(b, &b->options.proofs[PROOF_KILLSWITCH]);
        for (size_t i = 0; i < b->stack->n_services; i++)
                if (b->stack->services[i].is_tunnel)
                        warn_unscheduled(b, &b->options.services[i].proofs[PROOF_KILLSWITCH]);
        b->stack->proofs = b->proofs;
        b->stack->n_proofs = b->n_proofs;
}
