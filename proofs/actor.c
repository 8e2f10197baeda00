/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/actor.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "proofs/actor-child.h"
#include "proofs/handles.h"
#include "proofs/util.h"

enum { ACTOR_TIMEOUT_MSEC = 10000 }; /* network file systems; a hang is no answer */

int actor_start(const ActorOrder *order, const Actor *sibling, Actor *ret) {
        int ends[2];
        pid_t pid;

        if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
                return -errno;
        pid = fork();
        if (pid < 0) {
                int r = -errno;

                (void) close(ends[0]);
                (void) close(ends[1]);
                return r;
        }
        if (pid == 0) {
                (void) close(ends[0]);
                if (sibling && sibling->fd >= 0)
                        (void) close(sibling->fd);
                actor_child(order, ends[1]);
        }
        (void) close(ends[1]);
        *ret = (Actor){ .pid = pid, .fd = ends[0] };
        return 0;
}

int actor_call(Actor *actor, ActorOp op, size_t index, ActorReply *ret) {
        const ActorMessage message = { .op = op, .index = index };
        struct pollfd fds = { .fd = actor->fd, .events = POLLIN };
        ActorReply reply;
        ssize_t n;
        int r;

        if (op != ACTOR_ENTER &&
            send(actor->fd, &message, sizeof(message), MSG_NOSIGNAL) != (ssize_t) sizeof(message))
                return -EPIPE;
        do
                r = poll(&fds, 1, ACTOR_TIMEOUT_MSEC);
        while (r < 0 && errno == EINTR);
        if (r <= 0)
                return r < 0 ? -errno : -ETIMEDOUT;
        n = recv(actor->fd, &reply, sizeof(reply), 0);
        if (n != (ssize_t) sizeof(reply))
                return -EPIPE;
        *ret = reply;
        return 0;
}

void actor_done(Actor *actor) {
        int status;

        if (actor->pid <= 0)
                return;
        handle_close(&actor->fd); /* the child sees the end and cleans up */
        for (uint64_t deadline = time_monotonic_usec() + 5 * USEC_PER_SEC;
             waitpid(actor->pid, &status, WNOHANG) == 0; time_sleep_usec(500))
                if (time_left_msec(deadline) == 0) {
                        /* Stuck in the kernel: it may not even die. It is left to PID 1. */
                        (void) kill(actor->pid, SIGKILL);
                        break;
                }
        *actor = ACTOR_NONE;
}
