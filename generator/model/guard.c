/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/subnet.h"
#include "generator/model/build.h"

/* The kill rule of a tunnel (decision 0012): whether it is on, and which private addresses its clients may
 * reach beside the tunnel. Operators have said the latter already, to the kill switch of their image. */

/* unitproof-netns takes that many. */
enum { ALLOW_MAX = 16 };

/* What such images call the subnets that clients may reach. Names that only open the way in (binhex's
 * LAN_NETWORK) are not here: answers need no exception. */
static const struct AllowVariable {
        const char *name;
        const char *if_true; /* counts only if this one is true */
} allow_variables[] = {
        { "FIREWALL_OUTBOUND_SUBNETS", NULL },         /* gluetun */
        { "LOCAL_NETWORK", NULL },                     /* haugene, thrnz, bmoorman */
        { "LOCAL_SUBNETS", NULL },                     /* jordanpotter */
        { "VPN_LAN_NETWORK", "VPN_LAN_LEAK_ENABLED" }, /* hotio */
};

const char *const guard_option_keys[] = { "allow", "enabled" };
const size_t n_guard_option_keys = ELEMENTS(guard_option_keys);

static void read_allow(Build *b, const Node *value, GuardOption *o) {
        size_t n = option_strings(b, value, "'allow'", &o->allow, &o->allow_spans);

        for (size_t i = 0; i < n; i++) {
                Subnet subnet;

                if (!subnet_parse(o->allow[i], &subnet)) {
                        diag_error(b->diag, o->allow_spans[i], "wrong-value",
                                   "an entry of 'allow' has to be a subnet, such as 192.168.1.0/24");
                        continue;
                }
                if (subnet_is_private(&subnet))
                        continue;
                diag_error(b->diag, o->allow_spans[i], "wrong-value",
                           "'allow' can only hold private addresses: %s is not", o->allow[i]);
                diag_hint(b->diag,
                          "what clients send to a public address has to go through the tunnel; to do "
                          "without the kill rule, write 'guard: off'");
        }
        o->n_allow = n;
}

void options_read_guard(Build *b, const Node *value, Service *service) {
        GuardOption *o = &b->options.services[service_index(b, service)].guard;

        *o = (GuardOption){ .set = true, .on = true, .span = value->span };
        if (option_is_true(value, &o->on))
                return;
        if (value->kind != NODE_MAPPING) {
                diag_error(b->diag, value->span, "wrong-type",
                           "'guard' has to be on, off or a mapping, not %s", node_kind_name(value->kind));
                return;
        }
        for (size_t i = 0; i < value->n; i++) {
                const Node *key = value->pairs[i].key, *item = value->pairs[i].value;

                if (str_equal(key->text, "allow"))
                        read_allow(b, item, o);
                else if (!str_equal(key->text, "enabled"))
                        option_unknown(b, key, "'guard' of x-unitproof", guard_option_keys,
                                       n_guard_option_keys);
                else if (option_is_true(item, &o->on))
                        o->span = item->span;
                else
                        diag_error(b->diag, item->span, "wrong-type", "'enabled' has to be true or false");
        }
}

static void allow_add(Build *b, Guard *g, const char *text, Span span, const char *why) {
        char canonical[SUBNET_TEXT_SIZE];
        Subnet subnet;

        (void) subnet_parse(text, &subnet);
        (void) subnet_text(&subnet, canonical);
        for (size_t i = 0; i < g->n_allow; i++)
                if (str_equal(g->allow[i].subnet, canonical))
                        return;
        g->allow = arena_grow(b->arena, g->allow, sizeof(*g->allow), &g->capacity, g->n_allow + 1);
        g->allow[g->n_allow++] = (GuardRange){ arena_strdup(b->arena, canonical), why, span };
}

/* A list with commas, blanks or semicolons between, as those images take it. */
static void infer_variable(Build *b, Service *s, Guard *g, const char *name, const Node *value) {
        const char *why = arena_printf(b->arena, "%s of %s", name, s->name);
        static const char between[] = ", ;\t\n";

        for (const char *p = value->text; *p;) {
                size_t n = strcspn(p, between);
                const char *word = arena_strndup(b->arena, p, n);

                p += n + (p[n] != '\0');
                if (n == 0)
                        continue;
                if (subnet_text_is_private(word)) {
                        allow_add(b, g, word, value->span, why);
                        continue;
                }
                diag_warning(
                        b->diag, value->span, "not-allowed",
                        "%s names %s, which is no private subnet: the kill rule makes no exception for it",
                        why, word);
                diag_hint(b->diag, "what clients send there goes through the tunnel, or nowhere");
        }
}

static void infer_allow(Build *b, Service *s, Guard *g) {
        const Node *environment = node_get(s->node, "environment");

        for (size_t i = 0; i < ELEMENTS(allow_variables); i++) {
                const Node *value = node_get(environment, allow_variables[i].name);
                const Node *condition =
                        allow_variables[i].if_true ? node_get(environment, allow_variables[i].if_true) : NULL;
                bool yes = !allow_variables[i].if_true;

                if (!node_is_scalar(value) || value->secret)
                        continue;
                if (node_is_scalar(condition))
                        (void) option_is_true(condition, &yes);
                if (yes)
                        infer_variable(b, s, g, allow_variables[i].name, value);
        }
}

/* The links that egress proofs have to find, since a rule that did not know them would close them. */
static void take_interfaces(Build *b, const Service *s, Guard *g) {
        const Stack *st = b->stack;

        g->interfaces = arena_new_array(b->arena, const char *, st->n_services + 1);
        for (size_t i = 0; i < st->n_services; i++) {
                const char *name;
                bool known = false;

                if (st->services[i].tunnel != s)
                        continue;
                name = options_proof(b, &st->services[i], PROOF_EGRESS)->interface;
                for (size_t j = 0; name && j < g->n_interfaces; j++)
                        known = known || str_equal(g->interfaces[j], name);
                if (name && !known)
                        g->interfaces[g->n_interfaces++] = name;
        }
}

static bool has_clients(const Build *b, const Service *s) {
        for (size_t i = 0; i < b->stack->n_services; i++)
                if (b->stack->services[i].tunnel == s)
                        return true;
        return false;
}

void guards_build(Build *b) {
        for (size_t i = 0; i < b->stack->n_services; i++) {
                Service *s = &b->stack->services[i];
                const GuardOption *o = &b->options.services[i].guard;
                Guard *g;

                if (!has_clients(b, s)) {
                        if (o->set)
                                diag_warning(b->diag, o->span, "unused-option",
                                             "'%s' is no tunnel with clients, so that there is no kill rule",
                                             s->name);
                        continue;
                }
                g = s->guard = arena_new_object(b->arena, Guard);
                g->span = o->set ? o->span : s->span;
                g->off = o->set && !o->on;
                if (g->off)
                        continue;
                for (size_t j = 0; j < o->n_allow; j++)
                        allow_add(b, g, o->allow[j], o->allow_spans[j], "x-unitproof");
                infer_allow(b, s, g);
                take_interfaces(b, s, g);
                if (g->n_allow > ALLOW_MAX)
                        diag_error(b->diag, g->allow[ALLOW_MAX].span, "wrong-value",
                                   "the kill rule of '%s' can have %d exceptions, and these are %zu", s->name,
                                   ALLOW_MAX, g->n_allow);
        }
}
