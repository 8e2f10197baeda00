/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <stdlib.h>

#include "generator/base/buf.h"
#include "generator/command/output.h"
#include "generator/command/session.h"

static const char *const condition_words[_DEPENDS_MAX] = {
        [DEPENDS_STARTED] = "started",
        [DEPENDS_HEALTHY] = "healthy",
        [DEPENDS_COMPLETED] = "completed",
};

static int compare_rank(const void *a, const void *b) {
        const Service *x = *(const Service *const *) a, *y = *(const Service *const *) b;

        return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static const Service **by_rank(Arena *a, const Stack *m) {
        const Service **list = arena_new_array(a, const Service *, m->n_services + 1);

        for (size_t i = 0; i < m->n_services; i++)
                list[i] = m->services + i;
        qsort(list, m->n_services, sizeof(*list), compare_rank);
        return list;
}

/* ---- edges, for --dot and --json ---- */

typedef struct Edge {
        const char *from, *to, *why;
} Edge;

typedef struct Edges {
        Edge *items;
        size_t n, capacity;
} Edges;

static void add_edge(Arena *a, Edges *e, const char *from, const char *to, const char *why) {
        e->items = arena_grow(a, e->items, sizeof(*e->items), &e->capacity, e->n + 1);
        e->items[e->n++] = (Edge){ from, to, why };
}

static const char *proof_node(Arena *a, const Proof *p) {
        return arena_printf(a, "%s of %s", proof_kind_name(p->kind), p->subject);
}

static bool waits_for_health(const Service *s, const Service *of) {
        for (size_t i = 0; i < s->n_depends; i++)
                if (s->depends[i].service == of && s->depends[i].condition == DEPENDS_HEALTHY)
                        return true;
        return false;
}

/* What a proof looks at → the proof → those that it holds back. */
static void add_proof_edges(Arena *a, Edges *e, const Stack *m, const Proof *p) {
        const char *node = proof_node(a, p);

        if (p->off)
                return;
        if (p->of)
                add_edge(a, e, p->of->name, node, "looks at");
        if (!proof_kind_is_pre_start(p->kind)) {
                add_edge(a, e, p->subject, node, "when started");
                return;
        }
        for (size_t i = 0; i < m->n_services; i++) {
                const Service *s = m->services + i;
                const bool held = p->kind == PROOF_ENGINE ||
                                  (p->kind == PROOF_HEALTH && waits_for_health(s, p->service)) ||
                                  (p->kind == PROOF_KILLSWITCH && s->tunnel == p->service) ||
                                  (p->kind == PROOF_EGRESS && s == p->service);

                if (held)
                        add_edge(a, e, node, s->name, "passed");
        }
}

static Edges collect_edges(Arena *a, const Stack *m) {
        Edges e = { 0 };

        for (size_t i = 0; i < m->n_services; i++) {
                const Service *s = m->services + i;

                for (size_t k = 0; k < s->n_depends; k++)
                        if (s->depends[k].condition != DEPENDS_HEALTHY)
                                add_edge(a, &e, s->depends[k].service->name, s->name,
                                         condition_words[s->depends[k].condition]);
                for (size_t k = 0; k < s->n_order_after; k++)
                        add_edge(a, &e, s->order_after[k]->name, s->name, "ordered");
        }
        for (size_t i = 0; i < m->n_proofs; i++)
                add_proof_edges(a, &e, m, m->proofs + i);
        return e;
}

/* Names of services hold nothing that DOT's quoted strings would need escaped: the model has checked them as
 * unit names. */
static void print_dot(const Stack *m, const Edges *e, Arena *a) {
        printf("digraph \"%s\" {\n        rankdir=LR;\n", m->name);
        for (size_t i = 0; i < m->n_services; i++)
                printf("        \"%s\" [shape=box%s];\n", m->services[i].name,
                       m->services[i].is_tunnel ? ", style=bold" : "");
        for (size_t i = 0; i < m->n_proofs; i++)
                if (!m->proofs[i].off)
                        printf("        \"%s\" [shape=ellipse];\n", proof_node(a, m->proofs + i));
        for (size_t i = 0; i < e->n; i++)
                printf("        \"%s\" -> \"%s\" [label=\"%s\"];\n", e->items[i].from, e->items[i].to,
                       e->items[i].why);
        printf("}\n");
}

static void answer_graph(Session *s, const Stack *m, const Edges *e) {
        json_t *nodes = json_array(), *edges = json_array();

        for (size_t i = 0; i < m->n_services; i++) {
                json_t *o = json_object();

                json_put(o, "name", json_text(s, m->services[i].name));
                json_put(o, "kind", json_text(s, "service"));
                json_put(o, "unit", json_text(s, m->services[i].unit));
                json_put(o, "rank", json_integer((json_int_t) m->services[i].rank));
                json_put(o, "tunnel", json_boolean(m->services[i].is_tunnel));
                json_put(o, "guarded", json_boolean(m->services[i].guard && !m->services[i].guard->off));
                (void) json_array_append_new(nodes, o);
        }
        for (size_t i = 0; i < m->n_proofs; i++) {
                const Proof *p = m->proofs + i;
                json_t *o = json_object();

                json_put(o, "name", json_text(s, proof_node(s->arena, p)));
                json_put(o, "kind", json_text(s, proof_kind_name(p->kind)));
                json_put(o, "off", json_boolean(p->off));
                json_put(o, "why", json_text(s, p->why));
                (void) json_array_append_new(nodes, o);
        }
        for (size_t i = 0; i < e->n; i++) {
                json_t *o = json_object();

                json_put(o, "from", json_text(s, e->items[i].from));
                json_put(o, "to", json_text(s, e->items[i].to));
                json_put(o, "why", json_text(s, e->items[i].why));
                (void) json_array_append_new(edges, o);
        }
        json_put(s->answer, "stack", json_text(s, m->name));
        json_put(s->answer, "nodes", nodes);
        json_put(s->answer, "edges", edges);
}

/* ---- for people ---- */

static const char *joiners_of(Arena *a, const Stack *m, const Service *owner) {
        Buf b = BUF(a);

        for (size_t i = 0; i < m->n_services; i++)
                if (m->services[i].owner == owner)
                        buf_printf(&b, "%s%s", b.len > 0 ? ", " : "", m->services[i].name);
        return buf_text(&b);
}

static const char *proofs_of(Arena *a, const Stack *m, const Service *s, bool pre_start, bool off) {
        Buf b = BUF(a);

        for (size_t i = 0; i < m->n_proofs; i++) {
                const Proof *p = m->proofs + i;

                /* The kill switch is the tunnel's, and its clients are held back by it. */
                const Service *held = p->kind == PROOF_KILLSWITCH ? s->tunnel : s;

                if (p->service && p->service == held && p->off == off && p->kind != PROOF_HEALTH &&
                    (off || proof_kind_is_pre_start(p->kind) == pre_start))
                        buf_printf(&b, "%s%s", b.len > 0 ? ", " : "", proof_kind_name(p->kind));
        }
        return buf_text(&b);
}

static const char *guard_of(Arena *a, const Service *s) {
        Buf b = BUF(a);

        if (!s->guard || s->guard->off)
                return s->guard ? "off" : "";
        buf_add(&b, "on");
        for (size_t i = 0; i < s->guard->n_allow; i++)
                buf_printf(&b, "%s%s", i == 0 ? ", but for " : ", ", s->guard->allow[i].subnet);
        return buf_text(&b);
}

static void print_line(const char *what, const char *text) {
        if (text[0] != '\0')
                printf("    %-14s %s\n", what, text);
}

static void print_service(Session *s, const Stack *m, const Service *v) {
        Buf after = BUF(s->arena);

        for (size_t i = 0; i < v->n_depends; i++)
                buf_printf(&after, "%s%s (%s)", after.len > 0 ? ", " : "", v->depends[i].service->name,
                           condition_words[v->depends[i].condition]);
        for (size_t i = 0; i < v->n_order_after; i++)
                buf_printf(&after, "%s%s (only the order)", after.len > 0 ? ", " : "",
                           v->order_after[i]->name);
        output_word(s, TONE_BOLD, 0, v->name);
        printf("%s\n", v->is_tunnel ? "  (tunnel)" : "");
        print_line("unit", v->unit);
        if (v->is_owner)
                print_line("shared with", joiners_of(s->arena, m, v));
        if (v->owner)
                print_line("network of", v->owner->name);
        else if (v->foreign)
                print_line("network of",
                           arena_printf(s->arena, "container %s, of another stack", v->foreign));
        print_line("kill rule", guard_of(s->arena, v));
        print_line("after", buf_text(&after));
        print_line("proved before", proofs_of(s->arena, m, v, true, false));
        print_line("proved running", proofs_of(s->arena, m, v, false, false));
        print_line("switched off", proofs_of(s->arena, m, v, false, true));
}

int command_graph(Session *s, int argc, char **argv) {
        Compiled *c = arena_new_object(s->arena, Compiled);
        const Service **order;
        int r;

        (void) argc;
        if (s->options.given[OPTION_DOT] && s->json)
                return command_fail(s, STATUS_BAD_INPUT, "usage",
                                    "--dot and --json are two forms: choose one");
        r = session_compile_quietly(s, argv[0], c);
        if (r != STATUS_GOOD)
                return r;

        const Edges e = collect_edges(s->arena, c->model);

        if (s->json)
                answer_graph(s, c->model, &e);
        else if (s->options.given[OPTION_DOT])
                print_dot(c->model, &e, s->arena);
        else {
                order = by_rank(s->arena, c->model);
                for (size_t i = 0; i < c->model->n_services; i++)
                        print_service(s, c->model, order[i]);
        }
        return STATUS_GOOD;
}
