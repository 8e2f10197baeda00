/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The evidence object of the egress proof. docs/proofs.md describes its keys. */

#include <string.h>

#include "proofs/egress.h"

static json_t *json_address(const Address *address) {
        char text[ADDRESS_TEXT_SIZE];

        return address->family == AF_UNSPEC ? json_null() : json_string(address_text(address, text));
}

static json_t *evidence_answer(const ProbeAnswer *answer) {
        return json_pack("{s:s, s:o, s:o, s:s, s:I, s:I, s:i}", "state", probe_state_name(answer->state),
                         "seen", answer->state == PROBE_ANSWERED ? json_address(&answer->seen) : json_null(),
                         "local", json_address(&answer->local), "detail", answer->detail, "sent",
                         (json_int_t) answer->sent, "received", (json_int_t) answer->received, "ms",
                         (int) answer->milliseconds);
}

static json_t *evidence_route(const EgressWay *way, const LinkSet *links) {
        const Link *link = links_find(links, way->route.link);

        if (way->route.error != 0)
                return json_pack("{s:s}", "error", strerror(way->route.error));
        return json_pack("{s:s, s:s}", "link", link ? link->name : "", "kind", link ? link->kind : "");
}

static json_t *evidence_probes(const EgressCase *c, const EgressFinding *f) {
        json_t *list = json_array();

        for (size_t i = 0; i < c->n_probes; i++) {
                const Source *source = c->probes[i].source;

                (void) json_array_append_new(
                        list, json_pack("{s:s, s:s, s:s, s:o, s:s, s:o, s:o, s:o}", "source", source->text,
                                        "transport", transport_name(source->transport), "family",
                                        family_name(c->probes[i].family), "address",
                                        json_address(&source->addresses[c->probes[i].family]), "result",
                                        egress_pair_name(f->pairs[i]), "host",
                                        evidence_answer(&c->host->answers[i]), "inside",
                                        evidence_answer(&c->inside->answers[i]), "route",
                                        evidence_route(&c->inside->ways[i], &c->inside->before)));
        }
        return list;
}

static json_t *evidence_links(const EgressLook *look, const char *interface) {
        json_t *list = json_array();

        for (size_t i = 0; i < look->before.n; i++) {
                const Link *before = &look->before.links[i], *after = links_find(&look->after, before->index);

                (void) json_array_append_new(
                        list, json_pack("{s:s, s:s, s:i, s:b, s:b, s:I, s:I}", "name", before->name, "kind",
                                        before->kind, "index", before->index, "up",
                                        (int) ((before->flags & IFF_UP) != 0), "tunnel",
                                        (int) link_is_tunnel(before, interface), "sent",
                                        (json_int_t) (after ? after->sent - before->sent : 0), "received",
                                        (json_int_t) (after ? after->received - before->received : 0)));
        }
        return list;
}

static json_t *evidence_samples(const EgressLook *look) {
        json_t *object = json_object();

        for (Family family = 0; family < _FAMILY_MAX; family++)
                for (size_t i = 0; i < EGRESS_SAMPLES; i++) {
                        const EgressWay *udp = &look->samples[family][i],
                                        *tcp = &look->samples_tcp[family][i];
                        const Address to = egress_sample(family, i);
                        char text[ADDRESS_TEXT_SIZE], text_tcp[ADDRESS_TEXT_SIZE + 4];

                        (void) json_object_set_new(object, address_text(&to, text),
                                                   evidence_route(udp, &look->before));
                        (void) snprintf(text_tcp, sizeof(text_tcp), "%s/tcp", text);
                        if (tcp->route.error != udp->route.error || tcp->route.link != udp->route.link)
                                (void) json_object_set_new(object, text_tcp,
                                                           evidence_route(tcp, &look->before));
                }
        return object;
}

static json_t *evidence_host(const HostAddresses *set) {
        json_t *list = json_array();

        for (size_t i = 0; i < set->n; i++)
                (void) json_array_append_new(list, json_address(&set->addresses[i]));
        return list;
}

/* Same /24 as the host: no verdict, but somebody should look. */
static bool is_near(const EgressCase *c) {
        for (size_t i = 0; i < c->n_probes; i++)
                for (size_t k = 0; k < c->host_addresses->n; k++)
                        if (c->inside->answers[i].state == PROBE_ANSWERED &&
                            address_is_near(&c->inside->answers[i].seen, &c->host_addresses->addresses[k]))
                                return true;
        return false;
}

json_t *egress_evidence(const EgressCase *c, const EgressFinding *f) {
        return json_pack("{s:s, s:{s:s, s:s}, s:o, s:o, s:o, s:o, s:b, s:b}", "code", f->code ?: "",
                         "families", "IPv4", egress_outcome_name(f->outcomes[FAMILY_V4]), "IPv6",
                         egress_outcome_name(f->outcomes[FAMILY_V6]), "probes", evidence_probes(c, f),
                         "links", evidence_links(c->inside, c->interface), "samples",
                         evidence_samples(c->inside), "host_addresses", evidence_host(c->host_addresses),
                         "near_host", (int) is_near(c), "negatives_repeated",
                         (int) (c->inside_again != NULL));
}
