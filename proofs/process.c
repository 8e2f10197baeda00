/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "proofs/handles.h"
#include "proofs/util.h"

/* True if the last line parts "ID:CONTROLLERS:PATH" contain a path at or below the unit's. The path in
 * /proc is relative to the hierarchy's root, cgroup is absolute: it must end with the unit's part. */
static bool cgroup_text_matches(const char *text, const char *cgroup) {
        for (const char *line = text; line && *line;) {
                const char *end = strchrnul(line, '\n'), *path = memchr(line, ':', (size_t) (end - line));

                path = path ? memchr(path + 1, ':', (size_t) (end - path - 1)) : NULL;
                for (const char *tail = cgroup; path && (tail = strchr(tail, '/')); tail++) {
                        size_t length = strlen(tail);

                        if ((size_t) (end - path - 1) >= length && strncmp(path + 1, tail, length) == 0 &&
                            (path[1 + length] == '/' || path + 1 + length == end))
                                return true;
                        if (!strchr(tail + 1, '/'))
                                break;
                }
                line = *end ? end + 1 : end;
        }
        return false;
}

int process_open(pid_t pid, const char *cgroup, Process *ret) {
        CLEANUP(handle_close) int fd = -1;
        CLEANUP(handle_free) char *text = NULL;
        char path[32];
        int r;

        (void) snprintf(path, sizeof(path), "/proc/%d", (int) pid);
        fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return errno == ENOENT ? -ESRCH : -errno;
        r = file_read_at(fd, "cgroup", SMALL_FILE_MAX, &text, NULL);
        if (r < 0)
                return r == -ENOENT ? -ESRCH : r;
        if (!cgroup_text_matches(text, cgroup))
                return -EXDEV;
        *ret = (Process){ .pid = pid, .proc_fd = handle_take_fd(&fd) };
        return 0;
}

void process_done(Process *process) {
        handle_close(&process->proc_fd);
        process->pid = 0;
}

int process_namespace(const Process *process, const char *type, int *ret_fd) {
        char path[16];
        int fd;

        (void) snprintf(path, sizeof(path), "ns/%s", type);
        fd = openat(process->proc_fd, path, O_RDONLY | O_CLOEXEC);
        if (fd < 0)
                return errno == ENOENT ? -ESRCH : -errno;
        *ret_fd = fd;
        return 0;
}

static bool status_take_ids(const char *line, uint32_t *ret) {
        return sscanf(line, "%*u %*u %*u %" SCNu32, ret) == 1;
}

static int status_take_groups(const char *line, ProcessStatus *status) {
        unsigned gid;
        int used;

        for (; sscanf(line, " %u%n", &gid, &used) == 1; line += used) {
                if (status->n_groups == PROCESS_GROUPS_MAX)
                        return -E2BIG;
                status->groups[status->n_groups++] = gid;
                /* " %u" would go on with the next line; the list ends with this one. */
                if (line[used] == '\n' || strncmp(line + used, " \n", 2) == 0)
                        break;
        }
        return 0;
}

int process_status_parse(const char *text, ProcessStatus *ret) {
        enum {
                SEEN_UID = 1,
                SEEN_GID = 2,
                SEEN_CAPS = 4,
                SEEN_UMASK = 8,
                SEEN_PERMITTED = 16,
                SEEN_BOUNDING = 32,
                SEEN_ALL = 63
        };
        ProcessStatus status = { .n_groups = 0 };
        unsigned seen = 0, mask, flag;
        int r = 0;

        for (const char *line = text; line; line = strchr(line, '\n')) {
                line += *line == '\n';
                if (strncmp(line, "Name:\t", 6) == 0)
                        (void) sscanf(line + 6, "%15[^\n]", status.name);
                else if (strncmp(line, "Uid:\t", 5) == 0 && status_take_ids(line + 5, &status.uid))
                        seen |= SEEN_UID;
                else if (strncmp(line, "Gid:\t", 5) == 0 && status_take_ids(line + 5, &status.gid))
                        seen |= SEEN_GID;
                else if (strncmp(line, "Groups:\t", 8) == 0 && line[8] != '\n' && line[8] != ' ')
                        r = status_take_groups(line + 8, &status);
                else if (sscanf(line, "CapEff:\t%" SCNx64, &status.capabilities) == 1)
                        seen |= SEEN_CAPS;
                else if (sscanf(line, "CapPrm:\t%" SCNx64, &status.permitted) == 1)
                        seen |= SEEN_PERMITTED;
                else if (sscanf(line, "CapBnd:\t%" SCNx64, &status.bounding) == 1)
                        seen |= SEEN_BOUNDING;
                else if (sscanf(line, "NoNewPrivs:\t%u", &flag) == 1)
                        status.no_new_privileges = flag == 1;
                else if (sscanf(line, "Umask:\t%o", &mask) == 1) {
                        status.umask = mask & 0777;
                        seen |= SEEN_UMASK;
                }
                if (r < 0)
                        return r;
        }
        if (seen != SEEN_ALL)
                return -EBADMSG;
        *ret = status;
        return 0;
}

int process_status(const Process *process, ProcessStatus *ret) {
        CLEANUP(handle_free) char *text = NULL;
        int r;

        r = file_read_at(process->proc_fd, "status", SMALL_FILE_MAX, &text, NULL);
        if (r < 0)
                return r == -ENOENT ? -ESRCH : r;
        return process_status_parse(text, ret);
}

int namespace_is_same(int fd_a, int fd_b) {
        struct stat a, b;

        if (fstat(fd_a, &a) < 0 || fstat(fd_b, &b) < 0)
                return -errno;
        return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}
