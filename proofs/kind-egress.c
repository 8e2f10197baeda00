/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Egress proof: what leaves the network namespace of the tunnel's processes leaves through the tunnel's
 * interface and is seen at an address that is none of the host's. Looks at both sides at once, and again and
 * again with growing pauses while the answer is "unproven"; a leak ends it at once. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "proofs/child.h"
#include "proofs/egress.h"
#include "proofs/rule.h"
#include "proofs/handles.h"
#include "proofs/mutate.h"
#include "proofs/netns.h"
#include "proofs/outage.h"
#include "proofs/probe-plan.h"
#include "proofs/proof.h"
#include "proofs/workload.h"

#define EGRESS_PAUSE_MIN (250 * USEC_PER_MSEC)
#define EGRESS_PAUSE_MAX (4 * USEC_PER_SEC)
#define EGRESS_LINK_PAUSE (100 * USEC_PER_MSEC)

/* Too large for a stack frame, so it lives on the heap: one for the whole proof. */
typedef struct Egress {
        const ProofRequest *request;
        ProofResult *result;
        ProbePlan plan;
        EgressLook host, inside, host_again, inside_again;
        HostAddresses host_addresses;
        EgressFinding finding;
        uint64_t deadline_usec;
        int dir_fd;
} Egress;

static void egress_free(Egress **e) {
        if (!*e)
                return;
        handle_close(&(*e)->dir_fd);
        free(*e);
}

/* Both sides at the same time, or one of them (the other look is NULL). */
static int look_both(Egress *e, int netns_fd, const bool *wanted, EgressLook *host, EgressLook *inside) {
        EgressOrder orders[2];
        EgressLook *looks[2] = { host, inside };
        Child children[2] = { CHILD_NONE, CHILD_NONE };
        int r = 0;

        for (size_t i = 0; i < 2 && r >= 0; i++) {
                orders[i] = (EgressOrder){
                        .netns_fd = i == 0 ? -1 : netns_fd,
                        .probes = e->plan.probes,
                        .n_probes = e->plan.n_probes,
                        .wanted = wanted,
                        .interface = e->request->interface,
                        .timeout_usec = e->request->probe_timeout_usec,
                };
                if (looks[i])
                        r = child_start(egress_look, &orders[i], sizeof(EgressLook), &children[i]);
        }
        if (r >= 0)
                child_wait(children, 2,
                           time_monotonic_usec() + e->request->probe_timeout_usec + 2 * USEC_PER_SEC);
        for (size_t i = 0; i < 2; i++) {
                if (looks[i] && r >= 0)
                        r = child_result(&children[i], sizeof(EgressLook), looks[i]);
                child_done(&children[i]);
        }
        return r;
}

static int host_addresses_collect(Egress *e) {
        int r;

        r = host_addresses_read(&e->host_addresses);
        for (size_t i = 0; i < e->plan.n_probes && r >= 0; i++)
                if (e->host.answers[i].state == PROBE_ANSWERED)
                        r = host_addresses_add(&e->host_addresses, &e->host.answers[i].seen);
        return r;
}

static int look_and_judge(Egress *e, int netns_fd) {
        EgressCase c = {
                .probes = e->plan.probes,
                .n_probes = e->plan.n_probes,
                .host = &e->host,
                .inside = &e->inside,
                .host_addresses = &e->host_addresses,
                .interface = e->request->interface,
        };
        bool wanted[PROBES_MAX] = { false };
        int r;

        r = look_both(e, netns_fd, NULL, &e->host, &e->inside);
        if (r >= 0 && egress_needs_again(&c, wanted)) {
                /* One after the other: inside once more, and then the control that gives it its weight. */
                r = look_both(e, netns_fd, wanted, NULL, &e->inside_again);
                if (r >= 0)
                        r = look_both(e, netns_fd, wanted, &e->host_again, NULL);
                c.inside_again = &e->inside_again;
                c.host_again = &e->host_again;
        }
        if (r >= 0)
                r = host_addresses_collect(e);
        if (r < 0)
                return r;
        egress_judge(&c, &e->finding);
        proof_note(e->result, "egress", egress_evidence(&c, &e->finding));
        if (e->finding.leak)
                return proof_conclude_leak(e->result, e->finding.remedy, "%s", e->finding.reason);
        return proof_conclude(e->result, e->finding.verdict, e->finding.remedy, "%s", e->finding.reason);
}

/* What is known of the tunnel's namespace before anything is sent. */
typedef struct Inside {
        uint64_t cookie;
        bool link_is_there;
} Inside;

/* ChildWork */
static int inside_work(void *userdata, void *result) {
        const EgressOrder *order = userdata;
        Inside *inside = result;
        LinkSet links;
        int r;

        r = netns_enter(order->netns_fd);
        if (r >= 0)
                r = netns_cookie_here(&inside->cookie);
        if (r >= 0)
                r = links_read(&links);
        if (r >= 0)
                inside->link_is_there = links_find_tunnel(&links, order->interface) != NULL;
        return r;
}

/* Looks into the namespace, and resolves the names of the echo servers meanwhile. */
static int prepare(Egress *e, int netns_fd, Inside *ret) {
        EgressOrder order = { .netns_fd = netns_fd, .interface = e->request->interface };
        CLEANUP(child_done) Child child = CHILD_NONE;
        int r;

        r = child_start(inside_work, &order, sizeof(*ret), &child);
        if (r >= 0)
                r = probe_plan_resolve(&e->plan, e->request->probe_timeout_usec);
        if (r < 0)
                return r;
        child_wait(&child, 1, time_monotonic_usec() + 2 * USEC_PER_SEC);
        r = child_result(&child, sizeof(*ret), ret);
        if (r >= 0)
                e->result->netns_cookie = ret->cookie;
        return r;
}

/* A tunnel that is still coming up is waited for without a probe sent: until its link exists there is
 * nothing to be proved. After half of the time the look is taken anyway, to say what is there instead. */
static bool tunnel_link_awaited(const Egress *e, const Inside *inside) {
        if (inside->link_is_there ||
            time_monotonic_usec() + e->request->retry_for_usec / 2 >= e->deadline_usec)
                return false;
        (void) proof_conclude(e->result, VERDICT_UNPROVEN, "See why the tunnel is not up.",
                              "the tunnel's namespace has no tunnel interface that is up");
        return true;
}

static int workload_is_same(const Egress *e, const Workload *workload, int netns_fd) {
        return mutation_is_on("egress-recheck") ? 0
                                                : workload_recheck(workload, e->request->engine, netns_fd);
}

static int rule_check(Egress *e, GuardLook *look) {
        GuardState state = GUARD_GONE;
        int r;

        if (!e->request->guarded || e->result->leak)
                return 0;
        r = guard_look_end(look, &state);
        if (r >= 0)
                r = rule_conclude(e->request->unit, state, e->result);
        if (r <= 0)
                return r;
        /* The evidence is written already, and has the last word too. */
        e->finding.code = "kill-rule";
        (void) json_object_set_new(json_object_get(e->result->evidence, "egress"), "code",
                                   json_string(e->finding.code));
        return 0;
}

static int look_inside(Egress *e, const Workload *workload, int netns_fd, int host_fd) {
        CLEANUP(guard_look_done) GuardLook look = GUARD_LOOK_NONE;
        Inside inside = { .link_is_there = false };
        const Source *unresolved;
        int r;

        r = namespace_is_same(netns_fd, host_fd);
        if (r < 0)
                return r;
        if (r == 1 && !mutation_is_on("egress-host-namespace")) {
                r = workload_is_same(e, workload, host_fd);
                if (r < 0)
                        return workload_conclude(e->result, e->request->unit, r);
                return proof_conclude_leak(e->result,
                                           "Give the tunnel a network of its own: no network_mode: host.",
                                           "%s runs in the host's own network namespace", e->request->unit);
        }
        r = prepare(e, netns_fd, &inside);
        if (r < 0)
                return r;
        if (tunnel_link_awaited(e, &inside))
                return 0;
        unresolved = probe_plan_unresolved(&e->plan);
        if (unresolved)
                return proof_conclude(e->result, VERDICT_UNPROVEN,
                                      "See whether the host can resolve names, or give addresses.",
                                      "the host cannot resolve \"%s\"", unresolved->host);
        /* At the same time: to list what a packet filter holds takes as long. */
        r = e->request->guarded ? guard_look_begin(&look, netns_fd, e->request->run_dir, e->request->unit)
                                : 0;
        if (r >= 0)
                r = look_and_judge(e, netns_fd);
        if (r < 0 || e->result->leak)
                return r;
        r = workload_is_same(e, workload, netns_fd);
        return r < 0 ? workload_conclude(e->result, e->request->unit, r) : rule_check(e, &look);
}

static int egress_round(Egress *e, int host_fd) {
        CLEANUP(workload_done) Workload workload = WORKLOAD_NONE;
        CLEANUP(handle_close) int netns_fd = -1;
        int r;

        r = workload_read(e->request->engine, e->request->unit, &workload);
        if (r >= 0)
                r = workload_netns(&workload, &netns_fd);
        if (r < 0)
                return workload_conclude(e->result, e->request->unit, r);
        memcpy(e->result->invocation_id, workload.unit.invocation_id, sizeof(e->result->invocation_id));
        return look_inside(e, &workload, netns_fd, host_fd);
}

static void add_fields(const Egress *e) {
        char text[ADDRESS_TEXT_SIZE];

        for (size_t i = 0; i < e->plan.n_probes; i++) {
                const char *family = e->plan.probes[i].family == FAMILY_V6 ? "6" : "4";
                CLEANUP(handle_free) char *host = text_format("HOST_ADDRESS%s", family);
                CLEANUP(handle_free) char *inside = text_format("TUNNEL_ADDRESS%s", family);

                if (host && e->host.answers[i].state == PROBE_ANSWERED)
                        proof_field(e->result, host, address_text(&e->host.answers[i].seen, text));
                if (inside && e->inside.answers[i].state == PROBE_ANSWERED)
                        proof_field(e->result, inside, address_text(&e->inside.answers[i].seen, text));
        }
        if (e->finding.code)
                proof_field(e->result, "CODE", e->finding.code);
}

/* Everything is compared with PID 1's namespace, so the proof itself must stand in it. */
static int stands_on_host(Egress *e, int host_fd) {
        CLEANUP(handle_close) int own = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
        int r;

        if (own < 0)
                return -errno;
        r = namespace_is_same(own, host_fd);
        if (r == 0)
                (void) proof_conclude(e->result, VERDICT_UNPROVEN,
                                      "Run the proof unit without a network sandbox.",
                                      "the proof does not run in the host's network namespace");
        return r;
}

/* One round, at a time at which nobody makes an outage. */
static int egress_round_alone(Egress *e, int host_fd) {
        CLEANUP(handle_close) int fd = -1;
        uint64_t begin = time_monotonic_usec();
        int r;

        if (e->dir_fd < 0)
                return egress_round(e, host_fd);
        r = outage_lock(e->dir_fd, e->request->after_killswitch, OUTAGE_MEASURE,
                        begin + e->request->timeout_usec, &fd);
        e->deadline_usec += time_monotonic_usec() - begin; /* to wait is no attempt */
        return r < 0 ? r : egress_round(e, host_fd);
}

/* 1: a verdict was set. */
static int killswitch_await(Egress *e) {
        const OutageProof proof = {
                .unit = e->request->killswitch_unit,
                .tunnel = e->request->after_killswitch,
                .tunnel_unit = e->request->unit,
        };
        int r;

        if (!proof.tunnel || !proof.unit)
                return 0;
        r = record_dir_create(e->request->run_dir, e->request->stack, &e->dir_fd);
        if (r >= 0)
                r = outage_await(&proof, e->dir_fd, time_monotonic_usec() + e->request->timeout_usec);
        if (r == -ETIMEDOUT) {
                (void) proof_conclude(e->result, VERDICT_UNPROVEN,
                                      "See why that takes so long: systemctl status of its unit.",
                                      "the kill-switch proof of %s (%s) has not come to its end",
                                      proof.tunnel, proof.unit);
                return 1;
        }
        return r;
}

static int egress_rounds(Egress *e, int host_fd) {
        uint64_t pause = EGRESS_PAUSE_MIN;
        unsigned rounds = 0;
        int r;

        for (;;) {
                uint64_t left;

                e->finding.code = NULL;
                e->finding.failed_if_lasting = false;
                r = egress_round_alone(e, host_fd);
                proof_note(e->result, "rounds", json_integer(++rounds));
                if (r < 0 || e->result->verdict != VERDICT_UNPROVEN || e->result->leak)
                        return r;
                left = (uint64_t) time_left_msec(e->deadline_usec) * USEC_PER_MSEC;
                if (left == 0)
                        return e->finding.failed_if_lasting
                                       ? proof_conclude(e->result, VERDICT_FAILED, e->finding.remedy, "%s",
                                                        e->finding.reason)
                                       : 0;
                if (!e->finding.code) /* still waiting for the link or the unit */
                        time_sleep_usec(EGRESS_LINK_PAUSE);
                else {
                        time_sleep_usec(pause < left ? pause : left);
                        pause = pause * 2 < EGRESS_PAUSE_MAX ? pause * 2 : EGRESS_PAUSE_MAX;
                }
        }
}

int proof_egress(const ProofRequest *request, ProofResult *result) {
        CLEANUP(handle_close) int host_fd = -1;
        CLEANUP(egress_free) Egress *e = calloc(1, sizeof(*e));
        int r;

        if (!e)
                return -ENOMEM;
        e->request = request;
        e->result = result;
        e->dir_fd = -1;
        if (!probe_plan_sources(&e->plan, request, result))
                return 0;
        r = killswitch_await(e);
        if (r != 0)
                return r < 0 ? r : 0;
        e->deadline_usec = time_monotonic_usec() + request->retry_for_usec;
        r = netns_open_host(&host_fd);
        if (r < 0)
                return r;
        r = stands_on_host(e, host_fd);
        if (r <= 0)
                return r;
        r = egress_rounds(e, host_fd);
        add_fields(e);
        return r;
}
