/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "proofs/handles.h"
#include "proofs/util.h"

enum { CHILDREN_MAX = 48 };

/* Aligned, since the result struct follows in the same allocation. */
typedef struct ChildHead {
        int status;
} __attribute__((aligned(16))) ChildHead;

static pid_t bound_to; /* in a child: its parent */

void child_bind(void) {
        if (bound_to == 0)
                return;
        (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != bound_to)
                _exit(EXIT_FAILURE);
}

static _Noreturn void child_main(ChildWork work, void *userdata, size_t size, int fd, pid_t parent) {
        CLEANUP(handle_free) char *message = calloc(1, sizeof(ChildHead) + size);
        ChildHead head = { .status = -ENOMEM };

        bound_to = parent;
        child_bind();
        if (!message)
                _exit(EXIT_FAILURE);
        (void) signal(SIGPIPE, SIG_IGN);
        head.status = work(userdata, message + sizeof(head));
        memcpy(message, &head, sizeof(head));
        for (size_t done = 0; done < sizeof(head) + size;) {
                ssize_t n = write(fd, message + done, sizeof(head) + size - done);

                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        _exit(EXIT_FAILURE);
                done += (size_t) n;
        }
        _exit(EXIT_SUCCESS);
}

int child_start(ChildWork work, void *userdata, size_t result_size, Child *ret) {
        CLEANUP(handle_close) int reader = -1, writer = -1;
        CLEANUP(handle_free) char *buffer = NULL;
        pid_t parent = getpid(), pid;
        int ends[2];

        buffer = calloc(1, sizeof(ChildHead) + result_size);
        if (!buffer)
                return -ENOMEM;
        if (pipe2(ends, O_CLOEXEC) < 0)
                return -errno;
        reader = ends[0];
        writer = ends[1];
        pid = fork();
        if (pid < 0)
                return -errno;
        if (pid == 0) {
                (void) close(handle_take_fd(&reader));
                child_main(work, userdata, result_size, writer, parent);
        }
        *ret = (Child){
                .pid = pid,
                .fd = handle_take_fd(&reader),
                .buffer = handle_take(buffer),
                .size = sizeof(ChildHead) + result_size,
        };
        return 0;
}

static void child_read(Child *child) {
        ssize_t n = read(child->fd, child->buffer + child->used, child->size - child->used);

        if (n < 0 && errno == EINTR)
                return;
        if (n > 0)
                child->used += (size_t) n;
        if (n <= 0 || child->used == child->size)
                handle_close(&child->fd);
}

static void child_reap(Child *child) {
        if (child->pid <= 0)
                return;
        if (child->fd >= 0) {
                (void) kill(child->pid, SIGKILL);
                child->late = true;
                handle_close(&child->fd);
        }
        while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
                ;
        child->pid = 0;
}

void child_wait(Child *children, size_t n, uint64_t deadline_usec) {
        struct pollfd fds[CHILDREN_MAX];

        for (;;) {
                nfds_t open = 0;
                int r;

                for (size_t i = 0; i < n && i < CHILDREN_MAX; i++)
                        if (children[i].fd >= 0)
                                fds[open++] = (struct pollfd){ .fd = children[i].fd, .events = POLLIN };
                if (open == 0)
                        break;
                r = poll(fds, open, time_left_msec(deadline_usec));
                if (r < 0 && errno != EINTR)
                        break;
                if (r == 0 && time_left_msec(deadline_usec) == 0)
                        break;
                for (nfds_t i = 0; r > 0 && i < open; i++)
                        for (size_t k = 0; fds[i].revents && k < n; k++)
                                if (children[k].fd == fds[i].fd)
                                        child_read(&children[k]);
        }
        for (size_t i = 0; i < n; i++)
                child_reap(&children[i]);
}

int child_result(const Child *child, size_t result_size, void *ret_result) {
        ChildHead head;

        if (!child->buffer || child->size != sizeof(head) + result_size)
                return -EINVAL;
        if (child->used < child->size)
                return child->late ? -ETIMEDOUT : -EPIPE;
        memcpy(&head, child->buffer, sizeof(head));
        if (head.status < 0)
                return head.status;
        memcpy(ret_result, child->buffer + sizeof(head), result_size);
        return 0;
}

void child_done(Child *child) {
        child_reap(child);
        handle_close(&child->fd);
        free(child->buffer);
        *child = CHILD_NONE;
}

int child_run(ChildWork work, void *userdata, size_t result_size, uint64_t deadline_usec, void *ret_result) {
        CLEANUP(child_done) Child child = CHILD_NONE;
        int r;

        r = child_start(work, userdata, result_size, &child);
        if (r < 0)
                return r;
        child_wait(&child, 1, deadline_usec);
        return child_result(&child, result_size, ret_result);
}
