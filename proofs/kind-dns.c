/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* DNS proof: whatever a user of the running client asks for a name, the question leaves through the tunnel or
 * not at all. Asked from the client's own place, since files, mounts, users and sockets of the file system
 * each can lead to a resolver past every route. */

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "proofs/child.h"
#include "proofs/dns.h"
#include "proofs/handles.h"
#include "proofs/netns.h"
#include "proofs/proof.h"
#include "proofs/workload.h"

/* One for each user and view of the files that a process of the client has. */
typedef struct Seat {
        Process process;
        uid_t uid;
        struct stat mounts, root;
} Seat;

typedef struct Dns {
        const ProofRequest *request;
        ProofResult *result;
        Workload tunnel, client;
        int netns_fd;
        Seat seats[DNS_SEATS_MAX];
        size_t n_seats;
        DnsLook looks[DNS_SEATS_MAX];
        HelperState states[DNS_SEATS_MAX][HELPERS_MAX];
        size_t n_looks;
        SocketHolders holders;
        DnsCase c;
        DnsFinding finding;
} Dns;

static void dns_done(Dns **slot) {
        Dns *d = *slot;

        if (!d)
                return;
        for (size_t i = 0; i < d->n_seats; i++)
                process_done(&d->seats[i].process);
        workload_done(&d->tunnel);
        workload_done(&d->client);
        handle_close(&d->netns_fd);
        free(d);
}

static bool same_file(const struct stat *a, const struct stat *b) {
        return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static int seat_read(const Workload *client, pid_t pid, Seat *ret) {
        CLEANUP(process_done) Process process = PROCESS_NONE;
        ProcessStatus status;
        Seat seat;
        int r;

        r = process_open(pid, client->unit.cgroup, &process);
        if (r >= 0)
                r = process_status(&process, &status);
        if (r < 0)
                return r;
        if (fstatat(process.proc_fd, "ns/mnt", &seat.mounts, 0) < 0 ||
            fstatat(process.proc_fd, "root", &seat.root, 0) < 0)
                return errno == ENOENT ? -ESRCH : -errno;
        seat.uid = status.uid;
        seat.process = process;
        process = PROCESS_NONE;
        *ret = seat;
        return 0;
}

static int seats_list(Dns *d) {
        for (size_t i = 0; i < d->client.pids.n && d->n_seats < DNS_SEATS_MAX; i++) {
                bool known = false;
                Seat seat;
                int r;

                r = seat_read(&d->client, d->client.pids.pids[i], &seat);
                if (r == -ESRCH || r == -EXDEV) /* ended */
                        continue;
                if (r < 0)
                        return r;
                for (size_t k = 0; k < d->n_seats && !known; k++)
                        known = seat.uid == d->seats[k].uid && same_file(&seat.mounts, &d->seats[k].mounts) &&
                                same_file(&seat.root, &d->seats[k].root);
                if (known)
                        process_done(&seat.process);
                else
                        d->seats[d->n_seats++] = seat;
        }
        return d->n_seats > 0 ? 0 : -ESRCH;
}

static int seats_look(Dns *d) {
        DnsOrder orders[DNS_SEATS_MAX];
        Child children[DNS_SEATS_MAX];
        uint64_t timeout = d->request->probe_timeout_usec;
        int r = 0;

        for (size_t i = 0; i < d->n_seats; i++)
                children[i] = CHILD_NONE;
        for (size_t i = 0; i < d->n_seats && r >= 0; i++) {
                orders[i] = (DnsOrder){
                        .process = &d->seats[i].process,
                        .uid = d->seats[i].uid,
                        .interface = d->request->interface,
                        .timeout_usec = timeout,
                };
                r = child_start(dns_look, &orders[i], sizeof(DnsLook), &children[i]);
        }
        if (r >= 0)
                child_wait(children, d->n_seats, time_monotonic_usec() + timeout + 10 * USEC_PER_SEC);
        for (size_t i = 0; i < d->n_seats; i++) {
                int look = r < 0 ? r : child_result(&children[i], sizeof(DnsLook), &d->looks[d->n_looks]);

                child_done(&children[i]);
                if (look >= 0)
                        d->n_looks++;
                else if (look != -ESRCH && r >= 0) /* that user's process has ended */
                        r = look;
        }
        return r < 0 ? r : d->n_looks > 0 ? 0 : -ESRCH;
}

/* The pod's containers share one file; a client whose file is another has been cut off from it. */
static bool config_is_tunnels(const Dns *d) {
        CLEANUP(process_done) Process process = PROCESS_NONE;
        CLEANUP(handle_free) char *text = NULL;

        return process_open(d->tunnel.pids.pids[0], d->tunnel.unit.cgroup, &process) >= 0 &&
               dns_file_read(&process, "etc/resolv.conf", &text) >= 0 &&
               strcmp(text, d->looks[0].config_text) == 0;
}

static int looks_judge(Dns *d) {
        int r = 0;

        d->c = (DnsCase){
                .looks = d->looks,
                .n_looks = d->n_looks,
                .states = d->states,
                .interface = d->request->interface,
                .same_as_tunnel = config_is_tunnels(d),
        };
        for (size_t s = 0; s < d->n_looks; s++)
                for (size_t i = 0; i < HELPERS_MAX; i++)
                        d->states[s][i] = helper_state(&d->looks[s].helpers[i], d->netns_fd);
        if (dns_needs_holders(&d->c)) {
                r = socket_holders_find(&d->looks[0].sockets, d->netns_fd, &d->holders);
                d->c.holders = &d->holders;
        }
        if (r < 0)
                return r;
        dns_judge(&d->c, &d->finding);
        proof_note(d->result, "dns", dns_evidence(&d->c, &d->finding));
        proof_field(d->result, "CODE", d->finding.code);
        d->result->netns_cookie = d->looks[0].cookie;
        if (d->finding.leak)
                return proof_conclude_leak(d->result, d->finding.remedy, "%s", d->finding.reason);
        return proof_conclude(d->result, d->finding.verdict, d->finding.remedy, "%s", d->finding.reason);
}

static int units_open(Dns *d) {
        CLEANUP(handle_close) int tunnel_fd = -1, host_fd = -1;
        int r;

        r = workload_read(d->request->engine, d->request->tunnel_unit, &d->tunnel);
        if (r >= 0)
                r = workload_netns(&d->tunnel, &tunnel_fd);
        if (r < 0)
                return workload_conclude(d->result, d->request->tunnel_unit, r);
        r = workload_read(d->request->engine, d->request->unit, &d->client);
        if (r >= 0)
                r = workload_netns(&d->client, &d->netns_fd);
        if (r < 0)
                return workload_conclude(d->result, d->request->unit, r);
        r = netns_open_host(&host_fd);
        if (r >= 0)
                r = namespace_is_same(d->netns_fd, host_fd);
        if (r > 0)
                return proof_conclude(d->result, VERDICT_UNPROVEN, "See what the binding proof says.",
                                      "%s is in the host's network namespace", d->request->unit);
        if (r == 0)
                r = namespace_is_same(d->netns_fd, tunnel_fd);
        if (r == 0)
                return proof_conclude(d->result, VERDICT_UNPROVEN, "See what the binding proof says.",
                                      "%s is in another network namespace than %s", d->request->unit,
                                      d->request->tunnel_unit);
        return r < 0 ? r : 0;
}

int proof_dns(const ProofRequest *request, ProofResult *result) {
        CLEANUP(dns_done) Dns *d = calloc(1, sizeof(*d));
        int r;

        if (!d)
                return -ENOMEM;
        d->request = request;
        d->result = result;
        d->netns_fd = -1;
        r = units_open(d);
        memcpy(result->invocation_id, d->client.unit.invocation_id, sizeof(result->invocation_id));
        if (r < 0 || result->reason)
                return r;
        r = seats_list(d);
        if (r >= 0)
                r = seats_look(d);
        if (r >= 0)
                r = looks_judge(d);
        if (r < 0)
                return workload_conclude(d->result, request->unit, r);
        if (!result->leak && (!unit_is_same(&d->tunnel.unit) || !unit_is_same(&d->client.unit)))
                return workload_conclude(d->result, request->unit, -ESTALE);
        return 0;
}
