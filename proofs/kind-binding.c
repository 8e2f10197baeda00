/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Binding proof: every process of the running client is in the network namespace of the tunnel, the one in
 * which egress was proved, with no socket from elsewhere. systemd runs a service in the host's network if it
 * may not enter the namespace that was asked for, and engines join whatever they took for the tunnel: so the
 * running processes are looked at, and nothing else is believed. */

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/socket.h>

#include "proofs/binding.h"
#include "proofs/bound.h"
#include "proofs/handles.h"
#include "proofs/mutate.h"
#include "proofs/netns.h"
#include "proofs/placed.h"
#include "proofs/proof.h"
#include "proofs/rule.h"
#include "proofs/sockets.h"
#include "proofs/workload.h"

enum {
        BINDING_ROUNDS_MAX = 5,   /* until no new process has appeared */
        BINDING_PIDS_LISTED = 64, /* in the evidence */
};

#define REMEDY_JOIN                                                                                          \
        "Compare network_mode: in the Compose file with the generated unit, and restart the tunnel."

typedef struct Binding {
        const ProofRequest *request;
        ProofResult *result;
        int host_fd, tunnel_fd, client_fd;
        uint64_t host_cookie, tunnel_cookie;
        Workload tunnel, client;
        SocketCensus sockets;
        BindingPowers powers;
        BindingUsers users;
        json_t *processes;
        unsigned n_judged;
        uint64_t placed_deadline; /* CLOCK_MONOTONIC */
        bool unplaced;            /* one was not until then */
        bool concluded;
} Binding;

static void binding_done(Binding *b) {
        handle_close(&b->host_fd);
        handle_close(&b->tunnel_fd);
        handle_close(&b->client_fd);
        workload_done(&b->tunnel);
        workload_done(&b->client);
        binding_powers_done(&b->powers);
        json_decref(b->processes);
}

static int conclude_unproven(Binding *b, const char *unit, const char *what) {
        b->concluded = true;
        return proof_conclude(b->result, VERDICT_UNPROVEN, "Look at the unit's journal.", "%s %s", unit,
                              what);
}

static int conclude_error(Binding *b, const char *unit, int error) {
        switch (error) {
        case -ENOENT:
                return conclude_unproven(b, unit, "is not active");
        case -ESRCH:
                return conclude_unproven(b, unit, "has no process of the service");
        case -ENOTUNIQ:
                return conclude_unproven(b, unit, "has processes in different network namespaces");
        case -EBUSY:
                return conclude_unproven(b, unit,
                                         "has a process that systemd has not put into its place yet");
        default:
                return error;
        }
}

static int powers_open(Binding *b) {
        CLEANUP(process_done) Process process = PROCESS_NONE;
        int r = -ESRCH;

        for (size_t i = 0; i < b->tunnel.pids.n && (r == -ESRCH || r == -EXDEV); i++)
                r = process_open(b->tunnel.pids.pids[i], b->tunnel.unit.cgroup, &process);
        if (r < 0)
                return r == -EXDEV ? -ESRCH : r;
        return binding_powers_open(b->host_fd, b->tunnel_fd, &process, &b->powers);
}

static int tunnel_open(Binding *b) {
        const char *unit = b->request->tunnel_unit;
        int r;

        r = netns_open_host(&b->host_fd);
        if (r >= 0)
                r = netns_cookie(b->host_fd, &b->host_cookie);
        if (r < 0)
                return r;
        r = workload_read(b->request->engine, unit, &b->tunnel);
        if (r >= 0)
                r = workload_netns(&b->tunnel, &b->tunnel_fd);
        if (r >= 0)
                r = netns_cookie(b->tunnel_fd, &b->tunnel_cookie);
        if (r >= 0)
                r = powers_open(b);
        if (r < 0)
                return conclude_error(b, unit, r);
        if (b->tunnel_cookie != b->host_cookie && namespace_is_same(b->tunnel_fd, b->host_fd) == 0)
                return 0;
        b->concluded = true;
        return proof_conclude_leak(b->result, "Give the tunnel a network of its own: no network_mode: host.",
                                   "%s itself runs in the host's network namespace", unit);
}

static void process_note(Binding *b, const Process *process, const ProcessStatus *status) {
        binding_users_add(&b->users, status->uid);
        if (json_array_size(b->processes) < BINDING_PIDS_LISTED)
                (void) json_array_append_new(b->processes,
                                             json_pack("{s:i, s:s, s:i}", "pid", (int) process->pid, "name",
                                                       status->name, "uid", (int) status->uid));
}

static int process_judge_namespace(Binding *b, const Process *process, ProcessStatus *status) {
        CLEANUP(handle_close) int fd = -1;
        uint64_t cookie;
        int r;

        r = placed_netns(process, b->host_fd, b->placed_deadline, &fd);
        if (r >= 0)
                r = process_status(process, status);
        if (r < 0)
                return r;
        if (namespace_is_same(fd, b->host_fd) != 0 && !mutation_is_on("binding-host")) {
                b->concluded = true;
                return proof_conclude_leak(b->result, REMEDY_JOIN,
                                           "process %d (%s) of %s runs in the host's "
                                           "network namespace",
                                           (int) process->pid, status->name, b->request->unit);
        }
        r = namespace_is_same(fd, b->tunnel_fd);
        if (r < 0)
                return r;
        if (r == 0 && !mutation_is_on("binding-namespace")) {
                r = netns_cookie(fd, &cookie);
                b->concluded = true;
                return proof_conclude_leak(b->result, REMEDY_JOIN,
                                           "process %d (%s) of %s runs in another "
                                           "network namespace than %s (cookie %" PRIu64 ", not %" PRIu64 ")",
                                           (int) process->pid, status->name, b->request->unit,
                                           b->request->tunnel_unit, r < 0 ? 0 : cookie, b->tunnel_cookie);
        }
        if (b->client_fd < 0)
                b->client_fd = handle_take_fd(&fd);
        return 0;
}

static int sockets_judge(Binding *b, pid_t pid, const char *name) {
        const SocketCensus *s = &b->sockets;

        if (s->n_foreign > 0 && !mutation_is_on("binding-sockets")) {
                b->concluded = true;
                return proof_conclude_leak(
                        b->result, "Start the client without inherited or activated sockets.",
                        "process %d (%s) of %s holds a socket of another network namespace "
                        "(address family %d)",
                        (int) pid, name, b->request->unit, s->foreign_domain);
        }
        if (s->n_beyond > 0 && !mutation_is_on("binding-beyond")) {
                b->concluded = true;
                return proof_conclude_leak(
                        b->result,
                        "Let the client run without it: RestrictAddressFamilies=, or a seccomp profile.",
                        "process %d (%s) of %s holds a socket of %s, which no network namespace keeps in",
                        (int) pid, name, b->request->unit, socket_family_name(s->beyond_domain));
        }
        return 0;
}

static int process_judge(Binding *b, pid_t pid) {
        CLEANUP(process_done) Process process = PROCESS_NONE;
        ProcessStatus status;
        int r;

        r = process_open(pid, b->client.unit.cgroup, &process);
        if (r >= 0)
                r = process_judge_namespace(b, &process, &status);
        if (r < 0 || b->concluded)
                return r;
        r = sockets_count(&process, b->tunnel_cookie, &b->sockets);
        if (r == -EPERM) {
                b->concluded = true;
                return proof_conclude(b->result, VERDICT_UNPROVEN, "Set kernel.yama.ptrace_scope below 3.",
                                      "the kernel does not let the proof look at the sockets of process %d",
                                      (int) pid);
        }
        if (r >= 0)
                r = binding_powers_add(&b->powers, b->request, &process, &status);
        if (r < 0)
                return r;
        process_note(b, &process, &status);
        return sockets_judge(b, pid, status.name);
}

static int families_judge(Binding *b) {
        if (b->sockets.n_unknown == 0)
                return 0;
        b->concluded = true;
        return proof_conclude(
                b->result, VERDICT_UNPROVEN,
                "Let the client run without it: RestrictAddressFamilies=, or a seccomp profile.",
                "process %d of %s holds a socket of address family %d, of which it is not known "
                "whether a network namespace keeps it in",
                (int) b->sockets.unknown_pid, b->request->unit, b->sockets.unknown_domain);
}

/* Processes come and go. Those that were there at the beginning are judged, then those that appeared since,
 * until none is new: a child can only inherit a namespace that was judged. */
static int processes_judge(Binding *b) {
        CLEANUP(payload_done) PidSet seen = { .n = 0 };
        unsigned fresh = 1;
        int r;

        for (unsigned round = 0; round < BINDING_ROUNDS_MAX && fresh > 0; round++) {
                CLEANUP(workload_done) Workload now = WORKLOAD_NONE;

                r = workload_read(b->request->engine, b->request->unit, &now);
                if (r < 0)
                        return conclude_error(b, b->request->unit, r);
                workload_done(&b->client);
                b->client = now;
                now = WORKLOAD_NONE;
                fresh = 0;
                for (size_t i = 0; i < b->client.pids.n; i++) {
                        if (payload_contains(&seen, b->client.pids.pids[i]))
                                continue;
                        r = process_judge(b, b->client.pids.pids[i]);
                        if (r == -ESRCH || r == -EXDEV) /* ended */
                                continue;
                        if (r == -EBUSY) {
                                b->unplaced = true;
                                continue;
                        }
                        if (r < 0 || b->concluded)
                                return r;
                        fresh++;
                        b->n_judged++;
                }
                payload_done(&seen);
                seen = b->client.pids;
                b->client.pids = (PidSet){ .n = 0 };
        }
        /* After all processes, since what is not known of one weighs less than a leak of another. */
        if (b->unplaced)
                return conclude_error(b, b->request->unit, -EBUSY);
        if (b->n_judged == 0)
                return conclude_error(b, b->request->unit, -ESRCH);
        return families_judge(b);
}

static void evidence_note(Binding *b) {
        proof_note(b->result, "processes", json_incref(b->processes));
        proof_note(b->result, "sockets", json_integer(b->sockets.n_sockets));
        proof_note(b->result, "foreign_sockets", json_integer(b->sockets.n_foreign));
        proof_note(b->result, "capabilities", binding_powers_evidence(&b->powers, b->request));
        proof_note(b->result, "host_cookie", json_integer((json_int_t) b->host_cookie));
        proof_note(b->result, "tunnel_cookie", json_integer((json_int_t) b->tunnel_cookie));
        proof_note(b->result, "tunnel_unit", json_string(b->request->tunnel_unit));
}

static int inside_judge(Binding *b) {
        BindingEgress egress = { .n = 0 };
        int r = 0;

        if (!b->request->without_egress)
                r = binding_egress_read(b->request, &b->tunnel.unit, b->tunnel_cookie, b->result, &egress);
        if (r < 0)
                return r;
        if (r > 0) {
                b->concluded = true;
                return 0;
        }
        r = binding_routes_judge(b->client_fd, &egress, &b->users, b->tunnel_cookie,
                                 b->request->without_egress, b->result);
        if (r == 0)
                r = binding_powers_judge(&b->powers, b->request, b->result);
        if (r == 0) /* after what would be a leak */
                r = rule_judge(b->request, b->request->tunnel_unit, b->tunnel_fd, b->result);
        b->concluded |= r > 0;
        return r < 0 ? r : 0;
}

/* Last, since all before is about what is, and this about what was. */
static int hook_judge(Binding *b) {
        CLEANUP(payload_done) PidSet pids = { .n = 0 };
        int r;

        if (!b->request->engine->has_hooks)
                return 0;
        r = payload_list(b->request->engine, b->client.unit.cgroup, &pids);
        if (r >= 0)
                r = bound_record_judge(b->request, &pids, b->tunnel_cookie, b->result);
        b->concluded |= r > 0;
        return r < 0 ? r : 0;
}

static int binding_judge(Binding *b) {
        int r;

        r = tunnel_open(b);
        if (r >= 0 && !b->concluded)
                r = processes_judge(b);
        if (r >= 0 && !b->concluded)
                r = inside_judge(b);
        if (r >= 0 && !b->concluded)
                r = hook_judge(b);
        evidence_note(b);
        if (r < 0 || b->concluded)
                return r;
        if (!unit_is_same(&b->tunnel.unit) || !unit_is_same(&b->client.unit))
                return conclude_unproven(b, b->request->unit, "or its tunnel was restarted during the proof");
        return proof_conclude(b->result, VERDICT_PASSED, "",
                              "all processes (%u) of %s are in the network namespace of %s (cookie %" PRIu64
                              ")",
                              b->n_judged, b->request->unit, b->request->tunnel_unit, b->tunnel_cookie);
}

int proof_binding(const ProofRequest *request, ProofResult *result) {
        CLEANUP(binding_done)
        Binding b = {
                .request = request,
                .result = result,
                .host_fd = -1,
                .tunnel_fd = -1,
                .client_fd = -1,
                .powers = BINDING_POWERS_NONE,
                .placed_deadline = time_monotonic_usec() + PLACED_WAIT_USEC,
                .processes = json_array(),
        };
        int r;

        if (!b.processes)
                return -ENOMEM;
        r = binding_judge(&b);
        result->netns_cookie = b.tunnel_cookie;
        memcpy(result->invocation_id, b.client.unit.invocation_id, sizeof(result->invocation_id));
        return r;
}
