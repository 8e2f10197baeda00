/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/binding.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "proofs/child.h"
#include "proofs/handles.h"
#include "proofs/mutate.h"
#include "proofs/netns.h"
#include "proofs/record-read.h"
#include "proofs/route.h"

void binding_users_add(BindingUsers *users, uint32_t uid) {
        for (size_t i = 0; i < users->n; i++)
                if (users->uids[i] == uid)
                        return;
        if (users->n < BINDING_USERS_MAX)
                users->uids[users->n++] = uid;
}

/* One sentence per way in which the record is not about the tunnel of this moment. */
static const char *egress_mismatch(const Record *record, const UnitFacts *tunnel) {
        char boot_id[ID128_TEXT_SIZE] = "";

        if (id128_boot(boot_id) < 0 || strcmp(record->boot_id, boot_id) != 0)
                return "is of another boot";
        if (record->pending)
                return "is of a proof that has not come to its end";
        if (record->verdict != VERDICT_PASSED)
                return "does not say \"passed\"";
        if (strcmp(record->unit, tunnel->name) != 0)
                return "is about another tunnel";
        if (strcmp(record->invocation_id, tunnel->invocation_id) != 0)
                return "is about an earlier start of the tunnel";
        return NULL;
}

static void egress_destinations(const Record *record, BindingEgress *ret) {
        const json_t *probes = json_object_get(json_object_get(record->evidence, "egress"), "probes");
        const json_t *probe;
        size_t i;

        json_array_foreach(probes, i, probe) {
                const json_t *route = json_object_get(probe, "route");
                const char *link = json_string_value(json_object_get(route, "link"));
                const char *address = json_string_value(json_object_get(probe, "address"));
                Address *to = &ret->destinations[ret->n];

                if (ret->n == BINDING_DESTINATIONS_MAX)
                        return;
                if (!link || !address || strlen(link) >= sizeof(ret->links[0]) ||
                    address_parse(address, to) < 0)
                        continue;
                (void) snprintf(ret->links[ret->n++], sizeof(ret->links[0]), "%s", link);
        }
}

static void egress_links(const Record *record, BindingEgress *ret) {
        const json_t *links = json_object_get(json_object_get(record->evidence, "egress"), "links");
        const json_t *link;
        size_t i;

        ret->has_links = json_is_array(links) && json_array_size(links) <= LINKS_MAX;
        json_array_foreach(links, i, link) {
                BindingLink *l = &ret->there[ret->n_there];

                if (!ret->has_links)
                        return;
                (void) snprintf(l->name, sizeof(l->name), "%s",
                                json_string_value(json_object_get(link, "name")) ?: "");
                (void) snprintf(l->kind, sizeof(l->kind), "%s",
                                json_string_value(json_object_get(link, "kind")) ?: "");
                l->index = (int) json_integer_value(json_object_get(link, "index"));
                l->up = json_is_true(json_object_get(link, "up"));
                l->tunnel = json_is_true(json_object_get(link, "tunnel"));
                ret->n_there++;
        }
}

/* The egress proof may run again just now, since somebody else's start asked for it: its result is near, so
 * it is waited for, as the gate does. */
static RecordFault egress_record_await(const ProofRequest *request, int dir_fd, Record *ret) {
        uint64_t deadline = time_monotonic_usec() + BINDING_EGRESS_WAIT_USEC;
        RecordFault fault;

        while ((fault = record_read(dir_fd, /* owner= */ 0, request->stack, "egress", request->subject,
                                    ret)) == RECORD_FAULT_NONE &&
               ret->pending && time_left_msec(deadline) > 0) {
                record_done(ret);
                *ret = (Record){ .verdict = VERDICT_UNPROVEN };
                time_sleep_usec(50 * USEC_PER_MSEC);
        }
        return fault;
}

int binding_egress_read(const ProofRequest *request, const UnitFacts *tunnel, uint64_t cookie,
                        ProofResult *result, BindingEgress *ret) {
        CLEANUP(handle_close) int dir_fd = -1;
        CLEANUP(record_done) Record record = { .verdict = VERDICT_UNPROVEN };
        const char *mismatch;
        RecordFault fault;

        fault = record_dir_open(request->run_dir, request->stack, /* owner= */ 0, &dir_fd);
        if (fault == RECORD_FAULT_NONE)
                fault = egress_record_await(request, dir_fd, &record);
        mismatch = fault != RECORD_FAULT_NONE ? record_fault_text(fault) : egress_mismatch(&record, tunnel);
        if (mismatch && !mutation_is_on("binding-egress-record")) {
                (void) proof_conclude(result, VERDICT_UNPROVEN,
                                      "Restart the client, which proves egress anew.",
                                      "the record of the egress proof of %s %s", request->subject, mismatch);
                return 1;
        }
        if (record.netns_cookie != cookie && !mutation_is_on("binding-cookie")) {
                (void) proof_conclude(result, VERDICT_FAILED, "Restart the client, which proves egress anew.",
                                      "egress was proved in another network namespace (cookie %" PRIu64
                                      ") than the client is in (%" PRIu64 ")",
                                      record.netns_cookie, cookie);
                return 1;
        }
        egress_destinations(&record, ret);
        egress_links(&record, ret);
        proof_note(result, "egress_record", json_string(record.id));
        return 0;
}

typedef struct RoutesOrder {
        int netns_fd;
        const BindingEgress *egress;
        const BindingUsers *users;
} RoutesOrder;

typedef struct RoutesLook {
        uint64_t cookie;
        LinkSet links;
        RouteAnswer routes[BINDING_USERS_MAX][BINDING_DESTINATIONS_MAX];
} RoutesLook;

static int routes_work(void *userdata, void *result) {
        CLEANUP(handle_router) Router *router = NULL;
        const RoutesOrder *order = userdata;
        RoutesLook *look = result;
        int r;

        r = netns_enter(order->netns_fd);
        if (r >= 0)
                r = netns_cookie_here(&look->cookie);
        if (r >= 0)
                r = links_read(&look->links);
        if (r >= 0)
                r = router_open(&router);
        for (size_t u = 0; u < order->users->n && r >= 0; u++)
                for (size_t i = 0; i < order->egress->n && r >= 0; i++)
                        r = router_ask(router, &order->egress->destinations[i], order->users->uids[u],
                                       &look->routes[u][i]);
        return r;
}

static json_t *links_json(const LinkSet *set) {
        json_t *list = json_array();

        for (size_t i = 0; i < set->n; i++)
                (void) json_array_append_new(list, json_pack("{s:s, s:s, s:b}", "name", set->links[i].name,
                                                             "kind", set->links[i].kind, "up",
                                                             (set->links[i].flags & IFF_UP) != 0));
        return list;
}

/* A tunnel may make its own link anew, which is another one with the same name and kind. Of all others the
 * index tells that: a network that was taken away and given back is not the one that was looked at. */
static bool link_is_known(const Link *link, const BindingEgress *egress) {
        for (size_t i = 0; i < egress->n_there; i++) {
                const BindingLink *l = &egress->there[i];

                if (l->up && strcmp(l->name, link->name) == 0 && strcmp(l->kind, link->kind) == 0 &&
                    (l->tunnel || l->index == link->index))
                        return true;
        }
        return false;
}

/* Links that are down carry nothing: some kernel modules put one into every namespace. */
static int links_judge(const LinkSet *links, const BindingEgress *egress, ProofResult *result) {
        if (!egress->has_links) {
                (void) proof_conclude(result, VERDICT_UNPROVEN,
                                      "Restart the client, which proves egress anew.",
                                      "the record of the egress proof does not say which links there were");
                return 1;
        }
        for (size_t i = 0; i < links->n; i++) {
                const Link *link = &links->links[i];

                if (!(link->flags & IFF_UP) || (link->flags & IFF_LOOPBACK) || link_is_known(link, egress) ||
                    mutation_is_on("binding-links"))
                        continue;
                (void) proof_conclude(
                        result, VERDICT_FAILED,
                        "Disconnect the network from the tunnel's pod, or restart the client, which "
                        "proves egress with it.",
                        "the link %s%s%s%s in the tunnel's network namespace was not there when "
                        "egress was proved",
                        link->name, link->kind[0] ? " (" : "", link->kind, link->kind[0] ? ")" : "");
                return 1;
        }
        return 0;
}

int binding_routes_judge(int netns_fd, const BindingEgress *egress, const BindingUsers *users,
                         uint64_t cookie, bool without_egress, ProofResult *result) {
        const RoutesOrder order = { netns_fd, egress, users };
        CLEANUP(handle_free) RoutesLook *look = calloc(1, sizeof(*look));
        char text[ADDRESS_TEXT_SIZE];
        int r;

        if (!look)
                return -ENOMEM;
        r = child_run(routes_work, (void *) &order, sizeof(*look), time_monotonic_usec() + 5 * USEC_PER_SEC,
                      look);
        if (r < 0)
                return r;
        proof_note(result, "links", links_json(&look->links));
        if (look->cookie != cookie)
                return -ESTALE;
        for (size_t u = 0; u < users->n; u++)
                for (size_t i = 0; i < egress->n; i++) {
                        const RouteAnswer *route = &look->routes[u][i];
                        const Link *link = links_find(&look->links, route->link);

                        if (mutation_is_on("binding-routes") || route->error != 0 ||
                            (link && strcmp(link->name, egress->links[i]) == 0))
                                continue;
                        (void) proof_conclude_leak(
                                result, "Remove the routing rule that treats this user apart.",
                                "user %" PRIu32 " of the client reaches %s by %s, not by %s "
                                "as egress was proved",
                                users->uids[u], address_text(&egress->destinations[i], text),
                                link ? link->name : "an unknown link", egress->links[i]);
                        return 1;
                }
        return without_egress ? 0 : links_judge(&look->links, egress, result);
}
