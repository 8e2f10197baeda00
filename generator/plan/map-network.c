/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* Keys of the network namespace. They go to whoever makes it: the container, or the pod of an owner; a joiner
 * has none to set, as with Docker ("conflicting options"), and Podman (container_validate.go, pkg/specgen)
 * refuses them. */

/* True if the namespace is the service's to configure; otherwise says so. */
static bool own_namespace(Draft *d, const ServiceKey *key, const Node *value) {
        if (d->network)
                return true;
        if (d->service->network == NETWORK_FOREIGN) {
                draft_refuse(d, value,
                             "'%s' cannot be set on '%s': it joins the network of the container '%s'",
                             key->key, d->service->name, d->service->foreign);
                diag_hint(d->lower->diag, "set it where that container is described");
                return false;
        }
        draft_refuse(d, value, "'%s' cannot be set on '%s': it joins the network of '%s'", key->key,
                     d->service->name, d->service->owner->name);
        diag_hint(d->lower->diag, "move it to '%s', which owns that network", d->service->owner->name);
        return false;
}

UnitWriter *draft_shared_network(Draft *d, const ServiceKey *key, const Node *value) {
        Lower *l = d->lower;
        const Service *owner = d->service->owner;

        if (d->network)
                return d->network;
        if (!owner || owner->network == NETWORK_HOST || owner->network == NETWORK_NONE) {
                (void) own_namespace(d, key, value);
                return NULL;
        }
        diag_note(l->diag, value->span, "moved",
                  "'%s' of '%s' is set on the network of '%s', which it joins and others share", key->key,
                  d->service->name, owner->name);
        return &l->pods[lower_index(l, owner)].lines;
}

void emit_network_mode(Draft *d, const ServiceKey *key, const Node *value) {
        (void) key;
        if (!node_is_scalar(value))
                return;
        if (d->service->network == NETWORK_HOST)
                draft_line(d, &d->container, "Network", ESCAPE_WORD, value, "host");
        else if (d->service->network == NETWORK_NONE)
                draft_line(d, &d->container, "Network", ESCAPE_WORD, value, "none");
        else if (d->service->network == NETWORK_FOREIGN)
                draft_line(d, &d->container, "Network", ESCAPE_WORD, value,
                           arena_printf(d->lower->arena, "container:%s", d->service->foreign));
        else if (d->service->network == NETWORK_OWN && value->text[0])
                draft_line(d, d->network, "Network", ESCAPE_WORD, value, "bridge");
}

/* ---- networks ---- */

/* ":alias=a,ip=10.0.0.2": what belongs to one network only. --network-alias would replace these
 * (NetFlagsToNetOptions()), so the name of the service stands here, too. */
static void add_option(Buf *b, const char *name, const char *value) {
        buf_printf(b, "%c%s=%s", b->len == 0 ? ':' : ',', name, value);
}

static void add_text_option(Draft *d, Buf *b, const char *name, const Node *n) {
        if (!node_is_scalar(n) || !n->text[0])
                return;
        if (strpbrk(n->text, ",= \t\n"))
                draft_refuse(d, n, "'%s' cannot be the %s of a network",
                             escape_for_message(b->arena, n->text, 80), name);
        else
                add_option(b, name, n->text);
}

static const char *network_options(Draft *d, const Node *network, const Node *attachment, bool first) {
        static const char *const unsupported[] = { "driver_opts", "gw_priority", "link_local_ips",
                                                   "priority" };
        static const char *const addresses[] = { "ipv4_address", "ipv6_address" };
        const Node *aliases = node_get(attachment, "aliases"), *mac = node_get(attachment, "mac_address");
        const Node *interface = node_get(attachment, "interface_name");
        const Service *s = d->service;
        const LinkNames *links = d->lower->links + lower_index(d->lower, s);
        Buf b = BUF(d->lower->arena);

        add_option(&b, "alias", s->name);
        if (s->is_owner && !str_equal(s->container, s->name))
                /* Outside of pods Podman does this by itself. */
                add_option(&b, "alias", s->container);
        for (size_t i = 0; aliases && aliases->kind == NODE_SEQUENCE && i < aliases->n; i++)
                add_text_option(d, &b, "alias", aliases->items[i]);
        for (size_t i = 0; i < links->n; i++) {
                Node name = *links->names[i];

                name.text = strchr(name.text, ':') + 1;
                add_text_option(d, &b, "alias", &name);
        }
        for (size_t i = 0; i < ELEMENTS(addresses); i++) {
                const Node *address = node_get(attachment, addresses[i]);

                if (node_is_scalar(address) && address->text[0] &&
                    judge_address_in_network(d, address, network))
                        add_option(&b, "ip", address->text);
        }
        if (node_is_null(mac) && first)
                mac = node_get(s->node, "mac_address");
        if (node_is_scalar(mac) && mac->text[0] && judge_mac_address(d, mac))
                add_option(&b, "mac", mac->text);
        if (node_is_scalar(interface) && interface->text[0] && judge_interface_name(d, interface))
                add_text_option(d, &b, "interface_name", interface);
        for (size_t i = 0; i < ELEMENTS(unsupported); i++) {
                const Node *n = node_get(attachment, unsupported[i]);

                if (n && (node_is_scalar(n) ? !str_equal(n->text, "0") : n->n > 0))
                        draft_refuse(d, n, "'%s' of a network has no counterpart in Podman", unsupported[i]);
        }
        return buf_text(&b);
}

/* A link gives the other service one more name. Podman knows names of a network only, so everybody on it can
 * use that one. */
static void read_link(Lower *l, const Node *link) {
        size_t n = strcspn(link->text, ":");
        const char *name = arena_strndup(l->arena, link->text, n);
        const Service *other = stack_find(l->stack, name);
        LinkNames *links;

        if (!other) {
                diag_error(l->diag, link->span, "unknown-service",
                           "'links' names the service '%s', which this stack does not have", name);
                return;
        }
        if (!link->text[n] || str_equal(link->text + n + 1, name))
                return;
        if (other->network != NETWORK_OWN) {
                diag_error(l->diag, link->span, "cannot-express",
                           "'%s' has no network of its own on which it could be called '%s'", name,
                           link->text + n + 1);
                return;
        }
        links = l->links + lower_index(l, other);
        for (size_t i = 0; i < links->n; i++)
                if (str_equal(links->names[i]->text, link->text))
                        return;
        links->names = arena_grow(l->arena, links->names, sizeof(Node *), &links->capacity, links->n + 1);
        links->names[links->n++] = link;
}

void lower_read_links(Lower *l) {
        for (size_t i = 0; i < l->stack->n_services; i++) {
                const Node *list = node_get(l->stack->services[i].node, "links");

                for (size_t j = 0; list && list->kind == NODE_SEQUENCE && j < list->n; j++)
                        read_link(l, list->items[j]);
        }
}

void emit_links(Draft *d, const ServiceKey *key, const Node *value) {
        /* Done by lower_read_links(), for the other side; a joiner has no network on which it could look
         * names up. */
        if (value->n > 0)
                (void) own_namespace(d, key, value);
}

/* Docker writes the other's address into /etc/hosts. Podman has names on networks, which are the containers'
 * own. */
void emit_external_links(Draft *d, const ServiceKey *key, const Node *value) {
        for (size_t i = 0; value->kind == NODE_SEQUENCE && i < value->n; i++) {
                const Node *n = value->items[i];
                const char *alias = strchr(n->text, ':');
                size_t length = alias ? (size_t) (alias - n->text) : strlen(n->text);

                if (!own_namespace(d, key, value))
                        return;
                if (alias && (strlen(alias + 1) != length || strncmp(n->text, alias + 1, length) != 0)) {
                        draft_refuse(d, n,
                                     "Podman cannot give a container of another stack the name '%s' for '%s' "
                                     "alone",
                                     alias + 1, d->service->name);
                        diag_hint(d->lower->diag, "share an external network with it, and use its own name");
                } else
                        diag_note(d->lower->diag, n->span, "different",
                                  "'%s' finds '%.*s' by its name on a network that both are on; the link "
                                  "itself is left "
                                  "out",
                                  d->service->name, (int) length, n->text);
        }
}

static bool external_is_possible(Draft *d, const NodePair *p, const Node *said, const char *name) {
        const char *text = escape_for_message(d->lower->arena, name, 80);

        if (!engine_name_is_valid(name)) {
                draft_refuse(d, said, "'%s' is no name that a network can have in Podman", text);
                return false;
        }
        if (!network_name_is_mode(name) || str_equal(name, "bridge") || str_equal(name, "default"))
                return true;
        draft_refuse(d, p->key, "'%s' is no network that '%s' could be on beside others", text,
                     d->service->name);
        diag_hint(d->lower->diag, "say 'network_mode' instead, and no 'networks'");
        return false;
}

static void attach(Draft *d, const ServiceKey *key, const NodePair *p, bool first) {
        Lower *l = d->lower;
        const Node *network = node_get(node_get(l->stack->model, "networks"), p->key->text);
        const char *name = node_get_text(network, "name") ?: p->key->text;
        const char *options = network_options(d, network, p->value, first);
        bool external = node_get_bool(network, "external", /* fallback= */ false);

        /* Its own file says what is wrong with the name of a network that is made here. */
        if (external && !external_is_possible(d, p, node_get(network, "name") ?: p->key, name))
                return;
        d->network->span = p->key->span;
        if (!external) {
                map_set(l->arena, &l->networks, p->key->text, (void *) p);
                unit_linef(d->network, key->name, key->class, "%s-%s.network%s", l->stack->name, p->key->text,
                           options);
        } else if (str_has_suffix(name, ".network") || str_has_suffix(name, ".container"))
                /* quadlet would look for a file of that name. */
                unit_line(d->network, "PodmanArgs", ESCAPE_QUADLET_ARGV,
                          arena_printf(l->arena, "--network=%s%s", name, options));
        else
                unit_linef(d->network, key->name, key->class, "%s%s", name, options);
}

void emit_networks(Draft *d, const ServiceKey *key, const Node *value) {
        const Node *mode = node_get(d->service->node, "network_mode");

        if (value->kind != NODE_MAPPING || value->n == 0)
                return;
        if (!node_is_null(mode) && mode->text[0]) {
                draft_refuse(d, value, "'%s' has both 'networks' and 'network_mode'", d->service->name);
                return;
        }
        if (d->service->network == NETWORK_HOST || d->service->network == NETWORK_NONE) {
                draft_line(d, d->network, "Network", ESCAPE_WORD, value,
                           d->service->network == NETWORK_HOST ? "host" : "none");
                return;
        }
        for (size_t i = 0; i < value->n && d->network; i++)
                attach(d, key, value->pairs + i, /* first= */ i == 0);
}

void emit_mac_address(Draft *d, const ServiceKey *key, const Node *value) {
        const Node *networks = node_get(d->service->node, "networks");

        if (!node_is_scalar(value) || !own_namespace(d, key, value) || (networks && networks->n > 0))
                return;
        if (judge_mac_address(d, value))
                draft_podman_arg(d, d->network, "--mac-address", value, value->text);
}

/* ---- names and addresses ---- */

/* One resolv.conf for all who share a network. The first of them that says something, the owner before
 * others, says it for all; the lists of the others have to be the same. */
static const Service *resolver_speaker(const Lower *l, const Service *owner, const char *key) {
        const Node *list = node_get(owner->node, key);

        if (list && list->n > 0)
                return owner;
        for (size_t i = 0; i < l->stack->n_services; i++) {
                const Service *s = l->stack->services + i;

                list = node_get(s->node, key);
                if (s->owner == owner && list && list->n > 0)
                        return s;
        }
        return owner;
}

/* "none" is Podman's own word. */
static bool resolver_is_possible(Draft *d, const ServiceKey *key, const Node *n) {
        return !str_equal(key->key, "dns") || !n->text[0] || str_equal(n->text, "none") ||
               judge_address(d, "the resolver", n, n->text);
}

void emit_dns(Draft *d, const ServiceKey *key, const Node *value) {
        const Service *owner = d->service->owner ?: d->service, *speaker;
        UnitWriter *w;

        if (value->kind != NODE_SEQUENCE || value->n == 0)
                return;
        speaker = resolver_speaker(d->lower, owner, key->key);
        if (speaker != d->service) {
                if (node_equal(node_get(speaker->node, key->key), value))
                        return;
                draft_refuse(d, value,
                             "'%s' of '%s' is another one than that of '%s', in the one network of '%s'",
                             key->key, d->service->name, speaker->name, owner->name);
                diag_hint(d->lower->diag, "say it once, on '%s'", owner->name);
                return;
        }
        w = draft_shared_network(d, key, value);
        for (size_t i = 0; w && i < value->n; i++)
                if (resolver_is_possible(d, key, value->items[i]))
                        draft_line(d, w, key->name, key->class, value->items[i],
                                   value_csv(d->lower->arena, value->items[i]->text));
}

typedef struct HostName {
        const char *address;
        const Service *service;
} HostName;

/* One file of hosts for all who share a network. True if the line is still to be written; one service may
 * give a host several addresses. */
static bool host_is_new(Draft *d, const Node *n, const char *host, const char *address) {
        Lower *l = d->lower;
        const Service *owner = d->service->owner ?: d->service;
        PodDraft *pod = l->pods + lower_index(l, owner);
        HostName *name = map_get(&pod->hosts, host);

        if (!pod->used || (name && name->service == d->service))
                return true;
        if (name) {
                if (!str_equal(name->address, address))
                        draft_refuse(d, n,
                                     "the host '%s' is %s here and %s for '%s', in the one network of '%s'",
                                     host, address, name->address, name->service->name, owner->name);
                return false;
        }
        name = arena_new_object(l->arena, HostName);
        *name = (HostName){ .address = address, .service = d->service };
        map_set(l->arena, &pod->hosts, host, name);
        return true;
}

void emit_extra_hosts(Draft *d, const ServiceKey *key, const Node *value) {
        UnitWriter *w =
                value->kind == NODE_SEQUENCE && value->n > 0 ? draft_shared_network(d, key, value) : NULL;

        for (size_t i = 0; w && i < value->n; i++) {
                const Node *n = value->items[i];
                /* "host=address" is Compose's own form; a host name has no colon, an address may. */
                size_t at = strcspn(n->text, "=:");
                const char *host = arena_strndup(d->lower->arena, n->text, at),
                           *address = n->text[at] ? n->text + at + 1 : "";
                size_t length = strlen(address);

                if (address[0] == '[' && address[length - 1] == ']')
                        address = arena_strndup(d->lower->arena, address + 1, length - 2);
                if (!host[0] || !address[0])
                        draft_refuse(d, n, "'%s' is no host with an address",
                                     escape_for_message(d->lower->arena, n->text, 80));
                else if (!str_equal(address, "host-gateway") &&
                         !judge_address(d,
                                        arena_printf(d->lower->arena, "the address of the host '%s'", host),
                                        n, address))
                        diag_hint(d->lower->diag, "write HOST=ADDRESS; the host itself is host-gateway");
                else if (host_is_new(d, n, host, address))
                        draft_line(d, w, key->name, key->class, n,
                                   value_csv(d->lower->arena,
                                             arena_printf(d->lower->arena, "%s:%s", host, address)));
        }
}

/* sethostname(2) */
enum { HOSTNAME_LENGTH_MAX = 64 };

static void write_hostname(Draft *d, const ServiceKey *key, const Node *value, const char *name) {
        if (str_equal(node_get_text(d->service->node, "uts"), "host")) {
                draft_refuse(d, value, "'%s' has the host's own name by 'uts: host', and '%s' as well",
                             d->service->name, key->key);
                return;
        }
        if (strlen(name) > HOSTNAME_LENGTH_MAX) {
                draft_refuse(d, value, "the host name '%s' is longer than %d bytes",
                             escape_for_message(d->lower->arena, name, 80), HOSTNAME_LENGTH_MAX);
                return;
        }
        draft_line(d, &d->container, key->name, key->class, value, name);
}

void emit_hostname(Draft *d, const ServiceKey *key, const Node *value) {
        if (node_is_scalar(value) && value->text[0] && !node_get_text(d->service->node, "domainname"))
                write_hostname(d, key, value, value->text);
}

/* Podman sets no domain of its own: the whole name is the host name then, which is what `hostname -f` says in
 * both engines. */
void emit_domainname(Draft *d, const ServiceKey *key, const Node *value) {
        const Node *host = node_get(d->service->node, "hostname");
        const char *name = node_is_scalar(host) && host->text[0] ? host->text : d->service->name;
        Node whole = *value;

        if (!node_is_scalar(value) || !value->text[0])
                return;
        whole.secret |= host && host->secret;
        if (!str_has_suffix(name, arena_printf(d->lower->arena, ".%s", value->text)))
                name = arena_printf(d->lower->arena, "%s.%s", name, value->text);
        diag_note(d->lower->diag, value->span, "different",
                  "the host name of '%s' is the whole '%s': Podman knows no domain beside it",
                  d->service->name,
                  value->secret || whole.secret ? "name" : escape_for_message(d->lower->arena, name, 80));
        write_hostname(d, key, &whole, name);
}

/* ---- sysctls ---- */

static void emit_net_sysctl(Draft *d, const Node *n, const char *name, const char *assignment) {
        Lower *l = d->lower;
        const Service *owner = d->service->owner ?: d->service;
        PodDraft *pod = l->pods + lower_index(l, owner);
        const Node *before;

        if (d->service->network == NETWORK_FOREIGN) {
                draft_refuse(d, n, "'%s' cannot be set on '%s': it joins the network of the container '%s'",
                             name, d->service->name, d->service->foreign);
                return;
        }
        if (d->service->network == NETWORK_HOST) {
                draft_refuse(d, n, "'%s' cannot be set on '%s', which is in the host's network", name,
                             d->service->name);
                diag_hint(l->diag, "set it on the host, in /etc/sysctl.d");
                return;
        }
        if (!pod->used) {
                draft_line(d, &d->container, "Sysctl", ESCAPE_QUADLET_STRV, n, assignment);
                return;
        }
        before = map_get(&pod->sysctls, name);
        if (before && !str_equal(before->text, n->text)) {
                draft_refuse(d, n,
                             "'%s' is set to '%s' here and to '%s' elsewhere, in the one network of '%s'",
                             name, n->text, before->text, owner->name);
                return;
        }
        if (before)
                return;
        map_set(l->arena, &pod->sysctls, name, (void *) n);
        pod->lines.span = n->span;
        unit_line(&pod->lines, "PodmanArgs", ESCAPE_QUADLET_ARGV,
                  arena_printf(l->arena, "--sysctl=%s", assignment));
}

void emit_sysctls(Draft *d, const ServiceKey *key, const Node *value) {
        for (size_t i = 0; value->kind == NODE_MAPPING && i < value->n; i++) {
                const NodePair *p = value->pairs + i;
                const char *text = node_is_scalar(p->value) ? p->value->text : "";
                const char *assignment = value_csv(
                        d->lower->arena, arena_printf(d->lower->arena, "%s=%s", p->key->text, text));

                if (!judge_sysctl(d, p))
                        continue;
                if (str_has_prefix(p->key->text, "net."))
                        emit_net_sysctl(d, p->value, p->key->text, assignment);
                else
                        draft_line(d, &d->container, key->name, key->class, p->value, assignment);
        }
}

/* ---- other namespaces ---- */

static const Service *find_by_container(const Lower *l, const char *container) {
        for (size_t i = 0; i < l->stack->n_services; i++)
                if (str_equal(l->stack->services[i].container, container))
                        return l->stack->services + i;
        return NULL;
}

/* Podman lets containers of one pod into each other's namespaces, and nobody else; and who shares a network
 * is in a pod (decision 0001). */
static bool can_join(Draft *d, const ServiceKey *key, const Node *value, const Service *other) {
        const Service *s = d->service, *owner = other->pod ? other->owner ?: other : s->owner ?: s;
        const Service *stranger = other->pod ? s : other;

        if (other->completes) {
                draft_refuse(d, value, "'%s' has ended when '%s' starts, and its namespaces with it",
                             other->name, s->name);
                diag_hint(d->lower->diag,
                          "others wait until '%s' has ended: have them wait with service_started, or leave "
                          "'%s' out",
                          other->name, key->key);
                return false;
        }
        if (str_equal(s->pod ?: "", other->pod ?: ""))
                return true;
        draft_refuse(
                d, value,
                "'%s' of '%s': Podman keeps the network that '%s' shares in a pod, and no namespace goes "
                "into or out of that",
                key->key, s->name, owner->name);
        if (stranger->pod)
                diag_hint(d->lower->diag, "have '%s' and '%s' in one network, or leave '%s' out", s->name,
                          other->name, key->key);
        else
                diag_hint(
                        d->lower->diag,
                        "have '%s' join the network as well, with 'network_mode: service:%s'; or leave '%s' "
                        "out",
                        stranger->name, owner->name, key->key);
        return false;
}

/* A pod has one user namespace for all; that is the host's, as "host" says. */
static void emit_pod_users(Draft *d, const ServiceKey *key, const Node *value) {
        if (str_equal(value->text, "host"))
                return;
        draft_refuse(d, value, "'%s' cannot have a user namespace of its own: it shares a network",
                     d->service->name);
        diag_hint(d->lower->diag, "write 'host', or leave '%s' out, which is the same", key->key);
}

void emit_namespace(Draft *d, const ServiceKey *key, const Node *value) {
        Lower *l = d->lower;
        const Service *other = NULL;
        const char *text = value->text;

        if (!node_is_scalar(value) || !text[0])
                return;
        if ((d->service->pod || d->service->foreign) && str_equal(key->key, "userns_mode")) {
                emit_pod_users(d, key, value);
                return;
        }
        if (str_has_prefix(text, "service:"))
                other = stack_find(l->stack, text + strlen("service:"));
        else if (str_has_prefix(text, "container:"))
                other = find_by_container(l, text + strlen("container:"));
        else {
                draft_podman_arg(d, &d->container, key->name, value, text);
                return;
        }
        if (!other) {
                draft_refuse(d, value, "'%s' of '%s': there is no '%s' in this stack", key->key,
                             d->service->name, text);
                return;
        }
        deps_add(l->arena, &d->deps, DEP_BINDS_TO, other->unit);
        deps_add(l->arena, &d->deps, DEP_AFTER, other->unit);
        map_set(l->arena, &d->uses, other->name, (void *) other);
        if (can_join(d, key, value, other))
                draft_podman_arg(d, &d->container, key->name, value,
                                 arena_printf(l->arena, "container:%s", other->container));
}
