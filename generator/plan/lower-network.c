/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/base/subnet.h"
#include "generator/plan/resource.h"

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
        resource_refuse(
                r, p->key,
                arena_printf(a, "the option '%s' of Docker's network drivers has no counterpart in Podman",
                             p->key->text));
}

/* What podman refuses when it makes the network. A range may also be written FIRST-LAST. */
static void judge_pool(Resource *r, const Node *pool) {
        static const char *const parts[] = { "gateway", "ip_range" };
        const Node *subnet = node_get(pool, "subnet");
        Subnet all, part;

        if (!strchr(subnet->text, '/') || !subnet_parse(subnet->text, &all)) {
                resource_refuse(r, subnet, "this is no subnet");
                diag_hint(r->lower->diag, "write ADDRESS/LENGTH, such as 10.89.1.0/24");
                return;
        }
        for (size_t i = 0; i < ELEMENTS(parts); i++) {
                const Node *n = node_get(pool, parts[i]);

                if (!node_is_scalar(n) || !n->text[0] || strchr(n->text, '-') ||
                    (subnet_parse(n->text, &part) && subnet_contains(&all, &part)))
                        continue;
                resource_refuse(r, n,
                                arena_printf(r->lower->arena, "'%s' is not in the subnet '%s'", parts[i],
                                             subnet->text));
        }
}

static void network_pool(Resource *r, const Node *pool) {
        const Node *aux = node_get(pool, "aux_addresses"), *subnet = node_get(pool, "subnet");

        if (!node_is_scalar(subnet)) {
                resource_refuse(r, pool, "an address pool without 'subnet' cannot be made with Podman");
                return;
        }
        if (aux && aux->n > 0)
                resource_refuse(r, aux, "'aux_addresses' have no counterpart in Podman");
        judge_pool(r, pool);
        resource_scalar(r, "Subnet", ESCAPE_QUADLET_LINE, subnet);
        resource_scalar(r, "Gateway", ESCAPE_QUADLET_LINE, node_get(pool, "gateway"));
        resource_scalar(r, "IPRange", ESCAPE_QUADLET_LINE, node_get(pool, "ip_range"));
}

/* quadlet pairs the lines by their number: the second gateway belongs to the second subnet. So pools that say
 * more stand first; to the network their order is all the same. */
static Node **pools_in_order(Arena *a, const Node *pools) {
        Node **ordered = arena_new_array(a, Node *, pools->n + 1);
        size_t n = 0;

        for (int said = 2; said >= 0; said--)
                for (size_t i = 0; i < pools->n; i++)
                        if (!!node_get_text(pools->items[i], "gateway") +
                                    !!node_get_text(pools->items[i], "ip_range") ==
                            said)
                                ordered[n++] = pools->items[i];
        return ordered;
}

static bool pools_pair(Node *const *pools, size_t n, const char *key) {
        bool gap = false;

        for (size_t i = 0; i < n; i++) {
                bool has = node_get_text(pools[i], key) != NULL;

                if (has && gap)
                        return false;
                gap |= !has;
        }
        return true;
}

static void network_pools(Resource *r, const Node *ipam) {
        const Node *pools = node_get(ipam, "config"), *driver = node_get(ipam, "driver");
        Node **ordered;

        if (node_is_scalar(driver) && driver->text[0] && !str_equal(driver->text, "default"))
                resource_scalar(r, "IPAMDriver", ESCAPE_QUADLET_SCALAR, driver);
        if (!pools || pools->kind != NODE_SEQUENCE)
                return;
        ordered = pools_in_order(r->lower->arena, pools);
        if (!pools_pair(ordered, pools->n, "gateway") || !pools_pair(ordered, pools->n, "ip_range")) {
                resource_refuse(r, pools,
                                "one address pool has a gateway and no range, and another a range and no "
                                "gateway");
                diag_hint(r->lower->diag, "give both to one of them");
        }
        for (size_t i = 0; i < pools->n; i++)
                network_pool(r, ordered[i]);
}

void lower_network(Lower *l, const NodePair *p) {
        Resource r = resource_new(l, "network", p);
        const Node *driver = node_get(p->value, "driver"), *options = node_get(p->value, "driver_opts");
        const Node *ipv4 = node_get(p->value, "enable_ipv4");

        if (node_is_scalar(driver) && driver->text[0] && !str_equal(driver->text, "bridge") &&
            !str_equal(driver->text, "default")) {
                if (str_equal(driver->text, "macvlan") || str_equal(driver->text, "ipvlan"))
                        resource_scalar(&r, "Driver", ESCAPE_QUADLET_SCALAR, driver);
                else {
                        resource_refuse(
                                &r, driver,
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
                resource_refuse(&r, ipv4,
                                "Podman cannot make a network without IPv4 by this key; give it one IPv6 "
                                "subnet under "
                                "'ipam'");
        network_pools(&r, node_get(p->value, "ipam"));
        for (size_t i = 0; options && options->kind == NODE_MAPPING && i < options->n; i++)
                network_option(&r, options->pairs + i);
        resource_pairs(&r, "Label", node_get(p->value, "labels"));
        resource_finish(&r, &template_network);
}
