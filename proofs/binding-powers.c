/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Powers with which a process can leave the tunnel's network namespace or change it. What counts is what it
 * can come to hold: its permitted set, and what executing a program may add to that. A capability holds over
 * the user namespace of the process and those below it, never over those above, so a container in a user
 * namespace of its own may hold all of them and reach nothing with them. */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/nsfs.h>
#include <string.h>
#include <sys/ioctl.h>

#include "proofs/binding.h"
#include "proofs/handles.h"
#include "proofs/mutate.h"

#define SECOND_LOOK_USEC (200 * USEC_PER_MSEC)

static void owners_done(BindingOwners *owners) {
        for (size_t i = 0; i < owners->n; i++)
                handle_close(&owners->fds[i]);
        owners->n = 0;
}

/* ioctl_ns(2). The first that cannot be asked for its parent is the one that this program is in, or above. */
static void owners_read(int netns_fd, BindingOwners *owners) {
        int fd = ioctl(netns_fd, NS_GET_USERNS);

        owners->known = fd >= 0;
        while (fd >= 0 && owners->n < BINDING_OWNERS_MAX) {
                owners->fds[owners->n++] = fd;
                fd = ioctl(fd, NS_GET_PARENT);
        }
        if (fd >= 0) {
                (void) close(fd);
                owners->known = false;
        }
}

static int owners_contain(const BindingOwners *owners, int user_fd) {
        for (size_t i = 0; i < owners->n; i++) {
                int r = namespace_is_same(owners->fds[i], user_fd);

                if (r != 0)
                        return r;
        }
        return !owners->known;
}

int binding_powers_open(int host_fd, int tunnel_fd, const Process *tunnel, BindingPowers *powers) {
        int fd, r;

        owners_read(host_fd, &powers->host);
        owners_read(tunnel_fd, &powers->network);
        fd = open("/proc/1/ns/pid", O_RDONLY | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        powers->host_pids = fd;
        r = process_namespace(tunnel, "pid", &powers->tunnel_pids);
        return r < 0 ? r : 0;
}

void binding_powers_done(BindingPowers *powers) {
        owners_done(&powers->host);
        owners_done(&powers->network);
        handle_close(&powers->host_pids);
        handle_close(&powers->tunnel_pids);
}

/* Programs with file capabilities, or of another user, give up to the bounding set; with no_new_privs nothing
 * is given. */
static uint64_t within_reach(const ProcessStatus *status) {
        return status->permitted | status->capabilities | (status->no_new_privileges ? 0 : status->bounding);
}

static bool any_counts(uint64_t set) {
        for (size_t i = 0; i < POWERS_MAX; i++)
                if (set & UINT64_C(1) << power_rows[i].bit)
                        return true;
        return false;
}

/* Whether processes of the host, or the tunnel's own, can be named by it. */
static int sees_others(const BindingPowers *powers, const Process *process) {
        CLEANUP(handle_close) int fd = -1;
        int r;

        r = process_namespace(process, "pid", &fd);
        if (r >= 0)
                r = namespace_is_same(fd, powers->host_pids);
        if (r == 0)
                r = namespace_is_same(fd, powers->tunnel_pids);
        return r;
}

static int power_holds(const BindingPowers *powers, PowerReach reach, int user_fd, const Process *process) {
        int r;

        if (reach == POWER_OVER_NETWORK)
                return owners_contain(&powers->network, user_fd);
        r = owners_contain(&powers->host, user_fd);
        return r > 0 && reach == POWER_OVER_OTHERS ? sees_others(powers, process) : r;
}

static bool is_declared(const ProofRequest *request, const PowerRow *row) {
        for (size_t i = 0; i < request->declared.n; i++)
                if (power_is_all(request->declared.items[i]) || power_find(request->declared.items[i]) == row)
                        return true;
        return false;
}

/* The counted powers of a process, as bits of the table. */
static int powers_of(const BindingPowers *powers, const Process *process, const ProcessStatus *status,
                     unsigned *ret) {
        CLEANUP(handle_close) int user_fd = -1;
        uint64_t set = within_reach(status);
        unsigned found = 0;
        int r;

        if (!any_counts(set)) {
                *ret = 0;
                return 0;
        }
        r = process_namespace(process, "user", &user_fd);
        if (r < 0)
                return r;
        for (size_t i = 0; i < POWERS_MAX; i++) {
                if (!(set & UINT64_C(1) << power_rows[i].bit))
                        continue;
                r = power_holds(powers, power_rows[i].reach, user_fd, process);
                if (r < 0)
                        return r;
                if (r > 0 || mutation_is_on("binding-owner"))
                        found |= 1u << i;
        }
        *ret = found;
        return 0;
}

static bool any_news(const BindingPowers *powers, const ProofRequest *request, unsigned found) {
        for (size_t i = 0; i < POWERS_MAX; i++)
                if (found & 1u << i && powers->held[i].pid == 0 && !is_declared(request, &power_rows[i]))
                        return true;
        return false;
}

int binding_powers_add(BindingPowers *powers, const ProofRequest *request, const Process *process,
                       const ProcessStatus *status) {
        ProcessStatus again;
        unsigned found;
        int r;

        r = powers_of(powers, process, status, &found);
        if (r >= 0 && any_news(powers, request, found)) {
                time_sleep_usec(SECOND_LOOK_USEC);
                r = process_status(process, &again);
                if (r >= 0)
                        r = powers_of(powers, process, &again, &found);
        }
        if (r < 0)
                return r;
        powers->effective |= status->capabilities;
        for (size_t i = 0; i < POWERS_MAX; i++) {
                if (!(found & 1u << i) || powers->held[i].pid != 0)
                        continue;
                powers->held[i].pid = process->pid;
                (void) snprintf(powers->held[i].process, sizeof(powers->held[i].process), "%s", status->name);
        }
        return 0;
}

int binding_powers_judge(const BindingPowers *powers, const ProofRequest *request, ProofResult *result) {
        for (size_t i = 0; i < POWERS_MAX; i++) {
                const PowerRow *row = &power_rows[i];

                if (powers->held[i].pid == 0 || is_declared(request, row) || mutation_is_on("binding-powers"))
                        continue;
                (void) proof_conclude(
                        result, VERDICT_FAILED,
                        "Take it away (cap_drop: in the Compose file, CapabilityBoundingSet= in a "
                        "unit), or say with cap_add: that it is wanted.",
                        "process %d (%s) of %s can use %s, which the Compose file does not give "
                        "to it, so it can %s",
                        (int) powers->held[i].pid, powers->held[i].process, request->unit, row->name,
                        row->what);
                return 1;
        }
        return 0;
}

json_t *binding_powers_evidence(const BindingPowers *powers, const ProofRequest *request) {
        json_t *list = json_array();
        char text[24];

        (void) snprintf(text, sizeof(text), "0x%016" PRIx64, powers->effective);
        for (size_t i = 0; i < POWERS_MAX; i++)
                if (powers->held[i].pid != 0)
                        (void) json_array_append_new(
                                list, json_pack("{s:s, s:b, s:i, s:s}", "capability", power_rows[i].name,
                                                "declared", (int) is_declared(request, &power_rows[i]), "pid",
                                                (int) powers->held[i].pid, "name", powers->held[i].process));
        return json_pack("{s:s, s:o}", "effective", text, "powers", list);
}
