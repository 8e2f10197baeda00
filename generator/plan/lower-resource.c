/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/plan/resource.h"

/* Networks and volumes that some service uses; Compose makes no others. */

Resource resource_new(Lower *l, const char *kind, const NodePair *p) {
        return (Resource){ .lower = l, .kind = kind, .pair = p, .lines = unit_writer(l->arena, l->diag) };
}

void resource_line(Resource *r, const char *key, EscapeClass class, const Node *n, const char *value) {
        r->lines.span = n->span;
        if (n->secret) {
                diag_error(r->lower->diag, n->span, "cannot-express",
                           "the %s '%s' holds a secret here, and everybody may read it in a unit", r->kind,
                           r->pair->key->text);
                diag_hint(r->lower->diag, "rename the variable if it is no secret");
                return;
        }
        unit_line(&r->lines, key, class, value);
}

void resource_scalar(Resource *r, const char *key, EscapeClass class, const Node *n) {
        if (node_is_scalar(n) && n->text[0])
                resource_line(r, key, class, n, n->text);
}

void resource_pairs(Resource *r, const char *key, const Node *mapping) {
        for (size_t i = 0; mapping && mapping->kind == NODE_MAPPING && i < mapping->n; i++) {
                const NodePair *p = mapping->pairs + i;

                resource_line(r, key, ESCAPE_QUADLET_KEYVAL, p->value,
                              arena_printf(r->lower->arena, "%s=%s", p->key->text,
                                           node_is_scalar(p->value) ? p->value->text : ""));
        }
}

void resource_refuse(Resource *r, const Node *n, const char *what) {
        diag_error(r->lower->diag, n->span, "cannot-express", "%s", what);
}

void resource_finish(Resource *r, const Template *template) {
        Lower *l = r->lower;
        const NodePair *p = r->pair;
        const char *kind = r->kind;
        const char *name = node_get_text(p->value, "name")
                                   ?: arena_printf(l->arena, "%s_%s", l->stack->project, p->key->text);
        const char *file = arena_printf(l->arena, "%s-%s.%s", l->stack->name, p->key->text, kind);
        UnitWriter unit = unit_writer(l->arena, l->diag);
        Deps deps = { 0 };

        if (!engine_name_is_valid(name) || (str_equal(kind, "network") && network_name_is_mode(name))) {
                resource_refuse(r, node_get(p->value, "name") ?: p->key,
                                arena_printf(l->arena, "'%s' is no name that Podman takes for a %s",
                                             escape_for_message(l->arena, name, 80), kind));
                return;
        }
        deps_add(l->arena, &deps, DEP_PART_OF, l->target);
        if (l->engine)
                deps_add(l->arena, &deps, DEP_AFTER, proof_unit_name(l->arena, l->stack, l->engine));
        deps_write(&deps, &unit);

        const TemplateValue values[] = {
                { TOKEN_NOTE, lower_note(l, p->key->span, "The %s '%s' of stack '%s'", kind, p->key->text,
                                         l->stack->name) },
                { TOKEN_DESCRIPTION,
                  arena_printf(l->arena, "%s: %s %s", l->stack->name, kind, p->key->text) },
                { TOKEN_NAME, name },
                { TOKEN_UNIT_LINES, unit_writer_text(&unit) },
                { TOKEN_LINES, unit_writer_text(&r->lines) },
        };

        lower_quadlet(l, file, arena_printf(l->arena, "%s-%s-%s.service", l->stack->name, p->key->text, kind),
                      p->key->span,
                      template_fill(l->arena, l->diag, p->key->span, template, values, ELEMENTS(values)));
}

static void for_used(Lower *l, const char *section, const Map *used,
                     void (*lower)(Lower *l, const NodePair *p)) {
        const Node *all = node_get(l->stack->model, section);

        for (size_t i = 0; all && all->kind == NODE_MAPPING && i < all->n; i++)
                if (map_get(used, all->pairs[i].key->text))
                        lower(l, all->pairs + i);
}

void lower_networks(Lower *l) {
        for_used(l, "networks", &l->networks, lower_network);
}

void lower_volumes(Lower *l) {
        for_used(l, "volumes", &l->volumes, lower_volume);
        for (size_t i = 0; l->anonymous && i < l->anonymous->n; i++)
                lower_volume(l, l->anonymous->pairs + i);
}
