/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What there is in the tunnel's namespace. */

#include <errno.h>
#include <linux/fib_rules.h>
#include <linux/if_addr.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <stdio.h>
#include <string.h>

#include "proofs/handles.h"
#include "proofs/killswitch.h"
#include "proofs/netns.h"
#include "proofs/nft.h"
#include "proofs/rtnl-dump.h"

#define WG_QUICK_MARK 51820 /* wg-quick(8) and many others */

/* FNV-1a with 128 bits: tells that something has changed, not that nobody wanted it to look unchanged. */
typedef unsigned __int128 Hash;

static Hash hash_bytes(const void *data, size_t length) {
        const Hash prime = ((Hash) 0x0000000001000000 << 64) | 0x000000000000013b;
        Hash hash = ((Hash) 0x6c62272e07bb0142 << 64) | 0x62b821756295c58d;
        const uint8_t *p = data;

        for (size_t i = 0; i < length; i++)
                hash = (hash ^ p[i]) * prime;
        return hash;
}

typedef struct SceneReading {
        KsScene *scene;
        Hash hash; /* a sum, since the kernel's order may change when something is taken away and put back */
} SceneReading;

bool ks_scene_is_uplink(const KsScene *scene, int index) {
        const Link *link = links_find(&scene->links, index);

        return link && index != scene->tunnel && (link->flags & IFF_UP) && !(link->flags & IFF_LOOPBACK);
}

static void place_add(KsPlaces *places, int family, const void *bytes, int link) {
        const Address address = address_from_bytes(family, bytes);

        for (size_t i = 0; i < places->n; i++)
                if (places->places[i].link == link && address_equal(&places->places[i].address, &address))
                        return;
        if (places->n < KS_PLACES_MAX)
                places->places[places->n++] = (KsPlace){ address, link };
}

static void mark_add(KsScene *scene, uint32_t mark) {
        for (size_t i = 0; i < scene->n_marks; i++)
                if (scene->marks[i] == mark)
                        return;
        if (scene->n_marks < KS_MARKS_MAX && mark != 0)
                scene->marks[scene->n_marks++] = mark;
}

static size_t family_length(int family) {
        return family == AF_INET6 ? 16 : 4;
}

static struct nlattr *find(const struct nlmsghdr *message, size_t header, int type, size_t length) {
        struct nlattr *attribute = nlmsg_find_attr((struct nlmsghdr *) message, (int) header, type);

        return attribute && nla_len(attribute) == (int) length ? attribute : NULL;
}

static void hash_message(SceneReading *reading, const struct nlmsghdr *message) {
        uint8_t identity[4096];
        size_t length = rtnl_identity(message, sizeof(identity), identity);

        reading->hash += hash_bytes(identity, length);
}

static int on_address(const struct nlmsghdr *message, void *userdata) {
        const struct ifaddrmsg *header = nlmsg_data(message);
        SceneReading *reading = userdata;
        struct nlattr *local = find(message, sizeof(*header), IFA_LOCAL, family_length(header->ifa_family));
        struct nlattr *address =
                find(message, sizeof(*header), IFA_ADDRESS, family_length(header->ifa_family));

        hash_message(reading, message);
        if (ks_scene_is_uplink(reading->scene, (int) header->ifa_index) && (local || address))
                place_add(&reading->scene->addresses, header->ifa_family, nla_data(local ?: address),
                          (int) header->ifa_index);
        return 0;
}

static int on_route(const struct nlmsghdr *message, void *userdata) {
        const struct rtmsg *header = nlmsg_data(message);
        SceneReading *reading = userdata;
        struct nlattr *gateway =
                find(message, sizeof(*header), RTA_GATEWAY, family_length(header->rtm_family));
        int link = rtnl_route_link(message);

        if (header->rtm_flags & RTM_F_CLONED)
                return 0;
        hash_message(reading, message);
        if (gateway && link > 0 && ks_scene_is_uplink(reading->scene, link))
                place_add(&reading->scene->gateways, header->rtm_family, nla_data(gateway), link);
        return 0;
}

static int on_rule(const struct nlmsghdr *message, void *userdata) {
        SceneReading *reading = userdata;
        struct nlattr *mark = find(message, sizeof(struct fib_rule_hdr), FRA_FWMARK, sizeof(uint32_t));

        hash_message(reading, message);
        if (mark)
                mark_add(reading->scene, nla_get_u32(mark));
        return 0;
}

static int on_neighbour(const struct nlmsghdr *message, void *userdata) {
        const struct ndmsg *header = nlmsg_data(message);
        SceneReading *reading = userdata;
        struct nlattr *to = find(message, sizeof(*header), NDA_DST, family_length(header->ndm_family));

        reading->scene->asking |= (header->ndm_state & NUD_INCOMPLETE) &&
                                  ks_scene_is_uplink(reading->scene, header->ndm_ifindex);
        if (to && !(header->ndm_state & (NUD_NOARP | NUD_PERMANENT)) &&
            ks_scene_is_uplink(reading->scene, header->ndm_ifindex))
                place_add(&reading->scene->neighbours, header->ndm_family, nla_data(to), header->ndm_ifindex);
        return 0;
}

/* Chains that look at what comes in say nothing about what goes out, and change while a tunnel runs: a port
 * that is forwarded is opened there. */
static Hash ruleset_hash(const char *text) {
        Hash hash = 0;

        for (const char *line = text; *line;) {
                const char *end = strchrnul(line, '\n');

                if (strncmp(line, "\tchain ", 7) == 0) {
                        const char *close = strstr(line, "\n\t}"), *hook = strstr(line, " hook input ");

                        if (close)
                                end = strchrnul(close + 1, '\n');
                        if (!hook || hook > end)
                                hash += hash_bytes(line, (size_t) (end - line));
                } else if (end > line)
                        hash += hash_bytes(line, (size_t) (end - line));
                line = *end ? end + 1 : end;
        }
        return hash;
}

static void hash_links(SceneReading *reading) {
        for (size_t i = 0; i < reading->scene->links.n; i++) {
                const Link *link = &reading->scene->links.links[i];
                char text[64];
                int n = snprintf(text, sizeof(text), "%d %s %s %d", link->index, link->name, link->kind,
                                 (link->flags & IFF_UP) != 0);

                reading->hash += hash_bytes(text, (size_t) n);
        }
}

/* The link is a part of the network that the host itself is in, not of a bridge of the engine's. */
static bool is_physical(const Link *link) {
        static const char *const kinds[] = { "", "macvlan", "ipvlan", "vlan" };

        for (size_t i = 0; i < ARRAY_LENGTH(kinds); i++)
                if (strcmp(link->kind, kinds[i]) == 0)
                        return true;
        return false;
}

static int tables_read(SceneReading *reading) {
        static const struct {
                RtnlTable table;
                RtnlVisit visit;
        } reads[] = {
                { RTNL_ADDRESSES, on_address },
                { RTNL_ROUTES, on_route },
                { RTNL_RULES, on_rule },
                { RTNL_NEIGHBOURS, on_neighbour },
        };

        for (size_t i = 0; i < ARRAY_LENGTH(reads); i++)
                for (Family f = 0; f < _FAMILY_MAX; f++) {
                        int r = rtnl_dump(reads[i].table, family_to_af(f), reads[i].visit, reading);

                        if (r < 0 && r != -EOPNOTSUPP) /* a kernel without that family */
                                return r;
                }
        return 0;
}

int ks_scene_read(const char *interface, KsScene *ret) {
        CLEANUP(handle_free) char *ruleset = NULL;
        KsScene scene = { .tunnel = 0 };
        SceneReading reading = { .scene = &scene };
        const Link *tunnel;
        int r;

        r = links_read(&scene.links);
        if (r < 0)
                return r;
        tunnel = links_find_tunnel(&scene.links, interface);
        scene.tunnel = tunnel ? tunnel->index : 0;
        for (size_t i = 0; i < scene.links.n; i++)
                scene.near_physical |= ks_scene_is_uplink(&scene, scene.links.links[i].index) &&
                                       is_physical(&scene.links.links[i]);
        hash_links(&reading);
        r = tables_read(&reading);
        if (r < 0)
                return r;
        mark_add(&scene, WG_QUICK_MARK);
        /* Without nf_tables there is nothing to list, and that is what the digest then says. */
        (void) nft_list("list ruleset", &ruleset);
        reading.hash += ruleset_hash(ruleset ?: "none");
        (void) snprintf(scene.digest, sizeof(scene.digest), "%016llx%016llx",
                        (unsigned long long) (reading.hash >> 64), (unsigned long long) reading.hash);
        *ret = scene;
        return 0;
}

bool ks_scene_is_near(const KsScene *scene, const Address *address) {
        const KsPlaces *lists[] = { &scene->gateways, &scene->neighbours, &scene->addresses };

        for (size_t i = 0; i < ARRAY_LENGTH(lists); i++)
                for (size_t k = 0; k < lists[i]->n; k++)
                        if (address_equal(&lists[i]->places[k].address, address))
                                return true;
        return false;
}

int ks_look(void *userdata, void *result) {
        const KsOrder *order = userdata;
        int r = netns_enter(order->netns_fd);

        return r < 0 ? r : ks_scene_read(order->interface, result);
}
