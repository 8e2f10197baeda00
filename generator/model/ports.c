/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <arpa/inet.h>
#include <ctype.h>
#include <stdlib.h>

#include "generator/model/build.h"

/* Two services that publish one port of the host: the second would fail at boot with the engine's words, long
 * after the operator has looked away. */

typedef struct PortClaim {
        const Service *service;
        Span span;
        unsigned first, last;
        const char *protocol;
        const char *address; /* as written, "" for all */
        int family;          /* AF_INET, AF_INET6, or AF_UNSPEC for both */
        unsigned char bytes[16];
        bool wildcard;
} PortClaim;

typedef struct PortClaims {
        PortClaim *claims;
        size_t n, capacity;
} PortClaims;

/* "8080" or "8000-8010"; false if it is neither, or 0, which leaves the choice to the engine. */
static bool port_range(const char *text, unsigned *ret_first, unsigned *ret_last) {
        unsigned long first, last;
        char *end;

        if (!text || !isdigit((unsigned char) text[0]))
                return false;
        last = first = strtoul(text, &end, 10);
        if (*end == '-' && isdigit((unsigned char) end[1]))
                last = strtoul(end + 1, &end, 10);
        if (*end || first == 0 || last > 65535 || first > last)
                return false;
        *ret_first = (unsigned) first;
        *ret_last = (unsigned) last;
        return true;
}

static void set_address(PortClaim *c, const char *address) {
        static const unsigned char zero[16];

        c->address = address ?: "";
        c->family = AF_UNSPEC;
        if (inet_pton(AF_INET, c->address, c->bytes) == 1)
                c->family = AF_INET;
        else if (inet_pton(AF_INET6, c->address, c->bytes) == 1)
                c->family = AF_INET6;
        c->wildcard = memcmp(c->bytes, zero, sizeof(zero)) == 0;
}

static bool claims_clash(const PortClaim *x, const PortClaim *y) {
        if (x->service == y->service || !str_equal(x->protocol, y->protocol) || x->first > y->last ||
            y->first > x->last)
                return false;
        if (x->family != AF_UNSPEC && y->family != AF_UNSPEC && x->family != y->family)
                return false;
        return x->wildcard || y->wildcard || memcmp(x->bytes, y->bytes, sizeof(x->bytes)) == 0;
}

static void add_port(Build *b, PortClaims *all, const Service *s, const Node *port) {
        const Node *published = node_get(port, "published");
        PortClaim c = { .service = s, .protocol = node_get_text(port, "protocol") ?: "tcp" };

        if (!published || !port_range(node_get_text(port, "published"), &c.first, &c.last))
                return;
        /* A short form is one value: then the entry has the better position. */
        c.span = published->span.line > 0 ? published->span : port->span;
        set_address(&c, node_get_text(port, "host_ip"));
        all->claims = arena_grow(b->arena, all->claims, sizeof(PortClaim), &all->capacity, all->n + 1);
        all->claims[all->n++] = c;
}

static int compare_claims(const void *a, const void *b) {
        const PortClaim *x = a, *y = b;

        if (x->first != y->first)
                return x->first < y->first ? -1 : 1;
        if (x->service != y->service)
                return x->service < y->service ? -1 : 1;
        return x->span.line != y->span.line ? (x->span.line < y->span.line ? -1 : 1) : 0;
}

static void report(Build *b, const PortClaim *x, const PortClaim *y) {
        unsigned first = x->first > y->first ? x->first : y->first,
                 last = x->last < y->last ? x->last : y->last;
        const char *port = first == last ? arena_printf(b->arena, "%u", first)
                                         : arena_printf(b->arena, "%u-%u", first, last);

        diag_error(b->diag, y->span, "port-clash",
                   "services '%s' and '%s'%s both publish port %s/%s of the host", y->service->name,
                   x->service->name, other_position(b, x->span), port, y->protocol);
        diag_hint(b->diag, "publish one of them on another port or another address");
}

void ports_check(Build *b) {
        PortClaims all = { 0 };

        for (size_t i = 0; i < b->stack->n_services; i++) {
                const Service *s = &b->stack->services[i];
                const Node *ports = node_get(s->node, "ports");

                if (s->network == NETWORK_HOST || s->network == NETWORK_NONE)
                        continue;
                for (size_t j = 0; ports && ports->kind == NODE_SEQUENCE && j < ports->n; j++)
                        add_port(b, &all, s, ports->items[j]);
        }
        if (all.n < 2)
                return;
        qsort(all.claims, all.n, sizeof(PortClaim), compare_claims);
        for (size_t i = 0; i < all.n; i++)
                for (size_t j = i + 1; j < all.n && all.claims[j].first <= all.claims[i].last; j++)
                        if (claims_clash(&all.claims[i], &all.claims[j])) {
                                report(b, &all.claims[i], &all.claims[j]);
                                break;
                        }
}
