/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/model/build.h"

/* Who waits for whom, and for what. */

static const char *const condition_names[_DEPENDS_MAX] = {
        [DEPENDS_STARTED] = "service_started",
        [DEPENDS_HEALTHY] = "service_healthy",
        [DEPENDS_COMPLETED] = "service_completed_successfully",
};

static void health_read(Service *s) {
        const Node *healthcheck = node_get(s->node, "healthcheck"), *test = node_get(healthcheck, "test");
        const Node *first = test && test->kind == NODE_SEQUENCE && test->n > 0 ? test->items[0] : test;

        s->healthcheck_disabled = node_get_bool(healthcheck, "disable", /* fallback= */ false) ||
                                  (node_is_scalar(first) && str_equal(first->text, "NONE"));
        s->has_healthcheck = !s->healthcheck_disabled && node_is_scalar(first);
}

static bool condition_read(Build *b, const Node *condition, DependencyCondition *ret_condition) {
        const char *near;

        if (!condition) {
                *ret_condition = DEPENDS_STARTED;
                return true;
        }
        for (int i = 0; i < _DEPENDS_MAX && node_is_scalar(condition); i++)
                if (str_equal(condition->text, condition_names[i])) {
                        *ret_condition = (DependencyCondition) i;
                        return true;
                }
        diag_error(b->diag, condition->span, "wrong-value", "'condition' has to be %s, %s or %s",
                   condition_names[0], condition_names[1], condition_names[2]);
        near = node_is_scalar(condition) ? str_nearest(condition->text, condition_names, _DEPENDS_MAX) : NULL;
        if (near)
                diag_hint(b->diag, "did you mean '%s'?", near);
        return false;
}

static void dependency_read(Build *b, Service *s, const Node *key, const Node *value) {
        const Node *condition = node_get(value, "condition");
        Dependency d = {
                .required = node_get_bool(value, "required", /* fallback= */ true),
                .restart = node_get_bool(value, "restart", /* fallback= */ false),
                .span = condition ? condition->span : key->span,
        };

        if (!condition_read(b, condition, &d.condition))
                return;
        /* What is not required may be left out by a profile. */
        if (!d.required && !map_get(&b->by_name, key->text))
                return;
        d.service = service_by_name(b, key->text, key->span, "unknown-service",
                                    arena_printf(b->arena, "depends_on of '%s'", s->name));
        if (!d.service)
                return;
        for (size_t i = 0; i < s->n_depends; i++)
                if (s->depends[i].service == d.service)
                        return;
        s->depends[s->n_depends++] = d;
}

static bool span_equal(Span a, Span b) {
        return a.file == b.file && a.line == b.line && a.column == b.column;
}

/* A joiner cannot be without its owner. Compose adds the same edge, and so the model may have it already, at
 * the place of network_mode: what counts for the note is what the operator wrote. */
static void owner_add(Build *b, Service *s) {
        bool named = false, written = false;

        for (size_t i = 0; i < s->n_depends; i++)
                if (s->depends[i].service == s->owner) {
                        named = true;
                        written = !span_equal(s->depends[i].span, s->owner_span);
                }
        if (!named)
                s->depends[s->n_depends++] = (Dependency){
                        .service = s->owner,
                        .condition = DEPENDS_STARTED,
                        .restart = true,
                        .required = true,
                        .span = s->owner_span,
                };
        if (!written && s->tunnel)
                diag_note(b->diag, s->owner_span, "depends-added",
                          "'%s' joins the tunnel '%s' without naming it under depends_on; it is made to wait "
                          "for it all the same",
                          s->name, s->owner->name);
}

static void service_depends(Build *b, Service *s) {
        const Node *depends = node_get(s->node, "depends_on");
        size_t n = depends && depends->kind != NODE_NULL && !node_is_scalar(depends) ? depends->n : 0;

        s->depends = arena_new_array(b->arena, Dependency, n + 1);
        for (size_t i = 0; i < n; i++)
                if (depends->kind == NODE_MAPPING)
                        dependency_read(b, s, depends->pairs[i].key, depends->pairs[i].value);
                else if (node_is_scalar(depends->items[i]))
                        dependency_read(b, s, depends->items[i], /* value= */ NULL);
        if (s->owner)
                owner_add(b, s);
}

/* What an edge asks of the service that it leads to. */
static void edge_apply(Build *b, const Service *s, const Dependency *d) {
        if (d->condition == DEPENDS_COMPLETED)
                d->service->completes = true;
        if (d->condition != DEPENDS_HEALTHY || !d->service->healthcheck_disabled)
                return;
        diag_error(b->diag, d->span, "health-disabled",
                   "'%s' waits until '%s' is healthy, and the health check of '%s' is switched off%s",
                   s->name, d->service->name, d->service->name,
                   other_position(b, node_get(d->service->node, "healthcheck")->span));
        diag_hint(b->diag, "give '%s' a health check, or wait with 'condition: service_started'",
                  d->service->name);
}

/* Starting such a service is running it to its end (Type=oneshot), for everybody who waits for it in whatever
 * way: its own health, and a tunnel that it may be, can be looked at by nobody then. */
static void completed_check(Build *b, const Service *s, const Dependency *d, const Dependency *end,
                            const Service *ender) {
        const Service *other = d->service;
        const char *both;

        if (d->condition == DEPENDS_COMPLETED)
                return;
        both = arena_printf(b->arena, "'%s' waits until it has completed%s", ender->name,
                            other_position(b, end->span));
        if (s->tunnel == other) {
                diag_error(b->diag, s->owner_span, "completed-tunnel",
                           "'%s' joins the tunnel '%s', which has ended before '%s' could start: %s", s->name,
                           other->name, s->name, both);
                diag_hint(b->diag, "have '%s' wait for '%s' with service_healthy or service_started",
                          ender->name, other->name);
        } else if (d->condition == DEPENDS_HEALTHY && options_proof(b, other, PROOF_HEALTH)->on) {
                diag_error(b->diag, d->span, "completed-and-healthy",
                           "'%s' waits until '%s' is healthy, which cannot be seen once it has ended: %s",
                           s->name, other->name, both);
                diag_hint(b->diag,
                          "have '%s' wait with service_completed_successfully as well, or make two services "
                          "of '%s': one that ends and one that goes on",
                          s->name, other->name);
        } else {
                diag_warning(b->diag, d->span, "different",
                             "'%s' starts when '%s' has ended, not when it has started: %s", s->name,
                             other->name, both);
                diag_hint(b->diag,
                          "have '%s' wait with service_completed_successfully as well, or make two "
                          "services of '%s': one that ends and one that goes on",
                          s->name, other->name);
        }
}

static void completed_check_all(Build *b) {
        Stack *st = b->stack;
        const Dependency **ends = arena_new_array(b->arena, const Dependency *, st->n_services);
        const Service **enders = arena_new_array(b->arena, const Service *, st->n_services);

        for (size_t i = st->n_services; i > 0; i--) {
                const Service *s = &st->services[i - 1];

                for (size_t j = 0; j < s->n_depends; j++)
                        if (s->depends[j].condition == DEPENDS_COMPLETED) {
                                ends[service_index(b, s->depends[j].service)] = &s->depends[j];
                                enders[service_index(b, s->depends[j].service)] = s;
                        }
        }
        for (size_t i = 0; i < st->n_services; i++)
                for (size_t j = 0; j < st->services[i].n_depends; j++) {
                        const Dependency *d = &st->services[i].depends[j];
                        size_t k = service_index(b, d->service);

                        if (ends[k])
                                completed_check(b, &st->services[i], d, ends[k], enders[k]);
                }
}

void depends_read(Build *b) {
        Stack *st = b->stack;

        for (size_t i = 0; i < st->n_services; i++)
                health_read(&st->services[i]);
        for (size_t i = 0; i < st->n_services; i++) {
                Service *s = &st->services[i];

                service_depends(b, s);
                for (size_t j = 0; j < s->n_depends; j++)
                        edge_apply(b, s, &s->depends[j]);
        }
        completed_check_all(b);
}
