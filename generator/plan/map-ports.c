/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* Ports: what of a network namespace the host's network reaches. */

static unsigned long port_number(const Node *port, const char *side) {
        const char *text = node_get_text(port, side);

        return text && text[0] && !text[strspn(text, "0123456789")] ? strtoul(text, NULL, 10) : 0;
}

/* Without "published" the engine chooses, also for a range as a whole. */
static bool port_follows(const Node *start, const Node *port, size_t distance) {
        static const char *const same[] = { "host_ip", "protocol" };
        unsigned long published = port_number(start, "published");

        if (port->secret || port_number(port, "target") != port_number(start, "target") + distance ||
            port_number(port, "published") != (published ? published + distance : 0))
                return false;
        if (!published && strchr(node_get_text(port, "published") ?: "", '-'))
                return false;
        for (size_t i = 0; i < ELEMENTS(same); i++)
                if (!str_equal(node_get_text(start, same[i]) ?: "", node_get_text(port, same[i]) ?: ""))
                        return false;
        return true;
}

/* How many ports from this one on are one range. Compose takes ranges apart, and a line for each of some ten
 * thousand ports is more than systemd loads or a command line holds. */
static size_t ports_in_range(Node *const *ports, size_t n_ports) {
        size_t n = 1;

        if (ports[0]->secret || !port_number(ports[0], "target") || !port_follows(ports[0], ports[0], 0))
                return 1;
        while (n < n_ports && port_follows(ports[0], ports[n], n))
                n++;
        return n;
}

static int compare_targets(const void *a, const void *b) {
        unsigned long x = port_number(*(Node *const *) a, "target"),
                      y = port_number(*(Node *const *) b, "target");

        return x < y ? -1 : x > y;
}

/* Compose sorts the ports of one range by their text: 10 stands before 9. */
static Node **ports_in_order(Arena *a, const Node *list) {
        Node **ports = arena_new_array(a, Node *, list->n);
        size_t n;

        memcpy(ports, list->items, list->n * sizeof(*ports));
        for (size_t i = 0; i < list->n; i += n) {
                for (n = 1; i + n < list->n && ports[i]->span.file == ports[i + n]->span.file &&
                            ports[i]->span.line == ports[i + n]->span.line &&
                            ports[i]->span.column == ports[i + n]->span.column;)
                        n++;
                qsort(ports + i, n, sizeof(*ports), compare_targets);
        }
        return ports;
}

/* "8080", or "8080-8089" for ten of them. */
static void add_ports(Buf *b, const char *first, size_t n) {
        buf_add(b, first);
        if (n > 1)
                buf_printf(b, "-%lu", strtoul(first, NULL, 10) + n - 1);
}

/* `n` ports from this one on. */
static void emit_port(Draft *d, const ServiceKey *key, const Node *port, size_t n, UnitWriter *w) {
        const char *target = node_get_text(port, "target"), *published = node_get_text(port, "published");
        const char *ip = node_get_text(port, "host_ip"), *protocol = node_get_text(port, "protocol");
        Buf b = BUF(d->lower->arena);

        if (!target || str_equal(target, "0") || strtoul(target, NULL, 10) + n - 1 > 65535) {
                draft_refuse(d, port, "a port of '%s' is not between 1 and 65535", d->service->name);
                return;
        }
        if (published && strchr(published, '-') && !strchr(target, '-')) {
                draft_refuse(d, port,
                             "'%s' leaves the choice of a port to the engine, and Podman cannot choose from "
                             "a range",
                             published);
                diag_hint(d->lower->diag, "name one port");
                return;
        }
        if (ip && ip[0])
                buf_printf(&b, strchr(ip, ':') && ip[0] != '[' ? "[%s]:" : "%s:", ip); /* IPv6 in brackets */
        if (published && published[0] && !str_equal(published, "0")) {
                add_ports(&b, published, n);
                buf_add_char(&b, ':');
        } else if (ip && ip[0])
                buf_add_char(&b, ':');
        add_ports(&b, target, n);
        if (protocol && protocol[0] && !str_equal(protocol, "tcp"))
                buf_printf(&b, "/%s", protocol);
        draft_line(d, w, key->name, key->class, port, buf_text(&b));
}

void emit_ports(Draft *d, const ServiceKey *key, const Node *value) {
        UnitWriter *w;
        Node **ports;

        if (value->kind != NODE_SEQUENCE || value->n == 0)
                return;
        if (d->service->network == NETWORK_HOST || d->service->network == NETWORK_NONE) {
                diag_warning(d->lower->diag, value->span, "different",
                             "the ports of '%s' are not published: it has network_mode %s", d->service->name,
                             d->service->network == NETWORK_HOST ? "host" : "none");
                return;
        }
        w = draft_shared_network(d, key, value);
        ports = ports_in_order(d->lower->arena, value);
        for (size_t i = 0, n; w && i < value->n; i += n) {
                n = ports_in_range(ports + i, value->n - i);
                emit_port(d, key, ports[i], n, w);
        }
}

/* "8080", "8000-8010/udp": isPortRange() of quadlet. */
static bool is_port_range(const char *text) {
        size_t n = strspn(text, "0123456789"), m;

        if (n == 0)
                return false;
        text += n;
        if (*text == '-') {
                m = strspn(text + 1, "0123456789");
                if (m == 0)
                        return false;
                text += m + 1;
        }
        return !*text || str_equal(text, "/tcp") || str_equal(text, "/udp");
}

void emit_expose(Draft *d, const ServiceKey *key, const Node *value) {
        /* Between containers every port is open: the key tells readers, and the engine's own "publish all". A
         * pod has no place for it. */
        if (d->network != &d->container || d->service->network != NETWORK_OWN)
                return;
        for (size_t i = 0; value->kind == NODE_SEQUENCE && i < value->n; i++)
                if (is_port_range(value->items[i]->text))
                        draft_line(d, &d->container, key->name, key->class, value->items[i],
                                   value->items[i]->text);
                else
                        draft_refuse(d, value->items[i], "'%s' is no port",
                                     escape_for_message(d->lower->arena, value->items[i]->text, 80));
}
