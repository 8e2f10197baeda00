/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdint.h>
#include <string.h>

#include "generator/base/buf.h"
#include "generator/base/str.h"
#include "generator/compose/consistency.h"
#include "generator/compose/value.h"

/* Circles of dependencies, and limits that are said twice. */

typedef struct Walk {
        Load *load;
        const Node *services;
        uint8_t *state; /* 0 unseen, 1 on the way, 2 done */
        size_t *way;    /* services on the way, and the dependency that comes next for each */
        size_t *next;
        size_t depth;
} Walk;

static size_t service_index(const Node *services, const char *name) {
        size_t from = 0, to = services->n;

        while (from < to) {
                size_t middle = from + (to - from) / 2;
                int order = strcmp(services->pairs[middle].key->text, name);

                if (order == 0)
                        return middle;
                if (order < 0)
                        from = middle + 1;
                else
                        to = middle;
        }
        return services->n;
}

static void report_cycle(const Walk *w, size_t service, Span span) {
        Buf b = BUF(w->load->arena);
        size_t start = 0;

        while (w->way[start] != service)
                start++;
        for (size_t i = start; i < w->depth; i++)
                buf_printf(&b, "%s -> ", w->services->pairs[w->way[i]].key->text);
        diag_error(w->load->diag, span, "dependency-cycle", "services wait for each other in a circle: %s%s",
                   buf_text(&b), w->services->pairs[service].key->text);
        diag_hint(w->load->diag, "remove one of these dependencies");
}

/* Without recursion: a chain of dependencies may be as long as there are services. */
static void walk_from(Walk *w, size_t start) {
        w->way[0] = start;
        w->next[0] = 0;
        w->state[start] = 1;
        w->depth = 1;
        while (w->depth > 0) {
                size_t service = w->way[w->depth - 1], other;
                const Node *depends = node_get(w->services->pairs[service].value, "depends_on");
                const NodePair *pair;

                if (!depends || w->next[w->depth - 1] >= depends->n) {
                        w->state[service] = 2;
                        w->depth--;
                        continue;
                }
                pair = depends->pairs + w->next[w->depth - 1]++;
                other = service_index(w->services, pair->key->text);
                if (other == w->services->n || w->state[other] == 2)
                        continue;
                if (w->state[other] == 1) {
                        report_cycle(w, other, pair->key->span);
                        continue;
                }
                w->state[other] = 1;
                w->way[w->depth] = other;
                w->next[w->depth++] = 0;
        }
}

void check_cycles(Load *l, const Node *services) {
        Walk w = {
                .load = l,
                .services = services,
                .state = arena_new_array(l->arena, uint8_t, services->n + 1),
                .way = arena_new_array(l->arena, size_t, services->n + 1),
                .next = arena_new_array(l->arena, size_t, services->n + 1),
        };

        for (size_t i = 0; i < services->n; i++)
                if (w.state[i] == 0)
                        walk_from(&w, i);
}

static void check_twice(const Check *c, const char *key, const Node *section, const char *path,
                        const char *name) {
        const Node *own = node_get(c->service, key), *other = node_get(section, name);

        if (!own || !section || (other && str_equal(own->text, other->text)))
                return;
        if (other) {
                diag_error(c->load->diag, own->span, "exclusive",
                           "service '%s' says '%s' differently in %s.%s", c->name, key, path, name);
                diag_hint(c->load->diag, "say it once");
                return;
        }
        diag_error(c->load->diag, own->span, "exclusive", "service '%s' says '%s', and other limits in %s",
                   c->name, key, path);
        diag_hint(c->load->diag, "Compose wants them in one place: write it as '%s' there", name);
}

/* Compose says it in both places if there is a "deploy" at all. */
static void set_replicas(const Check *c, const Node *scale) {
        Node *deploy = node_get(c->service, "deploy");
        size_t at = node_get(deploy, "mode") ? 1 : 0;

        if (!deploy || deploy->kind != NODE_MAPPING)
                return;
        node_set(c->load->arena, deploy, "replicas", scale->span, node_copy(c->load->arena, scale));
        for (size_t i = deploy->n - 1; i > at; i--) {
                NodePair last = deploy->pairs[i];

                deploy->pairs[i] = deploy->pairs[i - 1];
                deploy->pairs[i - 1] = last;
        }
}

static void check_scale(const Check *c) {
        const Node *own = node_get(c->service, "scale"), *name = node_get(c->service, "container_name");
        const Node *replicas = node_get(node_get(c->service, "deploy"), "replicas");
        const Node *scale = own ? own : replicas;

        if (own && replicas && !str_equal(own->text, replicas->text)) {
                diag_error(c->load->diag, own->span, "exclusive",
                           "service '%s' has 'scale' and another 'deploy.replicas'", c->name);
                diag_hint(c->load->diag, "say it once");
        }
        if (own && !replicas)
                set_replicas(c, own);
        if (!scale)
                return;
        if (scale->text[0] == '-') {
                diag_error(c->load->diag, scale->span, "bad-value", "service '%s' cannot run %s times",
                           c->name, scale->text);
                diag_hint(c->load->diag, "give a number from 0 on");
        } else if (name && !str_equal(scale->text, "0") && !str_equal(scale->text, "1")) {
                diag_error(c->load->diag, name->span, "exclusive",
                           "service '%s' runs %s times and cannot have one container name", c->name,
                           scale->text);
                diag_hint(c->load->diag, "remove 'container_name'");
        }
}

void check_limits(const Check *c) {
        const Node *resources = node_get(node_get(c->service, "deploy"), "resources");
        const Node *limits = node_get(resources, "limits"),
                   *reservations = node_get(resources, "reservations");

        check_twice(c, "cpus", limits, "deploy.resources.limits", "cpus");
        check_twice(c, "mem_limit", limits, "deploy.resources.limits", "memory");
        check_twice(c, "pids_limit", limits, "deploy.resources.limits", "pids");
        check_twice(c, "mem_reservation", reservations, "deploy.resources.reservations", "memory");
        check_scale(c);
}
