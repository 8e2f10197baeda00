/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/model/build.h"

/* Whose network namespace a service lives in. "service:" and "container:" are followed to the end of the
 * chain: what a joiner shares is a namespace, and the one that made it is its owner. */

/* The name that Compose itself would give: people who write "container:" know that one. */
static Service *find_default_container(const Build *b, const char *container) {
        for (size_t i = 0; i < b->stack->n_services; i++) {
                Service *s = &b->stack->services[i];

                if (node_get(s->node, "container_name"))
                        continue;
                if (str_equal(container, arena_printf(b->arena, "%s-%s-1", b->stack->project, s->name)) ||
                    str_equal(container, arena_printf(b->arena, "%s_%s_1", b->stack->project, s->name)))
                        return s;
        }
        return NULL;
}

/* A container of another stack, or of none: the engine can join it, and that is all that can be said. Which
 * unit it belongs to, whether it is a tunnel and what it lets out is written nowhere in this file. */
static void join_foreign(Build *b, Service *s, const char *container, Span span) {
        const Config *c = b->config;
        bool in_pod = false;

        s->network = NETWORK_FOREIGN;
        if (c && c->unit_of_container)
                s->foreign_unit = c->unit_of_container(c->userdata, &container, &in_pod);
        s->foreign = container;
        if (in_pod) {
                diag_error(b->diag, span, "foreign-pod",
                           "'%s' cannot join the container '%s' of another stack: it shares its network "
                           "within a "
                           "pod, and Podman lets nobody else into that",
                           s->name, container);
                diag_hint(b->diag, "bring it into this stack with 'include:' and join 'service:NAME'");
                return;
        }
        if (s->foreign_unit) {
                diag_warning(b->diag, span, "foreign-network",
                             "'%s' joins the container '%s' of another stack: it comes and goes with %s, but "
                             "nothing of that network is proved",
                             s->name, container, s->foreign_unit);
                diag_hint(
                        b->diag,
                        "bring it into this stack with 'include:' and join 'service:NAME' to have it proved");
                return;
        }
        diag_warning(b->diag, span, "foreign-network",
                     "'%s' joins the container '%s', which no stack of this host runs as: its network is "
                     "neither waited for nor proved, and Podman does not make that container anew as long as "
                     "'%s' is there",
                     s->name, container, s->name);
        diag_hint(
                b->diag,
                "bring it into this stack with 'include:' and join 'service:NAME'; else say in a drop-in of "
                "%s which unit it is After= and BindsTo=",
                s->unit);
}

static void join_container(Build *b, Service *s, const char *container, Span span, Service **ret_target) {
        *ret_target = map_get(&b->by_container, container) ?: find_default_container(b, container);
        if (*ret_target)
                return;
        if (!map_get(&b->by_name, container) && engine_name_is_valid(container)) {
                join_foreign(b, s, container, span);
                return;
        }
        diag_error(b->diag, span, "unknown-container",
                   "service '%s' joins container '%s', and no service of this stack runs as that", s->name,
                   container);
        if (map_get(&b->by_name, container))
                diag_hint(b->diag, "there is a service of that name: write 'network_mode: service:%s'",
                          container);
        else
                diag_hint(b->diag, "a container's name has letters, digits, '_', '.' and '-'");
}

static void read_mode(Build *b, Service *s, const Node *mode) {
        const char *text = mode->text;
        Service *target = NULL;

        s->owner_span = mode->span;
        if (str_equal(text, "host"))
                s->network = NETWORK_HOST;
        else if (str_equal(text, "none"))
                s->network = NETWORK_NONE;
        else if (str_equal(text, "") || str_equal(text, "bridge") || str_equal(text, "default"))
                s->network = NETWORK_OWN;
        else if (str_has_prefix(text, "service:"))
                target = service_by_name(b, text + strlen("service:"), mode->span, "unknown-service",
                                         arena_printf(b->arena, "network_mode of '%s'", s->name));
        else if (str_has_prefix(text, "container:"))
                join_container(b, s, text + strlen("container:"), mode->span, &target);
        else if (str_has_prefix(text, "tunnel:")) {
                diag_error(b->diag, mode->span, "not-supported",
                           "network_mode '%s' comes with native mode, which this version does not have",
                           text);
                diag_hint(b->diag,
                          "run the tunnel as a service and join it with 'network_mode: service:NAME'");
        } else {
                diag_error(b->diag, mode->span, "network-mode", "network_mode '%s' is not supported", text);
                diag_hint(b->diag, "use host, none, bridge or service:NAME; to join a network, name it under "
                                   "'networks:'");
        }
        if (target) {
                s->network = NETWORK_JOIN;
                s->owner = target;
                extra_of(b, s)->joins = target->name;
        }
}

/* What Docker has of its own under these names is no network that one could be on with others: to name it
 * as the one that is there already is to say the mode. */
static void read_networks(Build *b, Service *s, const Node *networks) {
        const NodePair *p =
                networks && networks->kind == NODE_MAPPING && networks->n == 1 ? networks->pairs : NULL;
        const Node *network = p ? node_get(node_get(b->stack->model, "networks"), p->key->text) : NULL;
        const char *name = node_get_text(network, "name");

        if (!node_get_bool(network, "external", /* fallback= */ false) ||
            (!str_equal(name, "host") && !str_equal(name, "none")))
                return;
        s->network = str_equal(name, "host") ? NETWORK_HOST : NETWORK_NONE;
        s->owner_span = p->key->span;
        if (!node_is_null(p->value) && p->value->n > 0)
                diag_note(b->diag, p->key->span, "different",
                          "names and addresses of '%s' in '%s' are left out: it has %s", s->name,
                          p->key->text,
                          s->network == NETWORK_HOST ? "the network of the host" : "no network");
}

static void report_cycle(Build *b, const Service *start) {
        const char *chain = start->name;
        const Service *s = start;

        do {
                s = s->owner;
                chain = arena_printf(b->arena, "%s → %s", chain, s->name);
        } while (s != start);
        diag_error(b->diag, start->owner_span, "cycle",
                   "these services join each other's network in a circle: %s", chain);
        diag_hint(b->diag, "one of them has to have a network of its own");
}

/* The end of the chain from s, or NULL for a cycle, which is reported once, by the first of its members. */
static Service *follow(Build *b, Service *s) {
        Service *end = s;

        for (size_t steps = 0; end->network == NETWORK_JOIN; steps++) {
                end = end->owner;
                if (end == s || steps > b->stack->n_services) {
                        bool first = end == s;

                        for (const Service *m = s->owner; first && m != s; m = m->owner)
                                first = m > s;
                        if (first)
                                report_cycle(b, s);
                        return NULL;
                }
        }
        return end;
}

/* A namespace that the owner does not have cannot be shared: with "host" and "none" joiners are in the
 * host's, or in one of their own that has no network either. */
static void settle(Build *b, Service *s, Service *end) {
        if (end->network == NETWORK_OWN) {
                s->owner = end;
                end->is_owner = true;
                s->pod = end->pod = end->pod ?: arena_printf(b->arena, "%s-%s", b->stack->name, end->name);
                return;
        }
        s->network = end->network;
        s->foreign = end->foreign;
        s->owner = NULL;
        if (s->network == NETWORK_FOREIGN) {
                join_foreign(b, s, s->foreign, s->owner_span);
                return;
        }
        diag_note(b->diag, s->owner_span, "network-mode",
                  "service '%s' joins '%s', which has network_mode %s%s; it gets the same", s->name,
                  end->name, end->network == NETWORK_HOST ? "host" : "none",
                  other_position(b, end->owner_span));
}

void owners_resolve(Build *b) {
        Stack *st = b->stack;
        Service **ends = arena_new_array(b->arena, Service *, st->n_services + 1);

        for (size_t i = 0; i < st->n_services; i++) {
                const Node *mode = node_get(st->services[i].node, "network_mode");

                if (node_is_scalar(mode) && mode->text[0])
                        read_mode(b, &st->services[i], mode);
                else
                        read_networks(b, &st->services[i], node_get(st->services[i].node, "networks"));
        }
        for (size_t i = 0; i < st->n_services; i++)
                if (st->services[i].network == NETWORK_JOIN)
                        ends[i] = follow(b, &st->services[i]);
        for (size_t i = 0; i < st->n_services; i++)
                if (ends[i])
                        settle(b, &st->services[i], ends[i]);
}
