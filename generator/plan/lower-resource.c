/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* Networks and volumes that some service uses; Compose makes no others. */

typedef struct Resource {
        Lower *lower;
        UnitWriter lines;
} Resource;

static void resource_line(Resource *r, const char *key, EscapeClass class, const Node *n, const char *value) {
        r->lines.span = n->span;
        if (n->secret) {
                diag_error(r->lower->diag, n->span, "cannot-express",
                           "a secret cannot stand in '%s': it would be readable in a unit", key);
                return;
        }
        unit_line(&r->lines, key, class, value);
}

static void resource_scalar(Resource *r, const char *key, EscapeClass class, const Node *n) {
        if (node_is_scalar(n) && n->text[0])
                resource_line(r, key, class, n, n->text);
}

static void resource_pairs(Resource *r, const char *key, const Node *mapping) {
        for (size_t i = 0; mapping && mapping->kind == NODE_MAPPING && i < mapping->n; i++) {
                const NodePair *p = mapping->pairs + i;

                resource_line(r, key, ESCAPE_QUADLET_KEYVAL, p->value,
                              arena_printf(r->lower->arena, "%s=%s", p->key->text,
                                           node_is_scalar(p->value) ? p->value->text : ""));
        }
}

static void refuse(Resource *r, const Node *n, const char *what) {
        diag_error(r->lower->diag, n->span, "cannot-express", "%s", what);
}

static bool name_is_plain(const char *name) {
        return name[0] && !strchr("-._", name[0]) &&
               !name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._")];
}

static void finish(Resource *r, const NodePair *p, const char *kind, const Template *template) {
        Lower *l = r->lower;
        const char *name = node_get_text(p->value, "name")
                                   ?: arena_printf(l->arena, "%s_%s", l->stack->project, p->key->text);
        const char *file = arena_printf(l->arena, "%s-%s.%s", l->stack->name, p->key->text, kind);
        UnitWriter unit = unit_writer(l->arena, l->diag);
        Deps deps = { 0 };

        if (!name_is_plain(name)) {
                refuse(r, p->key,
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

/* ---- networks ---- */

/* Options of Docker's drivers that Podman knows by another name. */
static const struct {
        const char *docker;
        const char *key, *option; /* Options=option=VALUE, or PodmanArgs=option=VALUE */
} network_options[] = {
        { "com.docker.network.bridge.name", "PodmanArgs", "--interface-name" },
        { "com.docker.network.driver.mtu", "Options", "mtu" },
        { "ipvlan_mode", "Options", "mode" },
        { "isolate", "Options", "isolate" },
        { "macvlan_mode", "Options", "mode" },
        { "metric", "Options", "metric" },
        { "mode", "Options", "mode" },
        { "mtu", "Options", "mtu" },
        { "no_default_route", "Options", "no_default_route" },
        { "parent", "Options", "parent" },
        { "vlan", "Options", "vlan" },
        { "vrf", "Options", "vrf" },
};

static void network_option(Resource *r, const NodePair *p) {
        Arena *a = r->lower->arena;

        for (size_t i = 0; i < ELEMENTS(network_options); i++)
                if (str_equal(network_options[i].docker, p->key->text)) {
                        bool arg = str_equal(network_options[i].key, "PodmanArgs");

                        resource_line(
                                r, network_options[i].key, arg ? ESCAPE_QUADLET_ARGV : ESCAPE_QUADLET_KEYVAL,
                                p->value,
                                arena_printf(a, "%s=%s", network_options[i].option, p->value->text ?: ""));
                        return;
                }
        refuse(r, p->key,
               arena_printf(a, "the option '%s' of Docker's network drivers has no counterpart in Podman",
                            p->key->text));
}

static void network_pool(Resource *r, const Node *pool) {
        const Node *aux = node_get(pool, "aux_addresses"), *subnet = node_get(pool, "subnet");

        if (!node_is_scalar(subnet)) {
                refuse(r, pool, "an address pool without 'subnet' cannot be made with Podman");
                return;
        }
        if (aux && aux->n > 0)
                refuse(r, aux, "'aux_addresses' have no counterpart in Podman");
        resource_scalar(r, "Subnet", ESCAPE_QUADLET_LINE, subnet);
        resource_scalar(r, "Gateway", ESCAPE_QUADLET_LINE, node_get(pool, "gateway"));
        resource_scalar(r, "IPRange", ESCAPE_QUADLET_LINE, node_get(pool, "ip_range"));
}

/* quadlet pairs the lines by their number: the second gateway belongs to the second subnet. */
static bool pools_pair(const Node *pools, const char *key) {
        bool gap = false;

        for (size_t i = 0; i < pools->n; i++) {
                bool has = node_get_text(pools->items[i], key) != NULL;

                if (has && gap)
                        return false;
                gap |= !has;
        }
        return true;
}

static void network_pools(Resource *r, const Node *ipam) {
        const Node *pools = node_get(ipam, "config"), *driver = node_get(ipam, "driver");

        if (node_is_scalar(driver) && driver->text[0] && !str_equal(driver->text, "default"))
                resource_scalar(r, "IPAMDriver", ESCAPE_QUADLET_SCALAR, driver);
        if (!pools || pools->kind != NODE_SEQUENCE)
                return;
        if (!pools_pair(pools, "gateway") || !pools_pair(pools, "ip_range"))
                refuse(r, pools,
                       "an address pool without a gateway or range stands before one that has it; put it "
                       "last");
        for (size_t i = 0; i < pools->n; i++)
                network_pool(r, pools->items[i]);
}

static void lower_network(Lower *l, const NodePair *p) {
        Resource r = { .lower = l, .lines = unit_writer(l->arena, l->diag) };
        const Node *driver = node_get(p->value, "driver"), *options = node_get(p->value, "driver_opts");
        const Node *ipv4 = node_get(p->value, "enable_ipv4");

        if (node_is_scalar(driver) && driver->text[0] && !str_equal(driver->text, "bridge") &&
            !str_equal(driver->text, "default")) {
                if (str_equal(driver->text, "macvlan") || str_equal(driver->text, "ipvlan"))
                        resource_scalar(&r, "Driver", ESCAPE_QUADLET_SCALAR, driver);
                else {
                        refuse(&r, driver,
                               arena_printf(l->arena, "Podman has no network driver '%s'", driver->text));
                        if (str_equal(driver->text, "overlay"))
                                diag_hint(l->diag, "on one host a bridge does the same: remove 'driver'");
                }
        }
        if (node_get_bool(p->value, "internal", /* fallback= */ false))
                unit_line(&r.lines, "Internal", ESCAPE_WORD, "true");
        if (node_get_bool(p->value, "enable_ipv6", /* fallback= */ false))
                unit_line(&r.lines, "IPv6", ESCAPE_WORD, "true");
        if (ipv4 && ipv4->kind == NODE_BOOL && !value_is_true(ipv4))
                refuse(&r, ipv4,
                       "Podman cannot make a network without IPv4 by this key; give it one IPv6 subnet under "
                       "'ipam'");
        network_pools(&r, node_get(p->value, "ipam"));
        for (size_t i = 0; options && options->kind == NODE_MAPPING && i < options->n; i++)
                network_option(&r, options->pairs + i);
        resource_pairs(&r, "Label", node_get(p->value, "labels"));
        finish(&r, p, "network", &template_network);
}

/* ---- volumes ---- */

static void volume_options(Resource *r, const Node *options) {
        const Node *device = node_get(options, "device");

        for (size_t i = 0; options && options->kind == NODE_MAPPING && i < options->n; i++) {
                const NodePair *p = options->pairs + i;

                if (!node_is_scalar(p->value))
                        continue;
                if (str_equal(p->key->text, "device"))
                        resource_scalar(r, "Device", ESCAPE_QUADLET_SCALAR, p->value);
                else if (str_equal(p->key->text, "type") && device)
                        resource_scalar(r, "Type", ESCAPE_QUADLET_SCALAR, p->value);
                else if (str_equal(p->key->text, "o") && device)
                        resource_scalar(r, "Options", ESCAPE_QUADLET_SCALAR, p->value);
                else
                        resource_line(
                                r, "PodmanArgs", ESCAPE_QUADLET_ARGV, p->value,
                                arena_printf(r->lower->arena, "--opt=%s=%s", p->key->text, p->value->text));
        }
}

static void lower_volume(Lower *l, const NodePair *p) {
        Resource r = { .lower = l, .lines = unit_writer(l->arena, l->diag) };
        const Node *driver = node_get(p->value, "driver"), *options = node_get(p->value, "driver_opts");

        if (node_is_scalar(driver) && driver->text[0] && !str_equal(driver->text, "local"))
                resource_scalar(&r, "Driver", ESCAPE_QUADLET_SCALAR, driver);
        volume_options(&r, options);
        resource_pairs(&r, "Label", node_get(p->value, "labels"));
        finish(&r, p, "volume", &template_volume);
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
}
