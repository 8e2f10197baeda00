/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A process that is looked at. It is held by descriptors, so that a recycled PID cannot be taken for it. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum { PROCESS_GROUPS_MAX = 256 };

typedef struct Process {
        pid_t pid;
        int proc_fd; /* /proc/PID */
} Process;

#define PROCESS_NONE ((Process){ .pid = 0, .proc_fd = -1 })

/* IDs as the reader's user namespace sees them, from /proc/PID/status. */
typedef struct ProcessStatus {
        uid_t uid; /* file system IDs: those that permissions are checked with */
        gid_t gid;
        gid_t groups[PROCESS_GROUPS_MAX];
        size_t n_groups;
        uint64_t capabilities; /* effective */
        uint64_t permitted, bounding;
        bool no_new_privileges; /* what it may come to have is what it has */
        mode_t umask;
        char name[16];
} ProcessStatus;

/* Opens a process and then makes sure that it is in this control group (absolute directory) or below.
 * -ESRCH: gone; -EXDEV: it is somewhere else. */
int process_open(pid_t pid, const char *cgroup, Process *ret);
void process_done(Process *process);

/* "net", "mnt", "user": a namespace descriptor. */
int process_namespace(const Process *process, const char *type, int *ret_fd);

int process_status(const Process *process, ProcessStatus *ret);
int process_status_parse(const char *text, ProcessStatus *ret);

/* Whether two open namespace descriptors are the same namespace: 1, 0 or a negative errno. The comparison
 * holds only because both are open: inode numbers are recycled. */
int namespace_is_same(int fd_a, int fd_b);
