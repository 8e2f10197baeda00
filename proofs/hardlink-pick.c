/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/hardlink-pick.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "proofs/handles.h"

uint32_t uid_map_inside(const char *map, uint32_t uid) {
        uint32_t inside, outside, count;
        int used;

        for (; sscanf(map, "%" SCNu32 " %" SCNu32 " %" SCNu32 "%n", &inside, &outside, &count, &used) == 3;
             map += used)
                if (uid >= outside && uid - outside < count)
                        return inside + (uid - outside);
        return UINT32_MAX;
}

size_t hardlink_pick_index(const uint32_t *uids, size_t n) {
        size_t best = 0, best_count = 0;

        for (size_t i = 0; i < n; i++) {
                size_t count = 0;

                for (size_t k = 0; k < n; k++)
                        count += uids[k] == uids[i];
                if (uids[i] != 0 && count > best_count) {
                        best = i;
                        best_count = count;
                }
        }
        return best;
}

static int inside_uid(const Process *process, const ProcessStatus *status, uint32_t *ret) {
        CLEANUP(handle_free) char *map = NULL;
        int r;

        r = file_read_at(process->proc_fd, "uid_map", SMALL_FILE_MAX, &map, NULL);
        if (r < 0)
                return r == -ENOENT ? -ESRCH : r;
        *ret = uid_map_inside(map, status->uid);
        return 0;
}

static int process_look(const Workload *workload, size_t i, Process *ret, ProcessStatus *ret_status,
                        uint32_t *ret_uid) {
        CLEANUP(process_done) Process process = PROCESS_NONE;
        int r;

        r = process_open(workload->pids.pids[i], workload->unit.cgroup, &process);
        if (r >= 0)
                r = process_status(&process, ret_status);
        if (r >= 0)
                r = inside_uid(&process, ret_status, ret_uid);
        if (r < 0)
                return r;
        *ret = process;
        process = PROCESS_NONE;
        return 0;
}

int hardlink_pick(const Workload *workload, Process *ret, json_t **ret_note) {
        CLEANUP(handle_free) uint32_t *uids = calloc(workload->pids.n, sizeof(uint32_t));
        CLEANUP(handle_free) size_t *places = calloc(workload->pids.n, sizeof(size_t));
        ProcessStatus status;
        uint32_t uid;
        size_t n = 0;
        int r;

        if (!uids || !places)
                return -ENOMEM;
        for (size_t i = 0; i < workload->pids.n; i++) {
                CLEANUP(process_done) Process process = PROCESS_NONE;

                r = process_look(workload, i, &process, &status, &uids[n]);
                if (r == -ESRCH || r == -EXDEV)
                        continue;
                if (r < 0)
                        return r;
                places[n++] = i;
        }
        if (n == 0)
                return -ESRCH;
        r = process_look(workload, places[hardlink_pick_index(uids, n)], ret, &status, &uid);
        if (r < 0)
                return r == -EXDEV ? -ESRCH : r;
        *ret_note = json_pack(
                "{s:i, s:s, s:I, s:I, s:i, s:s}", "pid", (int) ret->pid, "name", status.name, "uid",
                (json_int_t) uid, "host_uid", (json_int_t) status.uid, "umask", (int) status.umask, "why",
                uid != 0 ? "the user of most processes beside root" : "first process; no user but root");
        return *ret_note ? 0 : -ENOMEM;
}
