/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* The network namespace that an owner and its joiners share lives in a pod, so that it outlives a crash, a
 * restart and an update of the owner. */
static void lower_pod(Lower *l, const Service *owner) {
        PodDraft *pod = l->pods + lower_index(l, owner);
        const char *unit = arena_printf(l->arena, "%s-pod.service", owner->pod);
        UnitWriter w = unit_writer(l->arena, l->diag);

        if (l->engine)
                deps_add(l->arena, &pod->deps, DEP_AFTER, proof_unit_name(l->arena, l->stack, l->engine));
        /* A pod that died and came back would stay empty: BindsTo= has stopped its members, which is no
         * failure of theirs. Clients come back by way of their tunnel. */
        deps_add(l->arena, &pod->deps, DEP_WANTS, owner->unit);
        for (size_t i = 0; i < l->stack->n_services; i++)
                if (l->stack->services[i].owner == owner && !l->stack->services[i].tunnel)
                        deps_add(l->arena, &pod->deps, DEP_WANTS, l->stack->services[i].unit);
        deps_write(&pod->deps, &w);

        const TemplateValue values[] = {
                { TOKEN_NOTE,
                  lower_note(l, owner->span, "Network of service '%s' of stack '%s', which others join",
                             owner->name, l->stack->name) },
                { TOKEN_DESCRIPTION,
                  arena_printf(l->arena, "%s: network of %s", l->stack->name, owner->name) },
                { TOKEN_TARGET, l->target },
                /* Pods and containers share one set of names. */
                { TOKEN_NAME, service_pod_name(l->arena, owner) },
                { TOKEN_UNIT_LINES, unit_writer_text(&w) },
                { TOKEN_LINES, unit_writer_text(&pod->lines) },
        };

        lower_quadlet(l, arena_printf(l->arena, "%s.pod", owner->pod), unit, owner->span,
                      template_fill(l->arena, l->diag, owner->span, &template_pod, values, ELEMENTS(values)));
}

/* What a file for quadlet cannot say. */
static void lower_pod_dropin(Lower *l, const Service *owner) {
        const TemplateValue values[] = {
                { TOKEN_NOTE, lower_note(l, owner->span, "The network of '%s' comes back", owner->name) },
        };

        lower_unit(
                l,
                arena_printf(l->arena, "%s-pod.service.d/50-unitproof-%s.conf", owner->pod, l->stack->name),
                owner->span,
                template_fill(l->arena, l->diag, owner->span, &template_pod_dropin, values,
                              ELEMENTS(values)));
}

void lower_pods(Lower *l) {
        for (size_t i = 0; i < l->stack->n_services; i++)
                if (l->pods[i].used) {
                        lower_pod(l, l->stack->services + i);
                        lower_pod_dropin(l, l->stack->services + i);
                }
}
