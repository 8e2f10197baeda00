/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* conmon starts the runtime, which ends, and becomes the parent of the container's first process as
 * subreaper. A pod's unit has the conmon of its infra container as main process. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "engines/engine.h"
#include "engines/podman-watched.h"
#include "proofs/handles.h"

static int proc_read(int proc_fd, const char *name, size_t size, char *ret) {
        CLEANUP(handle_close) int fd = openat(proc_fd, name, O_RDONLY | O_CLOEXEC);
        ssize_t n;

        if (fd < 0)
                return errno == ENOENT ? -ESRCH : -errno;
        n = read(fd, ret, size - 1);
        if (n < 0)
                return -errno;
        ret[n] = '\0';
        return 0;
}

int podman_watched(pid_t monitor, pid_t *ret) {
        CLEANUP(handle_close) int proc_fd = -1;
        char path[64], name[32], children[128];
        int r, pid, n;

        (void) snprintf(path, sizeof(path), "/proc/%d", (int) monitor);
        proc_fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (proc_fd < 0)
                return errno == ENOENT ? -ESRCH : -errno;
        r = proc_read(proc_fd, "comm", sizeof(name), name);
        if (r < 0)
                return r;
        if (strcmp(name, "conmon\n") != 0)
                return -ENOTSUP;
        (void) snprintf(path, sizeof(path), "task/%d/children", (int) monitor);
        r = proc_read(proc_fd, path, sizeof(children), children);
        if (r < 0)
                return r;
        /* Anything but one child is a container that is just starting or ending. */
        n = 0;
        if (sscanf(children, "%d %n", &pid, &n) != 1)
                return -ESRCH;
        if (children[n] != '\0')
                return -EBUSY;
        *ret = pid;
        return 0;
}
