/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* Who starts after whom, who falls with whom, and what has to be proved first.
 *
 * Requires= alone fails open when a proof's unit is missing, masked or skipped: so whoever needs a proof also
 * asks the gate, which reads the record. And Requires= hands a stop on: a tunnel that crashes stops its
 * clients, and through them and their proofs everybody who requires one, whom nothing would start again. So
 * only clients, which have a return unit, require their proofs; for all others the gate is what holds them
 * back, and their Restart= what tries again. */

typedef struct Gate {
        const char **words;
        size_t n, capacity;
} Gate;

static void gate_add(Draft *d, Gate *g, const char *kind, const char *subject, const char *unit) {
        Arena *a = d->lower->arena;

        g->words = arena_grow(a, g->words, sizeof(char *), &g->capacity, g->n + 1);
        g->words[g->n++] = arena_printf(a, "%s:%s:%s", kind, subject, unit);
}

static void require(Draft *d, Gate *g, const Proof *p) {
        Lower *l = d->lower;
        const char *unit = proof_unit_name(l->arena, l->stack, p);
        bool of_tunnel = d->service->tunnel && (p->of == d->service->tunnel || p->kind == PROOF_ENGINE);

        deps_add(l->arena, &d->deps, of_tunnel ? DEP_REQUIRES : DEP_WANTS, unit);
        deps_add(l->arena, &d->deps, DEP_AFTER, unit);
        gate_add(d, g, proof_kind_name(p->kind), p->subject, p->of ? p->of->unit : "");
}

/* A restart of a dependent must not undo an operator's stop of a client: the target and its return unit are
 * who starts one. */
static void want(Draft *d, const Service *other) {
        if (!other->tunnel)
                deps_add(d->lower->arena, &d->deps, DEP_WANTS, other->unit);
}

/* service_started asks that it was started: a job that has come to a good end by then is fine. Not so what is
 * to be there while this one runs: a network and its tunnel, a container whose parts are used, what a proof
 * looks at, what is restarted whenever it ends; and what others await the end of stays active anyway. */
static bool may_be_done(const Draft *d, const Service *other) {
        size_t i = lower_index(d->lower, other);

        return !other->pod && !other->foreign && !other->completes && !map_get(&d->uses, other->name) &&
               !d->lower->looked_at[i] && !lower_is_kept_up(other);
}

/* What the gate asks of it itself; the health of a service has a proof. */
static const char *condition_word(const Draft *d, const Dependency *dep) {
        switch (dep->condition) {
        case DEPENDS_STARTED:
                return may_be_done(d, dep->service) ? "ran" : "started";
        case DEPENDS_COMPLETED:
                return "completed";
        case DEPENDS_HEALTHY:
        case _DEPENDS_MAX:
                break;
        }
        return NULL;
}

bool lower_follows(const Service *s, const Dependency *dep) {
        return dep->restart && !dep->service->pod && dep->service != s->tunnel && dep->service != s->owner;
}

static void ground_word(Lower *l, const char *option, const char *unit, Words *words) {
        words_add(l->arena, words, option);
        words_add(l->arena, words, unit);
}

void lower_ground_words(Lower *l, const Service *s, Ground ground, Words *words) {
        for (size_t i = 0; i < s->n_stands_on; i++)
                ground_word(l, "--mount-unit", s->stands_on[i]->unit, words);
        for (size_t i = 0; i < s->n_depends; i++)
                if (lower_follows(s, s->depends + i) && (ground == GROUND_STOPS || s->depends[i].required))
                        ground_word(l, "--follows", s->depends[i].service->unit, words);
}

/* A client that stops with what it follows comes back when that does. */
static void want_followers(Draft *d) {
        Lower *l = d->lower;

        for (size_t i = 0; l->followed[lower_index(l, d->service)] && i < l->stack->n_services; i++) {
                const Service *s = l->stack->services + i;

                for (size_t j = 0; s->tunnel && j < s->n_depends; j++)
                        if (s->depends[j].service == d->service && lower_follows(s, s->depends + j))
                                deps_add(l->arena, &d->deps, DEP_WANTS, lower_return_unit(l, s));
        }
}

/* Wanted and waited for; what it must have come to is the gate's question. A client's BindsTo= on its tunnel
 * says more already, and members of a pod come and go with it. */
static void depend_on_unit(Draft *d, Gate *g, const Dependency *dep) {
        const char *word = condition_word(d, dep);
        Lower *l = d->lower;
        const Service *other = dep->service;
        bool own_pod = other == d->service->owner;

        deps_add(l->arena, &d->deps, DEP_AFTER, other->unit);
        if (other == d->service->tunnel)
                return;
        if (own_pod)
                deps_add(l->arena, &d->deps, DEP_REQUIRES, other->unit);
        else
                want(d, other);
        if (dep->required && word)
                gate_add(d, g, word, other->name, other->unit);
        if (lower_follows(d->service, dep))
                deps_add(l->arena, &d->deps, DEP_PART_OF, other->unit);
        /* Whose namespaces are joined is bound to already. */
        else if (dep->restart && !own_pod && !deps_name(&d->deps, DEP_BINDS_TO, other->unit))
                diag_note(l->diag, dep->span, "different",
                          "a restart of '%s' does not restart '%s': it shares a network, and its stops are "
                          "not passed on",
                          other->name, d->service->name);
}

static void depend_on(Draft *d, Gate *g, const Dependency *dep) {
        Lower *l = d->lower;
        const Proof *health =
                dep->condition == DEPENDS_HEALTHY ? lower_find_proof(l, PROOF_HEALTH, dep->service) : NULL;

        depend_on_unit(d, g, dep);
        if (health && dep->required)
                require(d, g, health);
        else if (health) {
                const char *unit = proof_unit_name(l->arena, l->stack, health);

                deps_add(l->arena, &d->deps, DEP_WANTS, unit);
                deps_add(l->arena, &d->deps, DEP_AFTER, unit);
        }
}

static void write_gate(Draft *d, const Gate *g) {
        UnitWriter *w = &d->gate;

        unit_begin(w, "ExecStartPre");
        unit_word(w, ESCAPE_ARGV, PROGRAM_GATE);
        unit_word(w, ESCAPE_ARGV, "start");
        unit_word(w, ESCAPE_ARGV, "--stack");
        unit_word(w, ESCAPE_ARGV, d->lower->stack->name);
        unit_word(w, ESCAPE_ARGV, "--subject");
        unit_word(w, ESCAPE_ARGV, d->service->name);
        for (size_t i = 0; i < g->n; i++) {
                unit_word(w, ESCAPE_ARGV, "--require");
                unit_word(w, ESCAPE_ARGV, g->words[i]);
        }
        unit_end(w);
}

/* ---- clients and tunnels ---- */

/* The OCI hook looks at the client's namespace before its first instruction (decision 0003). */
static void write_hook(Draft *d) {
        Lower *l = d->lower;
        const Service *s = d->service;
        const struct {
                const char *name, *value;
        } annotations[] = {
                { "stack", l->stack->name },
                { "subject", s->name },
                { "tunnel-unit", s->tunnel->unit },
                { "egress", lower_find_proof(l, PROOF_EGRESS, s) ? "on" : "off" },
                { "guard", lower_is_guarded(s->tunnel) ? "on" : "off" },
        };

        if (!s->hooked)
                return;
        d->container.span = s->owner_span;
        for (size_t i = 0; i < ELEMENTS(annotations); i++)
                unit_linef(&d->container, "Annotation", ESCAPE_QUADLET_KEYVAL, "org.unitproof.%s=%s",
                           annotations[i].name, annotations[i].value);
        unit_line(&d->container, "GlobalArgs", ESCAPE_QUADLET_ARGV, "--hooks-dir=" HOOKS_DIR);
}

/* Whether it was stopped by hand is asked for who is brought back by itself. */
static void write_stopped(Draft *d) {
        Lower *l = d->lower;
        const Service *s = d->service;
        const char *const stopped[] = {
                "-" PROGRAM_GATE, "stopped", "--stack", l->stack->name,
                "--subject",      s->name,   "--unit",  s->unit,
        };
        Words words = { 0 };

        for (size_t i = 0; i < ELEMENTS(stopped); i++)
                words_add(l->arena, &words, stopped[i]);
        if (s->tunnel) {
                words_add(l->arena, &words, "--tunnel-unit");
                words_add(l->arena, &words, s->tunnel->unit);
        }
        words_add(l->arena, &words, "--target");
        words_add(l->arena, &words, l->target);
        lower_ground_words(l, s, GROUND_STOPS, &words);
        unit_words(&d->proofs, "ExecStopPost", ESCAPE_ARGV, words.items, words.n);
}

static void write_client(Draft *d) {
        Lower *l = d->lower;
        const Service *s = d->service;

        deps_add(l->arena, &d->deps, DEP_BINDS_TO, s->tunnel->unit);
        deps_add(l->arena, &d->deps, DEP_AFTER, s->tunnel->unit);
        /* From the first moment of a start there is something that can note a stop. */
        deps_add(l->arena, &d->deps, DEP_WANTS, lower_return_unit(l, s));
        write_hook(d);
        lower_guard_check(d);
        deps_add(l->arena, &d->deps, DEP_ON_FAILURE,
                 arena_printf(l->arena, "%s-halt.service", l->stack->name));
        write_stopped(d);
}

/* Each activation of the tunnel, by whatever cause, brings its clients back. A killed predecessor has left
 * its routing rules and links in the namespace, at which its successor would fail (decision 0001). */
static void write_tunnel(Draft *d) {
        Lower *l = d->lower;
        const char *const sweep[] = {
                PROGRAM_NETNS, "sweep",  "--unit", arena_printf(l->arena, "%s-pod.service", d->service->pod),
                "--engine",    "podman",
        };

        unit_words(&d->gate, "ExecStartPre", ESCAPE_ARGV, sweep, ELEMENTS(sweep));
        lower_guard_load(d);

        for (size_t i = 0; i < l->stack->n_services; i++) {
                const Service *s = l->stack->services + i;

                if (s->tunnel == d->service)
                        deps_add(l->arena, &d->deps, DEP_WANTS, lower_return_unit(l, s));
        }
}

/* ---- proofs of the running service ---- */

static void write_proof(Draft *d, const Proof *p) {
        const Proof *dns = lower_find_proof(d->lower, PROOF_DNS, d->service);
        Words words = { 0 };

        if (p->of != d->service->tunnel)
                want(d, p->of);
        lower_prove_words(d->lower, p, /* timeout_sec= */ 0, &words);
        plan_add_proof(d->lower->plan, (PlanProof){ p, words_copy(d->lower->arena, &words), words.n });
        if (p->kind == PROOF_DNS && lower_find_proof(d->lower, PROOF_BINDING, d->service))
                return; /* the binding proof brings it along */
        d->proofs.span = p->span;
        unit_comment(&d->proofs, p->why);
        if (p->kind == PROOF_BINDING && dns)
                lower_prove_and_dns(d->lower, dns, &words);
        unit_words(&d->proofs, "ExecStartPost", ESCAPE_ARGV, words.items, words.n);
}

static void write_post_start(Draft *d) {
        Lower *l = d->lower;

        for (const Proof *p = l->first_proof[lower_index(l, d->service)]; p;
             p = l->next_proof[p - l->stack->proofs])
                if (!proof_kind_is_pre_start(p->kind))
                        write_proof(d, p);
}

void draft_depend(Draft *d) {
        Lower *l = d->lower;
        const Service *s = d->service;
        const Proof *egress = lower_find_proof(l, PROOF_EGRESS, s);
        const Proof *killswitch = s->tunnel ? lower_find_proof(l, PROOF_KILLSWITCH, s->tunnel) : NULL;
        const Proof *scheduled = s->is_tunnel ? lower_find_proof(l, PROOF_KILLSWITCH, s) : NULL;
        Gate gate = { 0 };

        d->gate.span = d->proofs.span = s->span;
        for (size_t i = 0; i < s->n_depends; i++)
                depend_on(d, &gate, s->depends + i);
        for (size_t i = 0; i < s->n_order_after; i++)
                deps_add(l->arena, &d->deps, DEP_AFTER, s->order_after[i]->unit);
        if (killswitch)
                require(d, &gate, killswitch);
        if (egress)
                require(d, &gate, egress);
        /* Clients stand on their tunnel, and need no round trip of their own at each start. */
        if (l->engine && s->is_tunnel)
                require(d, &gate, l->engine);
        else if (l->engine)
                deps_add(l->arena, &d->deps, DEP_AFTER, proof_unit_name(l->arena, l->stack, l->engine));
        if (gate.n > 0)
                write_gate(d, &gate);
        write_post_start(d);
        if (lower_is_reproved(l, s))
                deps_add(l->arena, &d->deps, DEP_WANTS, lower_reprove_timer(l));
        if (scheduled && scheduled->schedule)
                deps_add(l->arena, &d->deps, DEP_WANTS,
                         proof_drill_timer_name(l->arena, l->stack, scheduled));
        if (lower_is_watched(l, s))
                deps_add(l->arena, &d->deps, DEP_WANTS, lower_changed_tunnel_path(l, s));
        want_followers(d);
        draft_stand(d);
        if (s->n_stands_on > 0 && !s->tunnel)
                write_stopped(d);
        if (s->tunnel)
                write_client(d);
        if (s->is_tunnel)
                write_tunnel(d);
}
