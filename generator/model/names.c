/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/limits.h"
#include "generator/base/unit-name.h"
#include "generator/model/build.h"

/* Names: what a service is called as a unit and as a container, and that no two things of the stack come to
 * share a name. */

/* What engines take as a name may stand in a unit name unescaped. */
static void check_stack_name(Build *b) {
        const Stack *s = b->stack;

        if (!engine_name_is_valid(s->name)) {
                diag_error(b->diag, s->model->span, "unit-name", "'%s' cannot be the name of a stack",
                           s->name);
                diag_hint(b->diag, "rename the directory: letters, digits, '_', '.' and '-', the first a "
                                   "letter or digit");
                return;
        }
        if (unit_stem_is_reserved(s->name)) {
                diag_error(b->diag, s->model->span, "unit-name",
                           "a stack named '%s' would take the place of one of systemd's own units", s->name);
                diag_hint(b->diag, "rename the directory");
        }
}

static void claim_container(Build *b, Service *s, Span span) {
        Service *other = map_get(&b->by_container, s->container);

        if (!other) {
                map_set(b->arena, &b->by_container, s->container, s);
                return;
        }
        diag_error(b->diag, span, "container-name",
                   "services '%s' and '%s'%s would both run as container '%s'", s->name, other->name,
                   other_position(b, other->span), s->container);
        diag_hint(b->diag, "give one of them another container_name");
}

void names_assign(Build *b) {
        Stack *st = b->stack;

        check_stack_name(b);
        for (size_t i = 0; i < st->n_services; i++) {
                Service *s = &st->services[i];
                const Node *name = node_get(s->node, "container_name");

                s->unit = arena_printf(b->arena, "%s-%s.service", st->name, s->name);
                s->container = arena_printf(b->arena, "%s-%s", st->name, s->name);
                if (!engine_name_is_valid(s->name)) {
                        diag_error(b->diag, s->span, "unit-name",
                                   "service name '%s' cannot be part of a unit name", s->name);
                        diag_hint(b->diag,
                                  "use letters, digits, '_', '.' and '-', the first a letter or digit");
                }
                if (node_is_scalar(name)) {
                        s->container = name->text;
                        if (!engine_name_is_valid(name->text))
                                diag_error(b->diag, name->span, "container-name",
                                           "'%s' is no name that a container can have", name->text);
                }
                claim_container(b, s, node_is_scalar(name) ? name->span : s->span);
        }
}

typedef struct Claim {
        Span span;
        const char *what;
} Claim;

typedef struct Claims {
        Build *build;
        Map by_unit;
} Claims;

static void claim(Claims *c, const char *unit, Span span, const char *what) {
        Build *b = c->build;
        Claim *other = map_get(&c->by_unit, unit), *own;

        if (strlen(unit) > UNIT_NAME_LENGTH_MAX_REQUIRES) {
                diag_error(b->diag, span, "unit-name",
                           "the unit name of %s would have %zu characters, and %d are the most", what,
                           strlen(unit), UNIT_NAME_LENGTH_MAX_REQUIRES);
                diag_hint(b->diag, "shorten the name of the stack or of the service");
                return;
        }
        if (other) {
                diag_error(b->diag, span, "unit-name", "%s and %s%s would both be the unit %s", what,
                           other->what, other_position(b, other->span), unit);
                diag_hint(b->diag, "rename the service");
                return;
        }
        own = arena_new_object(b->arena, Claim);
        *own = (Claim){ .span = span, .what = what };
        map_set(b->arena, &c->by_unit, unit, own);
}

/* Networks or volumes that this stack makes itself. */
static void claim_section(Claims *c, const char *section, const char *suffix) {
        const Node *mapping = node_get(c->build->stack->model, section);
        Arena *a = c->build->arena;

        for (size_t i = 0; mapping && mapping->kind == NODE_MAPPING && i < mapping->n; i++) {
                const NodePair *pair = &mapping->pairs[i];

                if (node_get_bool(pair->value, "external", /* fallback= */ false))
                        continue;
                claim(c, arena_printf(a, "%s-%s-%s.service", c->build->stack->name, pair->key->text, suffix),
                      pair->key->span, arena_printf(a, "%s '%s'", suffix, pair->key->text));
        }
}

static void claim_services(Claims *c) {
        const Stack *st = c->build->stack;
        Arena *a = c->build->arena;

        for (size_t i = 0; i < st->n_services; i++) {
                const Service *s = &st->services[i];

                claim(c, s->unit, s->span, arena_printf(a, "service '%s'", s->name));
                if (!node_is_null(node_get(s->node, "build")))
                        claim(c, arena_printf(a, "%s-%s-build.service", st->name, s->name), s->span,
                              arena_printf(a, "the image of '%s'", s->name));
                if (s->is_owner)
                        claim(c, arena_printf(a, "%s-pod.service", s->pod), s->span,
                              arena_printf(a, "the pod of '%s'", s->name));
                if (s->tunnel)
                        claim(c, arena_printf(a, "%s-return-%s.service", st->name, s->name), s->span,
                              arena_printf(a, "the return of client '%s'", s->name));
        }
}

/* Podman keeps the names of pods and of containers in one place, and the pod is called like its unit. */
static void check_pod_names(Build *b) {
        for (size_t i = 0; i < b->stack->n_services; i++) {
                const Service *s = &b->stack->services[i], *other;

                if (!s->is_owner)
                        continue;
                other = map_get(&b->by_container, service_pod_name(b->arena, s));
                if (!other)
                        continue;
                diag_error(b->diag, other->span, "container-name",
                           "service '%s' would run as container '%s', and the pod of '%s'%s has that name",
                           other->name, other->container, s->name, other_position(b, s->span));
                diag_hint(b->diag, "give it another container_name");
        }
}

const char *service_pod_name(Arena *a, const Service *s) {
        return arena_printf(a, "%s-pod", s->pod);
}

/* Two units whose containers share a name would end each other's, since each removes what it finds under it.
 * The later stack gives way, as it does for the name of a unit. */
static void check_host(Build *b, const char *name, Span span, const char *what, const char *hint) {
        const Config *c = b->config;
        const ContainerName *other = c && c->find_name ? c->find_name(c->userdata, name) : NULL;

        if (!other)
                return;
        diag_error(b->diag, span, "container-name",
                   "%s would be called '%s' in Podman, as that of %s of the stack '%s' is: each would remove "
                   "the "
                   "other's",
                   what, name, other->unit, other->stack);
        diag_hint(b->diag, "%s", hint);
}

static void check_other_stacks(Build *b) {
        for (size_t i = 0; i < b->stack->n_services; i++) {
                const Service *s = &b->stack->services[i];
                const Node *given = node_get(s->node, "container_name");

                check_host(b, s->container, node_is_scalar(given) ? given->span : s->span,
                           arena_printf(b->arena, "the container of '%s'", s->name),
                           node_is_scalar(given) ? "give one of them another container_name"
                                                 : "rename the service, or give one of them another "
                                                   "container_name");
                if (s->is_owner)
                        check_host(b, service_pod_name(b->arena, s), s->span,
                                   arena_printf(b->arena, "the pod of '%s'", s->name),
                                   "rename the service, or give the other another container_name");
        }
}

/* After the proofs stand. The stack's own units come first, so that the blame falls on what can be renamed.
 */
void names_check(Build *b) {
        Claims c = { .build = b };
        const Stack *st = b->stack;

        claim(&c, arena_printf(b->arena, "%s.target", st->name), st->model->span, "the stack");
        claim(&c, arena_printf(b->arena, "%s-halt.service", st->name), (Span){ 0 }, "the halt of the stack");
        for (size_t i = 0; i < st->n_proofs; i++)
                if (proof_kind_is_pre_start(st->proofs[i].kind))
                        claim(&c, proof_unit_name(b->arena, st, &st->proofs[i]), st->proofs[i].span,
                              arena_printf(b->arena, "the %s proof of '%s'",
                                           proof_kind_name(st->proofs[i].kind), st->proofs[i].subject));
        for (size_t i = 0; i < st->n_proofs; i++)
                if (st->proofs[i].kind == PROOF_KILLSWITCH)
                        claim(&c, proof_drill_name(b->arena, st, &st->proofs[i]), st->proofs[i].span,
                              arena_printf(b->arena, "the drill of '%s'", st->proofs[i].subject));
        for (size_t i = 0; i < st->n_proofs; i++)
                if (st->proofs[i].schedule)
                        claim(&c, proof_drill_timer_name(b->arena, st, &st->proofs[i]), st->proofs[i].span,
                              arena_printf(b->arena, "the schedule of the drill of '%s'",
                                           st->proofs[i].subject));
        for (size_t i = 0; i < st->n_mount_points; i++)
                claim(&c,
                      arena_printf(b->arena, "%s-%s-%s.service", st->name,
                                   st->mount_points[i].path ? "mounted" : "joined", st->mount_points[i].stem),
                      st->mount_points[i].span,
                      arena_printf(b->arena, "the return of what stands on %s",
                                   st->mount_points[i].path ?: st->mount_points[i].unit));
        claim_section(&c, "networks", "network");
        claim_section(&c, "volumes", "volume");
        claim_services(&c);
        check_pod_names(b);
        check_other_stacks(b);
}
