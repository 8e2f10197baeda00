/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/workload.h"

#include <errno.h>

#include "proofs/handles.h"
#include "proofs/mutate.h"
#include "proofs/netns.h"
#include "proofs/placed.h"

void workload_done(Workload *workload) {
        unit_done(&workload->unit);
        payload_done(&workload->pids);
}

int workload_read(const EngineRow *engine, const char *unit, Workload *ret) {
        CLEANUP(workload_done) Workload workload = WORKLOAD_NONE;
        int r;

        r = unit_read(unit, &workload.unit);
        if (r < 0)
                return r;
        r = payload_list(engine, workload.unit.cgroup, &workload.pids);
        if (r == -ENOENT || (r >= 0 && workload.pids.n == 0))
                return -ESRCH;
        if (r < 0)
                return r;
        *ret = workload;
        workload = WORKLOAD_NONE;
        return 0;
}

int workload_netns(const Workload *workload, int *ret_fd) {
        CLEANUP(handle_close) int first = -1, host = -1;
        uint64_t deadline = time_monotonic_usec() + PLACED_WAIT_USEC;
        int r, on_host = 0;

        r = netns_open_host(&host);
        if (r < 0)
                return r;
        for (size_t i = 0; i < workload->pids.n; i++) {
                CLEANUP(process_done) Process process = PROCESS_NONE;
                CLEANUP(handle_close) int fd = -1;

                r = process_open(workload->pids.pids[i], workload->unit.cgroup, &process);
                if (r >= 0)
                        /* One that stays there is enough: with that there is no more to be waited for. */
                        r = on_host > 0 ? process_namespace(&process, "net", &fd)
                                        : placed_netns(&process, host, deadline, &fd);
                /* Ended since the list was read, or not begun: no process of the service. */
                if (r == -ESRCH || r == -EXDEV || r == -EBUSY)
                        continue;
                if (r < 0)
                        return r;
                if (first < 0) {
                        on_host = namespace_is_same(fd, host);
                        if (on_host < 0)
                                return on_host;
                        first = handle_take_fd(&fd);
                        continue;
                }
                r = namespace_is_same(first, fd);
                if (r < 0)
                        return r;
                if (r == 0 && !mutation_is_on("one-namespace"))
                        return -ENOTUNIQ;
        }
        if (first < 0)
                return -ESRCH;
        *ret_fd = handle_take_fd(&first);
        return 0;
}

int workload_recheck(const Workload *workload, const EngineRow *engine, int netns_fd) {
        CLEANUP(workload_done) Workload now = WORKLOAD_NONE;
        CLEANUP(handle_close) int fd = -1;
        int r;

        if (!unit_is_same(&workload->unit))
                return -ESTALE;
        r = workload_read(engine, workload->unit.name, &now);
        if (r >= 0)
                r = workload_netns(&now, &fd);
        if (r >= 0)
                r = namespace_is_same(fd, netns_fd);
        return r < 0 ? r : r == 1 ? 0 : -ESTALE;
}

int workload_conclude(ProofResult *result, const char *unit, int error) {
        static const struct {
                int error;
                const char *text;
        } texts[] = {
                { -ENOENT, "is not active" },
                { -ESRCH, "has no process of the service" },
                { -ENOTUNIQ, "has processes in different network namespaces" },
                { -ESTALE, "was restarted during the proof" },
        };

        for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
                if (texts[i].error == error)
                        return proof_conclude(result, VERDICT_UNPROVEN, "Look at the unit's journal.",
                                              "%s %s", unit, texts[i].text);
        return error;
}
