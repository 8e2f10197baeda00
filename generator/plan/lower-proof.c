/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* Proofs that come before their subject starts, as units of their own. Oneshot without RemainAfterExit=: it
 * would remember a proof across restarts; no Condition*= and no "-": both turn "could not be shown" into
 * success. */

enum { MARGIN_SEC = 15 };

typedef struct KindRow {
        const char *title;
        unsigned timeout_sec;
        void (*depend)(Lower *l, const Proof *p, Deps *deps, UnitWriter *w); /* and what runs before it */
} KindRow;

static void depend_engine(Lower *l, const Proof *p, Deps *deps, UnitWriter *w) {
        (void) l;
        (void) p;
        (void) deps;
        (void) w;
}

static void depend_health(Lower *l, const Proof *p, Deps *deps, UnitWriter *w) {
        const char *secrets = lower_secrets(l, p->service);

        (void) w;
        if (secrets[0])
                lower_private(l, lower_secrets_name(l, p->service), p->span, 0600, secrets);
        /* A client that the operator has stopped is not started by somebody's question whether it is healthy.
         */
        deps_add(l->arena, deps, p->service->tunnel ? DEP_REQUISITE : DEP_BINDS_TO, p->service->unit);
        deps_add(l->arena, deps, DEP_AFTER, p->service->unit);
}

/* A proof that was killed in the middle has left things closed: this gives them back. */
static void write_restore(Lower *l, const Proof *p, UnitWriter *w) {
        const char *const words[] = {
                PROGRAM_NETNS,   "restore",
                "--stack",       l->stack->name,
                "--subject",     p->subject,
                "--unit",        arena_printf(l->arena, "%s-pod.service", p->service->pod),
                "--tunnel-unit", p->service->unit,
                "--engine",      "podman",
        };

        unit_words(w, "ExecStopPost", ESCAPE_ARGV, words, ELEMENTS(words));
}

static void depend_killswitch(Lower *l, const Proof *p, Deps *deps, UnitWriter *w) {
        const Proof *health = lower_find_proof(l, PROOF_HEALTH, p->of);

        deps_add(l->arena, deps, DEP_BINDS_TO, p->of->unit);
        deps_add(l->arena, deps, DEP_AFTER, p->of->unit);
        if (health)
                deps_add(l->arena, deps, DEP_AFTER, proof_unit_name(l->arena, l->stack, health));
        deps_add(l->arena, deps, DEP_ON_FAILURE, arena_printf(l->arena, "%s-halt.service", l->stack->name));
        write_restore(l, p, w);
}

static void depend_egress(Lower *l, const Proof *p, Deps *deps, UnitWriter *w) {
        const Stack *st = l->stack;
        const Proof *health = lower_find_proof(l, PROOF_HEALTH, p->of);

        (void) w;
        deps_add(l->arena, deps, DEP_BINDS_TO, p->of->unit);
        deps_add(l->arena, deps, DEP_AFTER, p->of->unit);
        /* Not after the kill-switch proof, which mostly has been brought long ago: the program waits for it
         * (0017). */
        if (health)
                /* Before the tunnel is healthy there is nothing to measure. */
                deps_add(l->arena, deps, DEP_AFTER, proof_unit_name(l->arena, st, health));
        deps_add(l->arena, deps, DEP_ON_FAILURE, arena_printf(l->arena, "%s-halt.service", st->name));
}

static const KindRow kinds[_PROOF_KIND_MAX] = {
        [PROOF_ENGINE] = { "the engine works", 120, depend_engine },
        [PROOF_HEALTH] = { "health", 300, depend_health },
        [PROOF_KILLSWITCH] = { "kill switch", 60, depend_killswitch },
        [PROOF_EGRESS] = { "egress", 180, depend_egress },
};

unsigned lower_patience(const Proof *p) {
        return (p->timeout_sec ?: kinds[p->kind].timeout_sec) + MARGIN_SEC;
}

typedef struct Check {
        unsigned interval, timeout, start, retries;
} Check;

/* As the file says, else as the engine does it. */
static Check check_read(const Service *s) {
        const Node *check = node_get(s->node, "healthcheck");
        Check c = { .interval = 30, .timeout = 30, .start = 0, .retries = 3 };
        const char *text;

        if ((text = node_get_text(check, "interval")))
                (void) value_seconds(text, &c.interval);
        if ((text = node_get_text(check, "timeout")))
                (void) value_seconds(text, &c.timeout);
        if ((text = node_get_text(check, "start_period")))
                (void) value_seconds(text, &c.start);
        if ((text = node_get_text(check, "retries")))
                c.retries = (unsigned) strtoul(text, NULL, 10);
        c.interval = c.interval ?: 30;
        c.timeout = c.timeout ?: 30;
        return c;
}

unsigned lower_health_age(const Service *s) {
        Check c = check_read(s);

        return c.interval + c.timeout;
}

/* What the file's own health check may take until its verdict. */
static unsigned health_patience(const Proof *p) {
        Check c = check_read(p->service);
        unsigned all = c.start + (c.retries > 1000 ? 1000 : c.retries) * (c.interval + c.timeout) + 60;

        return all > kinds[PROOF_HEALTH].timeout_sec ? all : kinds[PROOF_HEALTH].timeout_sec;
}

/* drill: by an operator's word, whoever is interrupted. */
static void lower_proof(Lower *l, const Proof *p, bool drill) {
        const KindRow *kind = kinds + p->kind;
        const char *unit =
                drill ? proof_drill_name(l->arena, l->stack, p) : proof_unit_name(l->arena, l->stack, p);
        UnitWriter lines = unit_writer(l->arena, l->diag), service = unit_writer(l->arena, l->diag);
        unsigned margin = MARGIN_SEC;
        unsigned timeout = p->timeout_sec ?: p->kind == PROOF_HEALTH ? health_patience(p) : kind->timeout_sec;
        const Proof *awaited = p->kind == PROOF_EGRESS ? lower_find_proof(l, PROOF_KILLSWITCH, p->of) : NULL;
        Deps deps = { 0 };
        Words words = { 0 };

        if (awaited)
                margin += lower_patience(awaited);
        service.span = lines.span = p->span;
        kind->depend(l, p, &deps, &service);
        lower_prove_words(l, p, timeout, &words);
        if (drill)
                words_add(l->arena, &words, "--disrupt");
        else
                plan_add_proof(l->plan, (PlanProof){ p, words_copy(l->arena, &words), words.n });
        unit_words(&service, "ExecStart", ESCAPE_ARGV, words.items, words.n);
        deps_write(&deps, &lines);

        const TemplateValue values[] = {
                { TOKEN_NOTE, lower_note(l, p->span, drill ? "Drill: %s" : "Proof: %s", p->why) },
                { TOKEN_DESCRIPTION,
                  p->service ? arena_printf(l->arena, "%s: %s of %s, %s", l->stack->name,
                                            drill ? "drill" : "proof", p->subject, kind->title)
                             : arena_printf(l->arena, "%s: proof that %s", l->stack->name, kind->title) },
                { TOKEN_SOURCE, l->stack->source },
                { TOKEN_TARGET, l->target },
                /* The program ends in time by itself and says why; this is for when it cannot. */
                { TOKEN_TIMEOUT, arena_printf(l->arena, "%u", timeout + margin) },
                { TOKEN_UNIT_LINES, unit_writer_text(&lines) },
                { TOKEN_SERVICE_LINES, unit_writer_text(&service) },
        };

        lower_unit(
                l, unit, p->span,
                template_fill(l->arena, l->diag, p->span, &template_proof_service, values, ELEMENTS(values)));
}

static void lower_schedule(Lower *l, const Proof *p) {
        const TemplateValue values[] = {
                { TOKEN_NOTE, lower_note(l, p->span, "When the drill runs: %s", p->why) },
                { TOKEN_DESCRIPTION,
                  arena_printf(l->arena, "%s: schedule of the drill of %s", l->stack->name, p->subject) },
                { TOKEN_SOURCE, l->stack->source },
                { TOKEN_TARGET, l->target },
                { TOKEN_TUNNEL_UNIT, p->of->unit },
                { TOKEN_SCHEDULE, p->schedule },
        };

        lower_unit(
                l, proof_drill_timer_name(l->arena, l->stack, p), p->span,
                template_fill(l->arena, l->diag, p->span, &template_drill_timer, values, ELEMENTS(values)));
}

void lower_proofs(Lower *l) {
        for (size_t i = 0; i < l->stack->n_proofs; i++) {
                const Proof *p = l->stack->proofs + i;

                if (p->off || !proof_kind_is_pre_start(p->kind))
                        continue;
                lower_proof(l, p, /* drill= */ false);
                if (p->kind == PROOF_KILLSWITCH)
                        lower_proof(l, p, /* drill= */ true);
                if (p->schedule)
                        lower_schedule(l, p);
        }
}
