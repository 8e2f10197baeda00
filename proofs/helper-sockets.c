/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/helper-sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "proofs/handles.h"
#include "proofs/process.h"

const char *helper_state_name(HelperState state) {
        static const char *const names[] = {
                [HELPER_ABSENT] = "absent",
                [HELPER_INSIDE] = "inside",
                [HELPER_OUTSIDE] = "outside",
                [HELPER_UNKNOWN] = "unknown",
        };

        return names[state];
}

static void helper_try(const char *path, HelperTry *ret) {
        CLEANUP(handle_close) int fd = -1;
        struct sockaddr_un address = { .sun_family = AF_UNIX };
        struct ucred peer = { .pid = 0 };
        socklen_t size = sizeof(peer);

        (void) snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
        fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (fd < 0 || connect(fd, (struct sockaddr *) &address, sizeof(address)) < 0) {
                ret->error = errno;
                return;
        }
        if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0)
                ret->peer = peer.pid;
}

void helpers_try(HelperTry ret[HELPERS_MAX]) {
        for (size_t i = 0; i < HELPERS_MAX; i++) {
                ret[i] = (HelperTry){ .error = 0 };
                helper_try(helper_rows[i].path, &ret[i]);
        }
}

HelperState helper_state(const HelperTry *attempt, int netns_fd) {
        CLEANUP(handle_close) int fd = -1;
        char path[48];
        int same;

        /* EAGAIN: somebody listens and is busy. */
        if (attempt->error == EAGAIN)
                return HELPER_UNKNOWN;
        if (attempt->error != 0)
                return HELPER_ABSENT;
        if (attempt->peer <= 0)
                return HELPER_UNKNOWN;
        (void) snprintf(path, sizeof(path), "/proc/%d/ns/net", (int) attempt->peer);
        fd = open(path, O_RDONLY | O_CLOEXEC);
        same = fd < 0 ? -errno : namespace_is_same(fd, netns_fd);
        return same < 0 ? HELPER_UNKNOWN : same ? HELPER_INSIDE : HELPER_OUTSIDE;
}
