/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The evidence object of the DNS proof. docs/proofs.md describes its keys. */

#include <string.h>

#include "proofs/dns.h"

static json_t *evidence_target(const DnsCase *c, const DnsLook *look, size_t i) {
        const DnsTarget *target = &look->targets[i];
        const DnsTry *try = &look->tries[i];
        const Link *route = links_find(&look->links, try->route.link);
        const Link *left = links_find(&look->links, try->beside);
        char text[ADDRESS_TEXT_SIZE + IF_NAMESIZE + 1];

        return json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:s, s:b, s:i}", "server",
                         dns_server_text(&target->server, text, sizeof(text)), "port", (int) target->port,
                         "transport", target->tcp ? "TCP" : "UDP", "way", dns_way_name(dns_way(c, look, i)),
                         "route",
                         try->route.error ? strerror(try->route.error)
                         : route          ? route->name
                                          : "",
                         "seen_on",
                         left           ? left->name
                         : try->through ? "tunnel"
                         : try->kept    ? "loopback"
                                        : "",
                         "error", try->error ? strerror(try->error) : "", "answered", (int) try->answered,
                         "ms", (int) try->milliseconds);
}

static json_t *evidence_targets(const DnsCase *c, const DnsLook *look, DnsRole role) {
        json_t *list = json_array();

        for (size_t i = 0; i < look->n_targets; i++)
                if (look->targets[i].role == role)
                        (void) json_array_append_new(list, evidence_target(c, look, i));
        return list;
}

static json_t *evidence_helpers(const HelperState *states) {
        json_t *object = json_object();

        for (size_t i = 0; i < HELPERS_MAX; i++)
                if (states[i] != HELPER_ABSENT)
                        (void) json_object_set_new(object, helper_rows[i].path,
                                                   json_string(helper_state_name(states[i])));
        return object;
}

static json_t *evidence_look(const DnsCase *c, size_t s) {
        const DnsLook *look = &c->looks[s];

        return json_pack("{s:I, s:i, s:s, s:o, s:o, s:o, s:o, s:b}", "uid", (json_int_t) look->uid, "pid",
                         (int) look->pid, "hosts", look->hosts_line, "resolvers",
                         evidence_targets(c, look, DNS_NAMESERVER), "loopback",
                         evidence_targets(c, look, DNS_LOCAL), "neighbours",
                         evidence_targets(c, look, DNS_NEIGHBOUR), "helpers", evidence_helpers(c->states[s]),
                         "watched", (int) (look->control_before && look->control_after));
}

json_t *dns_evidence(const DnsCase *c, const DnsFinding *finding) {
        json_t *users = json_array();

        for (size_t s = 0; s < c->n_looks; s++)
                (void) json_array_append_new(users, evidence_look(c, s));
        return json_pack("{s:s, s:b, s:i, s:o}", "code", finding->code ?: "", "same_as_tunnel",
                         (int) c->same_as_tunnel, "outside_sockets",
                         c->holders ? (int) c->holders->n_outside : 0, "users", users);
}
