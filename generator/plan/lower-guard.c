/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* The kill rule (decision 0012): the tunnel loads it before anything of it runs. Whether it is still there is
 * looked at before each start of a client, by the client's egress proof if there is one. */

bool lower_is_guarded(const Service *tunnel) {
        return tunnel && tunnel->guard && !tunnel->guard->off;
}

static void begin(Draft *d, const Service *tunnel, const char *verb) {
        UnitWriter *w = &d->gate;
        const char *const words[] = {
                PROGRAM_NETNS,   verb,
                "--unit",        arena_printf(d->lower->arena, "%s-pod.service", tunnel->pod),
                "--tunnel-unit", tunnel->unit,
                "--engine",      "podman",
        };

        unit_begin(w, "ExecStartPre");
        for (size_t i = 0; i < ELEMENTS(words); i++)
                unit_word(w, ESCAPE_ARGV, words[i]);
}

static void option(Draft *d, const char *name, const char *value) {
        unit_word(&d->gate, ESCAPE_ARGV, name);
        unit_word(&d->gate, ESCAPE_ARGV, value);
}

void lower_guard_load(Draft *d) {
        const Guard *g = d->service->guard;
        Lower *l = d->lower;

        if (!g)
                return;
        d->gate.span = g->span;
        if (g->off) {
                unit_comment(&d->gate, arena_printf(l->arena, "The kill rule is switched off at %s",
                                                    diag_origin(l->diag, l->arena, g->span)));
                return;
        }
        for (size_t i = 0; i < g->n_allow; i++)
                unit_comment(&d->gate, arena_printf(l->arena, "Clients may reach %s beside the tunnel: %s",
                                                    g->allow[i].subnet, g->allow[i].why));
        begin(d, d->service, "guard");
        for (size_t i = 0; i < g->n_interfaces; i++)
                option(d, "--interface", g->interfaces[i]);
        for (size_t i = 0; i < g->n_allow; i++)
                option(d, "--allow", g->allow[i].subnet);
        unit_end(&d->gate);
}

void lower_guard_check(Draft *d) {
        const Service *tunnel = d->service->tunnel;

        /* The egress proof has just looked for it. */
        if (!lower_is_guarded(tunnel) || lower_find_proof(d->lower, PROOF_EGRESS, d->service))
                return;
        d->gate.span = tunnel->guard->span;
        begin(d, tunnel, "guarded");
        unit_end(&d->gate);
}
