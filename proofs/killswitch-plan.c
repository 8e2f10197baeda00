/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The table of probes and what there is in the namespace give shots. */

#include <errno.h>
#include <string.h>

#include "proofs/egress.h"
#include "proofs/handles.h"
#include "proofs/killswitch.h"
#include "proofs/mutate.h"

enum {
        PORT_HTTPS = 443,
        PORT_DNS = 53,
        PORT_DISCARD = 9,
        PORT_ENDPOINT_OTHER = 7, /* of a VPN server: nobody listens */
};

typedef struct Destination {
        Address address;
        uint16_t tcp, udp; /* ports */
        bool sample;       /* of somebody who asked for nothing: a packet dies at the first hop */
} Destination;

typedef struct Destinations {
        Destination list[32];
        size_t n;
} Destinations;

typedef struct Planning {
        const KsOrder *order;
        const KsScene *scene;
        const KsFlow *carrier;
        KsRun *run;
        Destinations world;
        int error;
} Planning;

static Destination *destination_find(Destinations *list, const Address *address) {
        for (size_t i = 0; i < list->n; i++)
                if (address_equal(&list->list[i].address, address))
                        return &list->list[i];
        return NULL;
}

static void destination_add(Destinations *list, const Address *address, bool sample, Transport transport,
                            uint16_t port) {
        Destination *d = destination_find(list, address);

        if (!d) {
                if (list->n == ARRAY_LENGTH(list->list))
                        return;
                d = &list->list[list->n++];
                *d = (Destination){ *address, PORT_HTTPS, PORT_DISCARD, sample };
        }
        if (transport == TRANSPORT_TCP)
                d->tcp = port;
        else
                d->udp = port;
}

/* Echo servers first: whoever needs one of a family takes the first of it. Two of each family, so that many
 * sources do not make many packets. */
static void world_list(Planning *p) {
        unsigned counts[_FAMILY_MAX] = { 0 };

        for (size_t i = 0; i < p->order->n_probes; i++) {
                const Probe *probe = &p->order->probes[i];
                const Address *address = &probe->source->addresses[probe->family];

                if (!destination_find(&p->world, address) && counts[probe->family]++ >= 2)
                        continue;
                destination_add(&p->world, address, false, probe->source->transport, probe->source->port);
        }
        for (Family f = 0; f < _FAMILY_MAX; f++)
                for (size_t i = 0; i < EGRESS_SAMPLES; i++) {
                        const Address sample = egress_sample(f, i);

                        destination_add(&p->world, &sample, true, TRANSPORT_TCP, PORT_HTTPS);
                }
}

static bool method_is_tcp(KsMethod method) {
        return method == KS_TCP || method == KS_DNS_TCP || method == KS_FLOW_TCP;
}

/* One shot for each user that it is made as. The clients' own only for what tells users apart: ways to the
 * wide world, and one destination of each. */
static void shot_add(Planning *p, const KsProbe *probe, KsShot shot) {
        uint32_t users[2 + KS_USERS_MAX] = { 0, KS_USER_NOBODY };
        size_t n = probe->as_nobody ? 2 : 1;

        for (size_t i = 0; i < p->order->n_users && n > 1; i++)
                if (shot.reach == KS_REACH_WORLD && !shot.hop_limited)
                        users[n++] = p->order->users[i];
        for (size_t i = 0; i < n; i++) {
                if (p->run->n_shots == KS_SHOTS_MAX) {
                        p->error = -E2BIG;
                        return;
                }
                shot.probe = (uint16_t) (probe - ks_probes);
                shot.id = (uint16_t) (p->run->n_shots + 1);
                shot.user = users[i];
                p->run->shots[p->run->n_shots++] = shot;
        }
}

/* Every way in which the probe can be sent to this destination. */
static void shots_add(Planning *p, const KsProbe *probe, KsShot shot) {
        const KsScene *scene = p->scene;

        switch (probe->by) {
        case KS_BY_ROUTE:
                shot_add(p, probe, shot);
                break;
        case KS_BY_DEVICE:
                for (size_t i = 0; i < scene->links.n; i++) {
                        if (!ks_scene_is_uplink(scene, scene->links.links[i].index))
                                continue;
                        shot.link = scene->links.links[i].index;
                        shot_add(p, probe, shot);
                }
                break;
        case KS_BY_SOURCE:
                for (size_t i = 0; i < scene->addresses.n; i++) {
                        if (scene->addresses.places[i].address.family != shot.to.family ||
                            !address_is_routable(&scene->addresses.places[i].address))
                                continue;
                        shot.from = scene->addresses.places[i].address;
                        shot_add(p, probe, shot);
                }
                break;
        case KS_BY_MARK:
                for (size_t i = 0; i < scene->n_marks; i++) {
                        shot.mark = scene->marks[i];
                        shot_add(p, probe, shot);
                }
                break;
        }
}

static void plan_world(Planning *p, const KsProbe *probe) {
        bool taken[_FAMILY_MAX] = { false };

        for (size_t i = 0; i < p->world.n; i++) {
                const Destination *d = &p->world.list[i];
                Family family = d->address.family == AF_INET6 ? FAMILY_V6 : FAMILY_V4;

                if (probe->target == KS_TO_SERVER && taken[family])
                        continue;
                taken[family] = true;
                shots_add(p, probe,
                          (KsShot){
                                  .reach = probe->reach,
                                  .to = d->address,
                                  .port = method_is_tcp(probe->method) ? d->tcp : d->udp,
                                  .hop_limited = d->sample,
                          });
        }
}

static void plan_endpoint(Planning *p, const KsProbe *probe) {
        const KsFlow *carrier = p->carrier;
        uint16_t port = method_is_tcp(probe->method) ? PORT_HTTPS : PORT_ENDPOINT_OTHER;

        if (carrier->family != AF_UNSPEC)
                shots_add(p, probe,
                          (KsShot){
                                  .reach = probe->reach,
                                  .to = carrier->remote,
                                  /* Its own flow is what the tunnel may use. */
                                  .port = (uint16_t) (port == carrier->port ? port + 1 : port),
                          });
}

/* One in the namespace itself (127.0.0.1) is asked too: what it asks in turn carries our name. */
static void plan_resolvers(Planning *p, const KsProbe *probe) {
        for (size_t i = 0; i < p->order->n_resolvers; i++) {
                const Address *to = &p->order->resolvers[i];

                shots_add(p, probe,
                          (KsShot){
                                  .reach = ks_scene_is_near(p->scene, to) ? KS_REACH_RESOLVER : probe->reach,
                                  .to = *to,
                                  .port = PORT_DNS,
                          });
        }
}

static void plan_places(Planning *p, const KsProbe *probe, const KsPlaces *places, uint16_t port) {
        for (size_t i = 0; i < places->n; i++)
                shots_add(p, probe,
                          (KsShot){
                                  .reach = probe->reach,
                                  .to = places->places[i].address,
                                  .port = port,
                                  /* Without a link a link-local address is nowhere. */
                                  .link = address_is_routable(&places->places[i].address)
                                                  ? 0
                                                  : places->places[i].link,
                          });
}

static void plan_groups(Planning *p, const KsProbe *probe) {
        static const struct {
                const char *address;
                uint16_t port;
        } groups[] = {
                { "239.255.255.250", 1900 }, /* SSDP */
                { "239.192.152.143", 6771 }, /* BEP 14, local service discovery */
                { "224.0.0.251", 5353 },     /* mDNS */
                { "ff02::fb", 5353 },        { "ff02::c", 1900 }, { "ff02::1", PORT_DISCARD },
        };

        for (size_t i = 0; i < ARRAY_LENGTH(groups); i++) {
                KsShot shot = { .reach = p->scene->near_physical ? KS_REACH_WORLD : probe->reach };

                (void) address_parse(groups[i].address, &shot.to);
                shot.port = groups[i].port;
                shots_add(p, probe, shot);
        }
}

int ks_plan(const KsOrder *order, const KsScene *scene, const KsFlow *carrier, KsRun *run) {
        Planning p = { .order = order, .scene = scene, .carrier = carrier, .run = run };

        run->n_shots = 0;
        world_list(&p);
        for (size_t i = 0; i < ks_n_probes; i++) {
                const KsProbe *probe = &ks_probes[i];

                if (mutation_is_on(probe->name))
                        continue;
                switch (probe->target) {
                case KS_TO_EVERYWHERE:
                case KS_TO_SERVER:
                        plan_world(&p, probe);
                        break;
                case KS_TO_ENDPOINT:
                        plan_endpoint(&p, probe);
                        break;
                case KS_TO_RESOLVERS:
                        plan_resolvers(&p, probe);
                        break;
                case KS_TO_GATEWAYS:
                        plan_places(&p, probe, &scene->gateways, PORT_DNS);
                        break;
                case KS_TO_NEIGHBOURS:
                        plan_places(&p, probe, &scene->gateways, PORT_DISCARD);
                        plan_places(&p, probe, &scene->neighbours, PORT_DISCARD);
                        break;
                case KS_TO_GROUPS:
                        plan_groups(&p, probe);
                        break;
                }
        }
        return p.error;
}
