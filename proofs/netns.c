/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/netns.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/socket.h>

#include "proofs/child.h"
#include "proofs/handles.h"
#include "proofs/util.h"

int netns_open_host(int *ret_fd) {
        int fd = open("/proc/1/ns/net", O_RDONLY | O_CLOEXEC);

        if (fd < 0)
                return -errno;
        *ret_fd = fd;
        return 0;
}

int netns_enter(int fd) {
        return setns(fd, CLONE_NEWNET) < 0 ? -errno : 0;
}

int netns_cookie_here(uint64_t *ret) {
        CLEANUP(handle_close) int fd = -1;
        uint64_t cookie = 0;
        socklen_t size = sizeof(cookie);

        fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (fd < 0)
                return -errno;
        if (getsockopt(fd, SOL_SOCKET, SO_NETNS_COOKIE, &cookie, &size) < 0)
                return -errno;
        if (size != sizeof(cookie) || cookie == 0)
                return -EBADMSG;
        *ret = cookie;
        return 0;
}

static int cookie_work(void *userdata, void *result) {
        int r = netns_enter(*(const int *) userdata);

        return r < 0 ? r : netns_cookie_here(result);
}

int netns_cookie(int fd, uint64_t *ret) {
        return child_run(cookie_work, &fd, sizeof(*ret), time_monotonic_usec() + 5 * USEC_PER_SEC, ret);
}
