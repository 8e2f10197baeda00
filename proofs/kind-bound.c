/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Bound: the process that will become a client's first one is in the network namespace of its tunnel, in
 * which egress was proved. It has not run an instruction of the client yet, so nothing has leaked whatever is
 * found. */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <systemd/sd-login.h>

#include "proofs/binding.h"
#include "proofs/bound.h"
#include "proofs/handles.h"
#include "proofs/mutate.h"
#include "proofs/netns.h"
#include "proofs/record-read.h"
#include "proofs/rule.h"
#include "proofs/workload.h"

#define REMEDY_JOIN                                                                                          \
        "Compare network_mode: in the Compose file with the generated unit, and restart the tunnel."

int bound_start_time(int proc_fd, uint64_t *ret) {
        CLEANUP(handle_free) char *text = NULL;
        const char *p;
        unsigned long long start;
        int r;

        r = file_read_at(proc_fd, "stat", SMALL_FILE_MAX, &text, NULL);
        if (r < 0)
                return r == -ENOENT ? -ESRCH : r;
        /* The name, field 2, may hold blanks and parentheses; field 22 is wanted (proc_pid_stat(5)). */
        p = strrchr(text, ')');
        for (unsigned field = 2; p && field < 22; field++)
                p = strchr(p + 1, ' ');
        if (!p || sscanf(p, " %llu", &start) != 1)
                return -EBADMSG;
        *ret = start;
        return 0;
}

static int first_process_open(const ProofRequest *request, Process *ret, uint64_t *ret_start) {
        CLEANUP(handle_close) int fd = -1;
        char path[32];
        int r;

        (void) snprintf(path, sizeof(path), "/proc/%d", (int) request->pid);
        fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return errno == ENOENT ? -ESRCH : -errno;
        r = bound_start_time(fd, ret_start);
        if (r < 0)
                return r;
        *ret = (Process){ .pid = request->pid, .proc_fd = handle_take_fd(&fd) };
        return 0;
}

/* The activation of the client, as far as the hook can tell: it runs in the unit's control group and inherits
 * systemd's environment through the engine. For the reader of the record; nothing is decided by it. */
static void activation_note(ProofResult *result) {
        CLEANUP(handle_free) char *unit = NULL;
        const char *invocation = getenv("INVOCATION_ID");

        if (sd_pid_get_unit(0, &unit) >= 0)
                proof_note(result, "client_unit", json_string(unit));
        if (invocation && id128_is_valid(invocation))
                proof_note(result, "client_invocation_id", json_string(invocation));
}

static int conclude_tunnel(const ProofRequest *request, ProofResult *result, int error) {
        const char *what = error == -ENOENT     ? "is not active"
                           : error == -ESRCH    ? "has no process of the service"
                           : error == -ENOTUNIQ ? "has processes in several network namespaces"
                                                : NULL;

        if (!what)
                return error;
        return proof_conclude(result, VERDICT_UNPROVEN, "Start the tunnel, which starts the client.", "%s %s",
                              request->tunnel_unit, what);
}

/* 1: a verdict was set; 0: the namespace is the tunnel's; negative errno. */
static int namespace_judge(const ProofRequest *request, const Workload *tunnel, int fd, uint64_t cookie,
                           ProofResult *result) {
        CLEANUP(handle_close) int host_fd = -1, tunnel_fd = -1;
        uint64_t host_cookie;
        int r;

        r = netns_open_host(&host_fd);
        if (r >= 0)
                r = netns_cookie(host_fd, &host_cookie);
        if (r < 0)
                return r;
        if ((cookie == host_cookie || namespace_is_same(fd, host_fd) != 0) && !mutation_is_on("bound-host")) {
                (void) proof_conclude(result, VERDICT_FAILED, REMEDY_JOIN,
                                      "%s would run in the host's network "
                                      "namespace; it was not started",
                                      request->subject);
                return 1;
        }
        r = workload_netns(tunnel, &tunnel_fd);
        if (r < 0) {
                r = conclude_tunnel(request, result, r);
                return r < 0 ? r : 1;
        }
        r = mutation_is_on("bound-namespace") ? 1 : namespace_is_same(fd, tunnel_fd);
        if (r == 0)
                (void) proof_conclude(result, VERDICT_FAILED, REMEDY_JOIN,
                                      "%s would run in another network "
                                      "namespace (cookie %" PRIu64 ") than %s; it was not started",
                                      request->subject, cookie, request->tunnel_unit);
        return r < 0 ? r : r == 0;
}

static int bound_judge(const ProofRequest *request, const Workload *tunnel, int fd, ProofResult *result) {
        BindingEgress egress = { .n = 0 };
        int r;

        r = netns_cookie(fd, &result->netns_cookie);
        if (r >= 0)
                r = namespace_judge(request, tunnel, fd, result->netns_cookie, result);
        if (r == 0)
                r = rule_judge(request, request->tunnel_unit, fd, result);
        if (r == 0 && !request->without_egress)
                r = binding_egress_read(request, &tunnel->unit, result->netns_cookie, result, &egress);
        if (r != 0)
                return r;
        if (!unit_is_same(&tunnel->unit))
                return proof_conclude(result, VERDICT_UNPROVEN, "Start the client again.",
                                      "%s was restarted meanwhile", request->tunnel_unit);
        return proof_conclude(result, VERDICT_PASSED, "",
                              "%s starts in the network namespace of %s (cookie %" PRIu64 ")",
                              request->subject, request->tunnel_unit, result->netns_cookie);
}

int proof_bound(const ProofRequest *request, ProofResult *result) {
        CLEANUP(process_done) Process process = PROCESS_NONE;
        CLEANUP(workload_done) Workload tunnel = WORKLOAD_NONE;
        CLEANUP(handle_close) int fd = -1;
        uint64_t start;
        int r;

        r = first_process_open(request, &process, &start);
        if (r >= 0)
                r = process_namespace(&process, "net", &fd);
        if (r == -ESRCH)
                return proof_conclude(result, VERDICT_UNPROVEN, "Start the client again.",
                                      "the container's process %d is gone", (int) request->pid);
        if (r < 0)
                return r;
        proof_note(result, "container", json_string(request->container));
        proof_note(result, "pid", json_integer(request->pid));
        proof_note(result, "start_time", json_integer((json_int_t) start));
        activation_note(result);
        r = workload_read(request->engine, request->tunnel_unit, &tunnel);
        if (r < 0)
                return conclude_tunnel(request, result, r);
        memcpy(result->invocation_id, tunnel.unit.invocation_id, sizeof(result->invocation_id));
        r = bound_judge(request, &tunnel, fd, result);
        return r < 0 ? r : 0;
}
