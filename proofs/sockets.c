/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "proofs/handles.h"

/* What a socket of a family can reach. What is not in the table is not known. */
typedef enum Reach {
        REACH_UNKNOWN,
        REACH_NAMESPACE, /* the links and addresses of the namespace that it was made in */
        REACH_KERNEL,    /* the kernel alone: foreign, it can look at the host's links but send nothing */
        REACH_BEYOND,    /* the hypervisor, or a device, whatever the namespace is */
} Reach;

static const struct FamilyRow {
        int domain;
        const char *name;
        Reach reach;
} families[] = {
        { AF_INET, "AF_INET", REACH_NAMESPACE },     { AF_INET6, "AF_INET6", REACH_NAMESPACE },
        { AF_PACKET, "AF_PACKET", REACH_NAMESPACE }, { AF_XDP, "AF_XDP", REACH_NAMESPACE },
        { AF_SMC, "AF_SMC", REACH_NAMESPACE },       { AF_RDS, "AF_RDS", REACH_NAMESPACE },
        { AF_TIPC, "AF_TIPC", REACH_NAMESPACE },     { AF_CAN, "AF_CAN", REACH_NAMESPACE },
        { AF_PPPOX, "AF_PPPOX", REACH_NAMESPACE },   { AF_RXRPC, "AF_RXRPC", REACH_NAMESPACE },
        { AF_KCM, "AF_KCM", REACH_NAMESPACE },       { AF_NETLINK, "AF_NETLINK", REACH_KERNEL },
        { AF_KEY, "AF_KEY", REACH_KERNEL },          { AF_ALG, "AF_ALG", REACH_KERNEL },
        { AF_VSOCK, "AF_VSOCK", REACH_BEYOND },      { AF_BLUETOOTH, "AF_BLUETOOTH", REACH_BEYOND },
        { AF_NFC, "AF_NFC", REACH_BEYOND },          { AF_IEEE802154, "AF_IEEE802154", REACH_BEYOND },
        { AF_QIPCRTR, "AF_QIPCRTR", REACH_BEYOND },
};

static const struct FamilyRow *family_find(int domain) {
        for (size_t i = 0; i < ARRAY_LENGTH(families); i++)
                if (families[i].domain == domain)
                        return &families[i];
        return NULL;
}

const char *socket_family_name(int domain) {
        const struct FamilyRow *row = family_find(domain);

        return row ? row->name : "an unknown family";
}

static int socket_judge(int fd, uint64_t netns_cookie, pid_t pid, SocketCensus *census) {
        int domain;
        uint64_t cookie;
        socklen_t size = sizeof(domain);
        const struct FamilyRow *row;

        if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) < 0)
                return -errno;
        if (domain == AF_UNIX)
                return 0;
        size = sizeof(cookie);
        if (getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &size) < 0)
                return -errno;
        census->n_sockets++;
        row = family_find(domain);
        switch (row ? row->reach : REACH_UNKNOWN) {
        case REACH_KERNEL:
                break;
        case REACH_NAMESPACE:
                if (cookie == netns_cookie)
                        break;
                census->n_foreign++;
                census->foreign_domain = domain;
                census->foreign_pid = pid;
                break;
        case REACH_BEYOND:
                census->n_beyond++;
                census->beyond_domain = domain;
                census->beyond_pid = pid;
                break;
        case REACH_UNKNOWN:
                census->n_unknown++;
                census->unknown_domain = domain;
                census->unknown_pid = pid;
                break;
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
