/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "engines/payload.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/handles.h"

void payload_done(PidSet *set) {
        free(set->pids);
        *set = (PidSet){ .n = 0 };
}

static int set_add(PidSet *set, pid_t pid) {
        if (set->n == PAYLOAD_PIDS_MAX)
                return -E2BIG;
        if ((set->n & (set->n + 1)) == 0) { /* 0, 1, 3, 7, ...: the room is used up */
                pid_t *pids = reallocarray(set->pids, 2 * set->n + 1, sizeof(pid_t));

                if (!pids)
                        return -ENOMEM;
                set->pids = pids;
        }
        set->pids[set->n++] = pid;
        return 0;
}

static int group_read_own(int group_fd, PidSet *set) {
        CLEANUP(handle_fclose) FILE *file = NULL;
        int fd, pid, r;

        fd = openat(group_fd, "cgroup.procs", O_RDONLY | O_CLOEXEC);
        if (fd < 0)
                return errno == ENOENT || errno == ENODEV ? 0 : -errno;
        file = fdopen(fd, "re");
        if (!file) {
                (void) close(fd);
                return -ENOMEM;
        }
        while (fscanf(file, "%d", &pid) == 1) {
                if (pid <= 0) /* a process outside the reader's PID namespace */
                        continue;
                r = set_add(set, pid);
                if (r < 0)
                        return r;
        }
        /* Threaded groups (cgroups(7)) refuse the read; their processes are listed by the group above. */
        if (ferror(file) && errno != EOPNOTSUPP && errno != ENODEV)
                return -errno;
        return 0;
}

static int group_read(int group_fd, const EngineRow *filter, unsigned depth, PidSet *set);

static int group_read_children(int group_fd, const EngineRow *filter, unsigned depth, PidSet *set) {
        CLEANUP(handle_closedir) DIR *dir = NULL;
        struct dirent *entry;
        int fd, r;

        fd = openat(group_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return errno == ENOENT ? 0 : -errno;
        dir = fdopendir(fd);
        if (!dir) {
                (void) close(fd);
                return -ENOMEM;
        }
        while ((entry = readdir(dir))) {
                CLEANUP(handle_close) int child = -1;

                if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
                        continue;
                if (filter && !filter->group_is_payload(entry->d_name))
                        continue;
                child = openat(group_fd, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
                if (child < 0 && errno == ENOENT)
                        continue;
                if (child < 0)
                        return -errno;
                r = group_read(child, NULL, depth + 1, set);
                if (r < 0)
                        return r;
        }
        return 0;
}

static int group_read(int group_fd, const EngineRow *filter, unsigned depth, PidSet *set) {
        int r = 0;

        if (depth > PAYLOAD_DEPTH_MAX)
                return -E2BIG;
        if (!filter)
                r = group_read_own(group_fd, set);
        return r < 0 ? r : group_read_children(group_fd, filter, depth, set);
}

static int compare_pids(const void *a, const void *b) {
        return *(const pid_t *) a - *(const pid_t *) b;
}

static void set_sort(PidSet *set) {
        size_t n = 0;

        if (set->n > 1)
                qsort(set->pids, set->n, sizeof(pid_t), compare_pids);
        for (size_t i = 0; i < set->n; i++)
                if (n == 0 || set->pids[i] != set->pids[n - 1])
                        set->pids[n++] = set->pids[i];
        set->n = n;
}

int payload_list(const EngineRow *row, const char *cgroup, PidSet *ret) {
        CLEANUP(handle_close) int fd = -1;
        CLEANUP(payload_done) PidSet set = { .n = 0 };
        int r;

        fd = open(cgroup, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        r = group_read(fd, row->group_is_payload ? row : NULL, 0, &set);
        if (r < 0)
                return r;
        set_sort(&set);
        *ret = set;
        set = (PidSet){ .n = 0 };
        return 0;
}

bool payload_contains(const PidSet *set, pid_t pid) {
        return set->n > 0 && bsearch(&pid, set->pids, set->n, sizeof(pid_t), compare_pids);
}
