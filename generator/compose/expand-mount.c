/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "generator/base/str.h"
#include "generator/compose/mount.h"
#include "generator/compose/rules.h"
#include "generator/compose/value.h"

/* Short forms of ports, mounts and devices. */

static void set_text(Load *l, Node *mapping, const char *key, const Node *from, const char *text) {
        if (text && *text)
                node_set(l->arena, mapping, key, from->span, value_string(l, from, text));
}

static void set_true(Load *l, Node *mapping, const char *key, const Node *from) {
        node_set(l->arena, mapping, key, from->span, node_new_bool(l->arena, from->span, true));
}

/* What Go's path.Clean does to a path inside a container. */
static const char *clean_target(Load *l, const char *target) {
        return *target ? path_normalize(l->arena, target) : target;
}

/* How files of a Mac are kept in step: nothing on Linux. */
static bool is_for_macs(const char *option, size_t length) {
        static const char *const words[] = { "cached", "consistent", "default", "delegated" };

        for (size_t i = 0; i < ELEMENTS(words); i++)
                if (strlen(words[i]) == length && strncmp(option, words[i], length) == 0)
                        return true;
        return false;
}

/* Compose passes over what it does not know, without a word. */
static void report_options(Load *l, const Node *n, const char *options) {
        for (const char *p = options; *p; p += *p == ',') {
                size_t length = strcspn(p, ",");

                if (is_for_macs(p, length))
                        diag_note(l->diag, n->span, "different",
                                  "the option '%.*s' of a mount is left out: it has no meaning on Linux",
                                  (int) length, p);
                else {
                        diag_warning(l->diag, n->span, "ignored",
                                     "Compose has no option '%s' for a mount, and passes over it",
                                     str_printable(l->arena, arena_strndup(l->arena, p, length)));
                        diag_hint(l->diag, "it knows ro, rw, nocopy, z, Z, and words of propagation such as "
                                           "rslave");
                }
                p += length;
        }
}

Node *expand_mount(Load *l, Node *n) {
        Node *mount, *options;
        MountSpec m;

        if (n->kind != NODE_STRING)
                return n;
        if (!mount_parse(l->arena, n->text, &m)) {
                diag_error(l->diag, n->span, "bad-value", "'%s' is no mount", n->text);
                diag_hint(l->diag, "write SOURCE:TARGET or SOURCE:TARGET:ro, or the long form");
                return n;
        }
        if (m.unknown)
                report_options(l, n, m.unknown);
        mount = mapping_new(l, n->span);
        set_text(l, mount, "type", n, m.bind ? "bind" : "volume");
        set_text(l, mount, "source", n, m.source);
        set_text(l, mount, "target", n, clean_target(l, m.target));
        if (m.read_only)
                set_true(l, mount, "read_only", n);
        if (m.bind || m.selinux || m.propagation) {
                options = mapping_new(l, n->span);
                set_text(l, options, "selinux", n, m.selinux);
                set_text(l, options, "propagation", n, m.propagation);
                if (m.bind)
                        set_true(l, options, "create_host_path", n);
                node_set(l->arena, mount, "bind", n->span, options);
        }
        /* A name of up to two characters is an anonymous volume without options. */
        if (m.no_copy || (!m.bind && strlen(n->text) > 2)) {
                options = mapping_new(l, n->span);
                if (m.no_copy)
                        set_true(l, options, "nocopy", n);
                node_set(l->arena, mount, "volume", n->span, options);
        }
        return mount;
}

static void add_port(Load *l, Node *list, const Node *from, const PortSpec *p, unsigned offset) {
        Node *port = mapping_new(l, from->span);

        set_text(l, port, "mode", from, "ingress");
        set_text(l, port, "host_ip", from, p->address);
        node_set(l->arena, port, "target", from->span,
                 node_new_int(l->arena, from->span, (long long) p->first + offset));
        /* One port inside and a range outside: the engine picks one of them. */
        if (p->has_host && p->first == p->last && p->host_first != p->host_last)
                set_text(l, port, "published", from,
                         arena_printf(l->arena, "%u-%u", p->host_first, p->host_last));
        else if (p->has_host)
                set_text(l, port, "published", from, arena_printf(l->arena, "%u", p->host_first + offset));
        set_text(l, port, "protocol", from, p->protocol);
        node_append(l->arena, list, port);
}

static int port_compare(const void *a, const void *b) {
        const Node *x = node_get(*(Node *const *) a, "target"), *y = node_get(*(Node *const *) b, "target");

        return strcmp(x->text, y->text);
}

Node *expand_ports(Load *l, Node *n) {
        Node *list;

        if (n->kind != NODE_SEQUENCE)
                return n;
        list = sequence_new(l, n->span);
        for (size_t i = 0; i < n->n; i++) {
                const Node *item = n->items[i];
                size_t before = list->n;
                const char *wrong;
                PortSpec p;

                if (!node_is_scalar(item)) {
                        node_append(l->arena, list, n->items[i]);
                        continue;
                }
                wrong = ports_parse(l->arena, value_text(l->arena, item), &p);
                if (!wrong && p.first == 0)
                        wrong = "a container has no port 0";
                if (wrong) {
                        diag_error(l->diag, item->span, "bad-value", "'%s' is no port: %s", item->text,
                                   wrong);
                        diag_hint(l->diag, "write [ADDRESS:][HOST:]CONTAINER[/PROTOCOL], in quotes");
                        continue;
                }
                for (unsigned offset = 0; offset <= p.last - p.first; offset++)
                        add_port(l, list, item, &p, offset);
                /* by text, as Compose has them: 10 before 9 */
                qsort(list->items + before, list->n - before, sizeof *list->items, port_compare);
        }
        return list;
}

Node *expand_device(Load *l, Node *n) {
        const char *parts[3] = { NULL, NULL, "rwm" };
        size_t n_parts = 0;
        Node *device;

        if (n->kind != NODE_STRING)
                return n;
        for (const char *p = n->text, *end; p; p = *end ? end + 1 : NULL) {
                end = strchrnul(p, ':');
                if (n_parts == 3) {
                        diag_error(l->diag, n->span, "bad-value", "'%s' is no device", n->text);
                        diag_hint(l->diag, "write SOURCE:TARGET:PERMISSIONS, or the long form");
                        return n;
                }
                parts[n_parts++] = arena_strndup(l->arena, p, (size_t) (end - p));
        }
        if (!parts[1] || !*parts[1])
                parts[1] = parts[0];
        device = mapping_new(l, n->span);
        set_text(l, device, "source", n, parts[0]);
        set_text(l, device, "target", n, parts[1]);
        set_text(l, device, "permissions", n, parts[2]);
        return device;
}
