/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/powers.h"
#include "generator/model/build.h"

/* Which owners are tunnels: those that can change the routes of the namespace that others join. That is an
 * inference from the powers that a file grants, so each use of it says so, and the operator has the last word
 * with "tunnel". */

static bool is_net_admin(const char *capability) {
        return strcasecmp(capability, "NET_ADMIN") == 0 || strcasecmp(capability, "CAP_NET_ADMIN") == 0 ||
               strcasecmp(capability, "ALL") == 0 || strcasecmp(capability, "CAP_ALL") == 0;
}

/* A device is a mapping with "source" or a string "source[:target[:permissions]]". */
static bool is_tun(const Build *b, const Node *device) {
        const char *source = node_is_scalar(device) ? device->text : node_get_text(device, "source");

        if (!source)
                return false;
        return str_equal(path_normalize(b->arena, arena_strndup(b->arena, source, strcspn(source, ":"))),
                         "/dev/net/tun");
}

/* Why the service can change routes, in words that follow its name; NULL if it cannot. */
static const char *route_power(const Build *b, const Service *s) {
        const Node *capabilities = node_get(s->node, "cap_add"), *devices = node_get(s->node, "devices");

        for (size_t i = 0; capabilities && capabilities->kind == NODE_SEQUENCE && i < capabilities->n; i++)
                if (node_is_scalar(capabilities->items[i]) && is_net_admin(capabilities->items[i]->text))
                        return arena_printf(b->arena, "holds %s", capabilities->items[i]->text);
        if (node_get_bool(s->node, "privileged", /* fallback= */ false))
                return "is privileged";
        for (size_t i = 0; devices && devices->kind == NODE_SEQUENCE && i < devices->n; i++)
                if (is_tun(b, devices->items[i]))
                        return "has /dev/net/tun";
        return NULL;
}

static void infer_owner(Build *b, Service *s) {
        const ServiceOptions *o = &b->options.services[service_index(b, s)];
        Extra *x = extra_of(b, s);

        if (o->tunnel == TUNNEL_YES) {
                s->is_tunnel = true;
                x->power = "is said to be a tunnel by x-unitproof";
        } else if (o->tunnel == TUNNEL_INFER && x->power) {
                s->is_tunnel = true;
                if (x->role != ROLE_OVERLAY)
                        return;
                diag_warning(b->diag, s->span, "tunnel-inferred",
                             "'%s' %s and others join its network, so all that they send has to leave "
                             "through it, and is "
                             "proved to; yet its image is one that often serves as a way in only",
                             s->name, x->power);
                diag_hint(b->diag, "if it is no way out, write 'x-unitproof: {tunnel: false}' on it");
        }
}

/* Other capabilities by which a client could leave the tunnel: each where it is given. What can change routes
 * has its own warning. */
static void warn_powers(Build *b, const Service *s) {
        const Node *added = node_get(s->node, "cap_add");

        for (size_t i = 0; added && added->kind == NODE_SEQUENCE && i < added->n; i++) {
                const Node *n = added->items[i];
                const PowerRow *row = node_is_scalar(n) ? power_find(n->text) : NULL;

                if (!row || is_net_admin(n->text))
                        continue;
                diag_warning(
                        b->diag, n->span, "client-power",
                        "'%s' holds %s, so it can %s, and the tunnel '%s' that it joins does not keep it in",
                        s->name, n->text, row->what, s->tunnel->name);
                diag_hint(b->diag,
                          "take it away, or write 'x-unitproof: {tunnel: false}' on '%s' to say that this "
                          "is known",
                          s->name);
        }
}

/* Joining what is called like a VPN and cannot be one. */
static void warn_powerless(Build *b, const Service *s) {
        const Service *owner = s->owner;

        if (b->options.services[service_index(b, owner)].tunnel != TUNNEL_INFER || !name_says_vpn(owner))
                return;
        diag_warning(
                b->diag, s->owner_span, "no-tunnel",
                "'%s' joins '%s', which is called like a VPN but cannot change routes (no NET_ADMIN, not "
                "privileged, no /dev/net/tun), so it is taken for no tunnel, and nothing is proved about "
                "'%s'",
                s->name, owner->name, s->name);
        diag_hint(b->diag,
                  "give '%s' what its image asks for, such as 'cap_add: [NET_ADMIN]'; or write 'x-unitproof: "
                  "{tunnel: true}' on it, or false to say that this is known",
                  owner->name);
}

/* Whoever can change the routes of a namespace can undo what was proved about it. */
static void warn_joiner(Build *b, const Service *s) {
        const Extra *x = extra_of(b, s);

        if (b->options.services[service_index(b, s)].tunnel != TUNNEL_INFER)
                return;
        if (s->tunnel)
                warn_powers(b, s);
        else if (s->owner && !x->power)
                warn_powerless(b, s);
        if (!x->power)
                return;
        if (s->tunnel) {
                diag_warning(b->diag, s->owner_span, "client-power",
                             "'%s' %s, so it can change the routes of the tunnel '%s' that it joins", s->name,
                             x->power, s->tunnel->name);
                diag_hint(b->diag, "a client needs no such power; take it away, or write 'x-unitproof: "
                                   "{tunnel: false}' on it to "
                                   "say that this is known");
        } else if (s->owner) {
                diag_warning(b->diag, s->owner_span, "no-tunnel",
                             "'%s' %s, but the network that it makes a tunnel of belongs to '%s'; nothing is "
                             "proved about it",
                             s->name, x->power, s->owner->name);
                diag_hint(b->diag, "let '%s' have a network of its own and the others join it", s->name);
        }
}

/* "tunnel" on a service where the word can do nothing. */
static void check_choice(Build *b, const Service *s) {
        const ServiceOptions *o = &b->options.services[service_index(b, s)];

        if (o->tunnel == TUNNEL_YES && s->owner) {
                diag_error(b->diag, o->tunnel_span, "wrong-value",
                           "'%s' cannot be a tunnel: it has no network of its own, it joins '%s'", s->name,
                           s->owner->name);
                diag_hint(b->diag, "say so on '%s'", s->owner->name);
        } else if (o->tunnel == TUNNEL_YES && s->network != NETWORK_OWN)
                diag_error(b->diag, o->tunnel_span, "wrong-value",
                           "'%s' cannot be a tunnel: with network_mode %s nobody can join it", s->name,
                           s->network == NETWORK_HOST   ? "host"
                           : s->network == NETWORK_NONE ? "none"
                                                        : "container:…");
        else if (o->tunnel == TUNNEL_YES && !s->is_owner)
                diag_warning(b->diag, o->tunnel_span, "unused-option", "no service joins the tunnel '%s'",
                             s->name);
}

/* A tunnel in the host's own network: those that join it are not set apart from the host by anything. */
static void warn_host(Build *b, const Service *s) {
        const Extra *x = extra_of(b, s);
        Service *target = x->joins ? map_get(&b->by_name, x->joins) : NULL;

        if (!target || s->network != NETWORK_HOST || !extra_of(b, target)->power)
                return;
        diag_warning(b->diag, s->owner_span, "no-tunnel",
                     "'%s' joins '%s' in the network of the host: nothing keeps it to a tunnel, and "
                     "nothing is proved about it",
                     s->name, target->name);
        diag_hint(b->diag, "take 'network_mode: host' from '%s'", target->name);
}

static void read_change(Build *b, Service *s) {
        const ServiceOptions *o = &b->options.services[service_index(b, s)];

        s->restart_on_change = s->is_tunnel && o->restart_on_change;
        if (o->on_change_span.line > 0 && !s->is_tunnel)
                diag_warning(b->diag, o->on_change_span, "unused-option",
                             "'%s' is no tunnel, and only the files of tunnels are watched", s->name);
}

void tunnels_infer(Build *b) {
        Stack *st = b->stack;

        for (size_t i = 0; i < st->n_services; i++) {
                extra_of(b, &st->services[i])->power = route_power(b, &st->services[i]);
                if (st->services[i].is_owner)
                        infer_owner(b, &st->services[i]);
        }
        for (size_t i = 0; i < st->n_services; i++) {
                Service *s = &st->services[i];

                if (s->owner && s->owner->is_tunnel)
                        s->tunnel = s->owner;
                read_change(b, s);
                check_choice(b, s);
                warn_joiner(b, s);
                warn_host(b, s);
        }
}
