/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "proofs/handles.h"

static int socket_judge(int fd, uint64_t netns_cookie, pid_t pid, SocketCensus *census) {
        int domain;
        uint64_t cookie;
        socklen_t size = sizeof(domain);

        if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) < 0)
                return -errno;
        if (domain == AF_UNIX)
                return 0;
        size = sizeof(cookie);
        if (getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &size) < 0)
                return -errno;
        census->n_sockets++;
        /* Netlink speaks to the kernel only: foreign, it can look at the host's links but send nothing. */
        if (cookie != netns_cookie && domain != AF_NETLINK) {
                census->n_foreign++;
                census->foreign_domain = domain;
                census->foreign_pid = pid;
        }
        return 0;
}

static int socket_count(const Process *process, int pid_fd, int number, uint64_t cookie,
                        SocketCensus *census) {
        CLEANUP(handle_close) int fd = -1;

        fd = (int) syscall(SYS_pidfd_getfd, pid_fd, number, 0);
        if (fd < 0)
                return errno == EBADF ? 0 : -errno; /* closed in the meantime */
        return socket_judge(fd, cookie, process->pid, census);
}

int sockets_count(const Process *process, uint64_t netns_cookie, SocketCensus *census) {
        CLEANUP(handle_close) int pid_fd = -1;
        CLEANUP(handle_closedir) DIR *dir = NULL;
        struct dirent *entry;
        int fd, r;

        pid_fd = (int) syscall(SYS_pidfd_open, process->pid, 0);
        if (pid_fd < 0)
                return -errno;
        fd = openat(process->proc_fd, "fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return errno == ENOENT ? -ESRCH : -errno;
        dir = fdopendir(fd);
        if (!dir) {
                (void) close(fd);
                return -ENOMEM;
        }
        /* The directory is of the process that was opened; if it can still be listed after the PID descriptor
         * was made, both are the same process. */
        while ((entry = readdir(dir))) {
                char target[32];
                ssize_t n = readlinkat(dirfd(dir), entry->d_name, target, sizeof(target) - 1);

                if (n < 0)
                        continue;
                target[n] = '\0';
                if (strncmp(target, "socket:[", 8) != 0)
                        continue;
                r = socket_count(process, pid_fd, atoi(entry->d_name), netns_cookie, census);
                if (r < 0)
                        return r;
        }
        return 0;
}
