/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "generator/base/str.h"
#include "generator/command/output.h"
#include "generator/command/session.h"
#include "generator/facts/handles.h"

/* Which line of the input made a unit: the origins of the plan, and the reasons of the proofs. They are notes
 * like any other diagnostic, with their line and caret. */

static const char *base_name(const char *path) {
        const char *slash = strrchr(path, '/');

        return slash ? slash + 1 : path;
}

/* The stack as a whole asks for its target, its halt, its default network: then the file stands for it. */
static Span place(Compiled *c, Span origin) {
        const int file = origin.file == 0 ? sources_open(&c->sources, c->model->source) : 0;

        return file > 0 ? (Span){ .file = (uint32_t) file } : origin;
}

static const char *made(Span origin) {
        return origin.file > 0 ? "made from here" : "made for the stack as a whole";
}

/* "a.service" itself, its quadlet, its drop-ins, links to it. */
static const char *relation(Arena *a, const PlanItem *item, const char *unit) {
        const char *parent = path_parent(a, item->path);

        if (str_equal(item->path, unit))
                return arena_printf(a, "%s is %s", unit, made(item->origin));
        if (str_equal(parent, arena_printf(a, "%s.d", unit)))
                return arena_printf(a, "the drop-in %s is %s", item->path, made(item->origin));
        if (item->target && str_equal(base_name(item->path), unit))
                return arena_printf(a, "started by way of the link %s", item->path);
        return NULL;
}

static void note_items(Diag *d, Compiled *c, const char *unit) {
        for (size_t i = 0; i < c->plan->n_items; i++) {
                const char *text = relation(d->arena, c->plan->items + i, unit);

                if (text)
                        diag_note(d, place(c, c->plan->items[i].origin), "unit", "%s", text);
        }
        for (size_t i = 0; i < c->plan->n_expected; i++) {
                const PlanExpected *e = c->plan->expected + i;

                if (str_equal(e->unit, unit) || str_equal(e->quadlet, unit))
                        diag_note(d, place(c, e->origin), "unit",
                                  "quadlet makes %s from unitproof-%s.quadlets/%s, which is %s", e->unit,
                                  c->stack, e->quadlet, made(e->origin));
        }
}

static void note_proofs(Diag *d, Compiled *c, const char *unit) {
        for (size_t i = 0; i < c->model->n_proofs; i++) {
                const Proof *p = c->model->proofs + i;
                const bool own = proof_kind_is_pre_start(p->kind) &&
                                 str_equal(proof_unit_name(d->arena, c->model, p), unit);

                if (!own && !(p->service && str_equal(p->service->unit, unit)))
                        continue;
                diag_note(d, place(c, p->span), "proof", "%s proof of %s: %s", proof_kind_name(p->kind),
                          p->subject, p->why);
                if (p->off)
                        diag_note(d, p->off_span, "proof-off", "the %s proof of %s is switched off here",
                                  proof_kind_name(p->kind), p->subject);
        }
}

static void note_guard(Diag *d, const Compiled *c, const char *unit) {
        for (size_t i = 0; i < c->model->n_services; i++) {
                const Service *s = c->model->services + i;

                if (!s->guard || !str_equal(s->unit, unit))
                        continue;
                diag_note(
                        d, s->guard->span, s->guard->off ? "guard-off" : "guard",
                        s->guard->off
                                ? "the kill rule of %s is switched off here"
                                : "kill rule of %s: beside the tunnel nothing leaves its network but what it "
                                  "sends itself",
                        s->name);
                for (size_t j = 0; j < s->guard->n_allow; j++)
                        diag_note(d, s->guard->allow[j].span, "guard",
                                  "its clients may reach %s beside it: %s", s->guard->allow[j].subnet,
                                  s->guard->allow[j].why);
        }
}

/* Returns the number of notes. */
static size_t explain_in(Session *s, Compiled *c, const char *unit) {
        Diag d = { .arena = s->arena, .sources = &c->sources };

        note_items(&d, c, unit);
        if (d.n_entries > 0) {
                note_proofs(&d, c, unit);
                note_guard(&d, c, unit);
        }
        if (d.n_entries == 0)
                return 0;
        if (s->json)
                output_diag(s, &d);
        else
                diag_print(&d, stdout, s->color_out ? DIAG_TEXT_COLOR : DIAG_TEXT);
        return d.n_entries;
}

static bool could_be_of(const char *unit, const char *stack) {
        const size_t n = strlen(stack);

        return str_has_prefix(unit, stack) && (unit[n] == '-' || unit[n] == '.');
}

static int explain_in_all(Session *s, const char *unit, size_t *ret_n) {
        StackList stacks;
        int r, status;

        status = session_stacks(s, &stacks);
        for (size_t i = 0; status == STATUS_GOOD && i < stacks.n && *ret_n == 0; i++) {
                Compiled *c = arena_new_object(s->arena, Compiled);

                if (!could_be_of(unit, stacks.names[i]))
                        continue;
                r = session_compile_quietly(s, stacks.names[i], c);
                if (r == STATUS_GOOD)
                        *ret_n += explain_in(s, c, unit);
                else
                        status = r;
        }
        return status;
}

/* 0 or an exit status after saying why; *ret_n is the number of notes. */
static int explain_unit(Session *s, const char *unit, const char *stack, size_t *ret_n) {
        Compiled *c = arena_new_object(s->arena, Compiled);
        int r;

        if (!stack)
                return explain_in_all(s, unit, ret_n);
        r = session_compile_quietly(s, stack, c);
        if (r == STATUS_GOOD)
                *ret_n = explain_in(s, c, unit);
        return r;
}

/* ---- what is no unit ---- */

/* A service is called by its Compose name as well, "sonarr" or "sonarr.service"; and what comes near. */
typedef struct Search {
        Session *session;
        const char *word, *stem; /* as given, and without ".service" */
        const char *found;       /* units of services of that name, apart by commas */
        Compiled *compiled;      /* of the one that was found last */
        const char *unit;
        size_t n_found;
        const char **names; /* that there are */
        size_t n, capacity;
} Search;

static void add_name(Search *f, const char *name) {
        f->names = arena_grow(f->session->arena, f->names, sizeof(*f->names), &f->capacity, f->n + 1);
        f->names[f->n++] = name;
}

static void search_in(Search *f, Compiled *c) {
        Arena *a = f->session->arena;

        for (size_t i = 0; i < c->model->n_services; i++) {
                const Service *v = c->model->services + i;

                add_name(f, v->name);
                add_name(f, arena_strndup(a, v->unit, strlen(v->unit) - strlen(".service")));
                if (!str_equal(v->name, f->word) && !str_equal(v->name, f->stem))
                        continue;
                f->found = f->n_found > 0 ? arena_printf(a, "%s, %s", f->found, v->unit) : v->unit;
                f->unit = v->unit;
                f->compiled = c;
                f->n_found++;
        }
}

/* A stack with errors has no units: what is wrong with it is not the question here. */
static void search(Search *f, const char *stack) {
        const StackList one = { .names = &stack, .n = 1 };
        StackList stacks = one;

        if (!stack && session_stacks(f->session, &stacks) != STATUS_GOOD)
                return;
        for (size_t i = 0; i < stacks.n; i++) {
                Compiled *c = arena_new_object(f->session->arena, Compiled);

                if (session_compile(f->session, stacks.names[i], LOADED_DIR, c) == STATUS_GOOD)
                        search_in(f, c);
        }
}

static int explain_service(Session *s, const char *word, const char *stack, const char **ret_unit) {
        Search f = { .session = s, .word = word, .stem = word };
        const char *near;

        if (str_has_suffix(word, ".service"))
                f.stem = arena_strndup(s->arena, word, strlen(word) - strlen(".service"));
        search(&f, stack);
        if (f.n_found == 1) {
                (void) explain_in(s, f.compiled, f.unit);
                *ret_unit = f.unit;
                return STATUS_GOOD;
        }
        if (f.n_found > 1)
                return command_fail(s, STATUS_BAD_INPUT, "no-unit",
                                    "several stacks have a service '%s': say which of %s", f.stem, f.found);
        near = str_nearest(f.stem, f.names, f.n);
        return command_fail(s, STATUS_BAD_INPUT, "no-unit", "%s %s%s%s%s%s",
                            stack ? arena_printf(s->arena, "%s makes no unit", stack)
                                  : "no stack makes a unit",
                            word, strchr(word, '.') ? "" : ".service", near ? "; did you mean '" : "",
                            near ? near : "", near ? "'?" : "");
}

/* "media-sonarr" is a service, "media" a target, "media-default" a network: what the name stands for is tried
 * in this order, unless it says so itself. */
int command_explain(Session *s, int argc, char **argv) {
        static const char *const endings[] = { ".service",        ".target",      "-network.service",
                                               "-volume.service", "-pod.service", "-build.service" };
        const char *stack = argc > 1 ? argv[1] : NULL, *unit = argv[0];
        const bool whole = strchr(unit, '.') != NULL;
        size_t found = 0;
        int r = STATUS_GOOD;

        for (size_t i = 0; r == STATUS_GOOD && found == 0 && i < (whole ? 1 : ELEMENTS(endings)); i++) {
                if (!whole)
                        unit = arena_printf(s->arena, "%s%s", argv[0], endings[i]);
                r = explain_unit(s, unit, stack, &found);
        }
        if (found == 0)
                unit = whole ? argv[0] : arena_printf(s->arena, "%s.service", argv[0]);
        if (r == STATUS_GOOD && found == 0)
                r = explain_service(s, argv[0], stack, &unit);
        json_put(s->answer, "unit", json_text(s, unit));
        return r;
}
