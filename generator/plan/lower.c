/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/plan/lower.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "generator/base/str.h"

/* A stack becomes files: this file knows the order, the others know one kind of file each. */

void deps_add(Arena *a, Deps *d, DepKind kind, const char *unit) {
        d->kinds[kind].names = arena_grow(a, d->kinds[kind].names, sizeof(char *), &d->kinds[kind].capacity,
                                          d->kinds[kind].n + 1);
        d->kinds[kind].names[d->kinds[kind].n++] = unit;
}

static int compare_names(const void *a, const void *b) {
        return strcmp(*(const char *const *) a, *(const char *const *) b);
}

bool deps_name(const Deps *d, DepKind kind, const char *unit) {
        for (size_t i = 0; i < d->kinds[kind].n; i++)
                if (str_equal(d->kinds[kind].names[i], unit))
                        return true;
        return false;
}

static bool deps_has(const Deps *d, DepKind kind, const char *unit) {
        return d->kinds[kind].n > 0 &&
               bsearch(&unit, d->kinds[kind].names, d->kinds[kind].n, sizeof(char *), compare_names);
}

void deps_write(Deps *d, UnitWriter *w) {
        /* clang-format off */
        static const char *const keys[_DEP_MAX] = {
                [DEP_REQUIRES] = "Requires",
                [DEP_WANTS] = "Wants",
                [DEP_BINDS_TO] = "BindsTo",
                [DEP_PART_OF] = "PartOf",
                [DEP_AFTER] = "After",
                [DEP_ON_FAILURE] = "OnFailure",
                [DEP_REQUISITE] = "Requisite",
                [DEP_ON_SUCCESS] = "OnSuccess",
        };
        /* clang-format on */

        for (int i = 0; i < _DEP_MAX; i++) {
                const char **names = d->kinds[i].names;
                size_t n = 0;

                if (d->kinds[i].n > 1)
                        qsort(names, d->kinds[i].n, sizeof(char *), compare_names);
                for (size_t j = 0; j < d->kinds[i].n; j++) {
                        bool known = n > 0 && str_equal(names[n - 1], names[j]);

                        /* Sorted before this one. */
                        if (i == DEP_WANTS && deps_has(d, DEP_REQUIRES, names[j]))
                                known = true;
                        if (!known)
                                names[n++] = names[j];
                }
                d->kinds[i].n = n;
                unit_words(w, keys[i], ESCAPE_NAME, names, n);
        }
}

void lower_quadlet(Lower *l, const char *file, const char *unit, Span origin, const char *text) {
        const PlanItem item = {
                .phase = PLAN_QUADLET,
                .path = arena_printf(l->arena, "%s/%s", l->quadlet_dir, file),
                .mode = 0644,
                .text = text,
                .origin = origin,
        };

        plan_add(l->plan, item);
        plan_expect(l->plan, (PlanExpected){ .quadlet = file, .unit = unit, .origin = origin });
}

void lower_unit(Lower *l, const char *unit, Span origin, const char *text) {
        const PlanItem item = {
                .phase = PLAN_UNIT,
                .path = unit,
                .mode = 0644,
                .text = text,
                .origin = origin,
        };

        plan_add(l->plan, item);
}

void lower_private_of(Lower *l, const char *name, Span origin, FileOwner owner, const char *text) {
        const PlanItem item = {
                .phase = PLAN_PRIVATE,
                .path = arena_printf(l->arena, "%s/%s", l->private_dir, name),
                .mode = owner.mode,
                .uid = owner.uid,
                .gid = owner.gid,
                .text = text,
                .origin = origin,
        };

        plan_add(l->plan, item);
}

void lower_private(Lower *l, const char *name, Span origin, mode_t mode, const char *text) {
        lower_private_of(l, name, origin, (FileOwner){ .mode = mode }, text);
}

const char *lower_format(Arena *a, const char *format, va_list ap) {
        va_list again;
        char *text;
        int n;

        va_copy(again, ap);
        n = vsnprintf(NULL, 0, format, again);
        va_end(again);
        if (n < 0)
                return "";
        text = arena_alloc(a, (size_t) n + 1);
        (void) vsnprintf(text, (size_t) n + 1, format, ap);
        return text;
}

const char *lower_note(Lower *l, Span span, const char *format, ...) {
        const char *position = diag_origin(l->diag, l->arena, span), *what;
        va_list ap;

        va_start(ap, format);
        what = lower_format(l->arena, format, ap);
        va_end(ap);
        return arena_printf(l->arena, "%s%s%s", what, position[0] ? ", from " : "", position);
}

/* Chains the proofs of each service, so that a large stack is no search of all for each. */
static void index_proofs(Lower *l) {
        bool *looked_at = arena_new_array(l->arena, bool, l->stack->n_services + 1);
        bool *followed = arena_new_array(l->arena, bool, l->stack->n_services + 1);

        l->engine = NULL;
        l->looked_at = looked_at;
        l->followed = followed;
        for (size_t i = 0; i < l->stack->n_services; i++) {
                const Service *client = l->stack->services + i;

                for (size_t k = 0; client->tunnel && k < client->n_depends; k++)
                        if (lower_follows(client, client->depends + k))
                                followed[lower_index(l, client->depends[k].service)] = true;
        }
        l->first_proof = arena_new_array(l->arena, const Proof *, l->stack->n_services + 1);
        l->next_proof = arena_new_array(l->arena, const Proof *, l->stack->n_proofs + 1);
        for (size_t i = l->stack->n_proofs; i > 0; i--) {
                const Proof *p = l->stack->proofs + i - 1;

                if (p->off)
                        continue;
                if (!p->service) {
                        l->engine = p;
                        continue;
                }
                if (p->of)
                        looked_at[lower_index(l, p->of)] = true;
                l->next_proof[i - 1] = l->first_proof[lower_index(l, p->service)];
                l->first_proof[lower_index(l, p->service)] = p;
        }
}

const Proof *lower_find_proof(const Lower *l, ProofKind kind, const Service *s) {
        for (const Proof *p = l->first_proof[lower_index(l, s)]; p; p = l->next_proof[p - l->stack->proofs])
                if (p->kind == kind)
                        return p;
        return NULL;
}

void lower_write_pauses(const Lower *l, UnitWriter *w, const char *first, const char *fixed) {
        if (l->facts->systemd_version < SYSTEMD_VERSION_STEPS) {
                unit_line(w, "RestartSec", ESCAPE_WORD, fixed);
                return;
        }
        unit_line(w, "RestartSec", ESCAPE_WORD, first);
        unit_line(w, "RestartSteps", ESCAPE_WORD, "5");
        unit_line(w, "RestartMaxDelaySec", ESCAPE_WORD, "60s");
}

const char *lower_return_unit(Lower *l, const Service *client) {
        return arena_printf(l->arena, "%s-return-%s.service", l->stack->name, client->name);
}

const char *lower_held_path(Lower *l, const Service *client) {
        return arena_printf(l->arena, RUN_DIR "/%s/held-%s", l->stack->name, client->name);
}

/* What the stack's units are called in Podman, for the stacks that are compiled after it (neighbours.c). */
static void write_container_names(Lower *l, UnitWriter *w) {
        for (size_t i = 0; i < l->stack->n_services; i++) {
                const Service *s = l->stack->services + i;
                const Node *given = node_get(s->node, "container_name");
                const char *const words[] = { s->container, s->unit };

                /* A secret is refused where the container is told its name. */
                if (!given || !given->secret)
                        unit_words(w, TARGET_CONTAINER_KEY, ESCAPE_WORD, words, ELEMENTS(words));
                if (s->is_owner) {
                        const char *name = service_pod_name(l->arena, s);
                        const char *const pod[] = { name, arena_printf(l->arena, "%s.service", name) };

                        unit_words(w, TARGET_CONTAINER_KEY, ESCAPE_WORD, pod, ELEMENTS(pod));
                }
        }
}

void lower_target(Lower *l) {
        const Stack *st = l->stack;
        UnitWriter w = unit_writer(l->arena, l->diag);
        Deps deps = { 0 };

        for (size_t i = 0; i < st->n_services; i++) {
                deps_add(l->arena, &deps, DEP_WANTS, st->services[i].unit);
                deps_add(l->arena, &deps, DEP_AFTER, st->services[i].unit);
        }
        if (l->engine) {
                deps_add(l->arena, &deps, DEP_WANTS, proof_unit_name(l->arena, st, l->engine));
                deps_add(l->arena, &deps, DEP_AFTER, proof_unit_name(l->arena, st, l->engine));
        }
        deps_add(l->arena, &deps, DEP_WANTS, lower_changed_path(l));
        deps_write(&deps, &w);
        write_container_names(l, &w);

        const TemplateValue values[] = {
                { TOKEN_NOTE,
                  arena_printf(l->arena, "Stack '%s': all that comes from %s", st->name, st->source) },
                { TOKEN_DESCRIPTION, arena_printf(l->arena, "Stack %s", st->name) },
                { TOKEN_SOURCE, st->source },
                { TOKEN_UNIT_LINES, unit_writer_text(&w) },
        };

        lower_unit(l, l->target, st->model->span,
                   template_fill(l->arena, l->diag, st->model->span, &template_stack_target, values,
                                 ELEMENTS(values)));
        plan_add_activation(l->plan, l->target, st->model->span);
}

Plan *plan_lower(Arena *a, Diag *d, const Stack *s, const Facts *f, const char *output_dir) {
        Lower l = {
                .arena = a,
                .diag = d,
                .stack = s,
                .facts = f,
                .plan = arena_new_object(a, Plan),
                .target = arena_printf(a, "%s.target", s->name),
                .private_dir = arena_printf(a, "unitproof-%s.env", s->name),
                .quadlet_dir = arena_printf(a, "unitproof-%s.quadlets", s->name),
                .pods = arena_new_array(a, PodDraft, s->n_services + 1),
                .links = arena_new_array(a, LinkNames, s->n_services + 1),
                .builders = arena_new_array(a, const Service *, s->n_services + 1),
        };
        const size_t before = d->n_errors;

        l.private_path = path_join(a, output_dir, l.private_dir);
        *l.plan = (Plan){ .arena = a, .stack = s->name };
        index_proofs(&l);
        for (size_t i = 0; i < s->n_services; i++)
                if (s->services[i].is_owner)
                        l.pods[i] = (PodDraft){ .used = true, .lines = unit_writer(a, d) };
        lower_read_links(&l);
        lower_read_builds(&l);
        for (size_t i = 0; i < s->n_services; i++)
                lower_container(&l, s->services + i);
        lower_builds(&l);
        lower_pods(&l);
        lower_networks(&l);
        lower_volumes(&l);
        lower_proofs(&l);
        lower_returns(&l);
        lower_reprove(&l);
        lower_changed(&l);
        lower_mounts(&l);
        lower_target(&l);
        plan_sort(l.plan);
        return d->n_errors > before ? NULL : l.plan;
}
