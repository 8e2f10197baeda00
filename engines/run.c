/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "engines/run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "proofs/handles.h"

enum { ENVIRONMENT_MAX = 16 };

typedef struct Stream {
        int fd;
        char *text;
        size_t used, size;
} Stream;

static void stream_done(Stream *stream) {
        handle_close(&stream->fd);
        free(stream->text);
}

void spawned_done(Spawned *spawned) {
        free(spawned->output);
        free(spawned->errors);
        *spawned = (Spawned){ .status = -1 };
}

/* What rootless engines need to find their state; nothing that redirects them (CONTAINER_HOST and the like).
 */
static void environment_build(char *ret[ENVIRONMENT_MAX]) {
        static const char *const kept[] = { "HOME=", "XDG_RUNTIME_DIR=", "DBUS_SESSION_BUS_ADDRESS=" };
        static char path[] = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
        static char locale[] = "LC_ALL=C.UTF-8";
        size_t n = 0;

        ret[n++] = path;
        ret[n++] = locale;
        for (char **variable = environ; variable && *variable; variable++)
                for (size_t i = 0; i < ARRAY_LENGTH(kept) && n < ENVIRONMENT_MAX - 1; i++)
                        if (strncmp(*variable, kept[i], strlen(kept[i])) == 0)
                                ret[n++] = *variable;
        ret[n] = NULL;
}

static int stream_open(Stream *stream, int *ret_writer) {
        int ends[2];

        if (pipe2(ends, O_CLOEXEC) < 0)
                return -errno;
        *stream = (Stream){ .fd = ends[0] };
        *ret_writer = ends[1];
        return 0;
}

/* 1: more may come, 0: end. */
static int stream_read(Stream *stream) {
        ssize_t n;

        if (stream->used + 4096 > stream->size) {
                char *text;

                if (stream->size >= SPAWN_OUTPUT_MAX)
                        return -EFBIG;
                text = realloc(stream->text, stream->size * 2 + 8192);
                if (!text)
                        return -ENOMEM;
                stream->text = text;
                stream->size = stream->size * 2 + 8192;
        }
        n = read(stream->fd, stream->text + stream->used, stream->size - stream->used - 1);
        if (n < 0)
                return errno == EINTR ? 1 : -errno;
        stream->used += (size_t) n;
        stream->text[stream->used] = '\0';
        if (n == 0)
                handle_close(&stream->fd);
        return n > 0;
}

static int clock_left_msec(uint64_t deadline_usec) {
        struct timespec now;
        uint64_t usec;

        (void) clock_gettime(CLOCK_MONOTONIC, &now);
        usec = (uint64_t) now.tv_sec * 1000000 + (uint64_t) now.tv_nsec / 1000;
        return usec >= deadline_usec ? 0 : (int) ((deadline_usec - usec) / 1000 + 1);
}

static int streams_read(Stream streams[2], uint64_t deadline_usec) {
        while (streams[0].fd >= 0 || streams[1].fd >= 0) {
                struct pollfd fds[2];
                int left = clock_left_msec(deadline_usec), r;

                for (size_t i = 0; i < 2; i++)
                        fds[i] = (struct pollfd){ .fd = streams[i].fd, .events = POLLIN };
                if (left == 0)
                        return -ETIMEDOUT;
                r = poll(fds, 2, left);
                if (r < 0 && errno != EINTR)
                        return -errno;
                for (size_t i = 0; r > 0 && i < 2; i++) {
                        if (!fds[i].revents)
                                continue;
                        r = stream_read(&streams[i]);
                        if (r < 0)
                                return r;
                        r = 1;
                }
        }
        return 0;
}

static int spawn_start(const char *const argv[], const int writers[2], pid_t *ret_pid) {
        posix_spawn_file_actions_t actions;
        posix_spawnattr_t attributes;
        char *environment[ENVIRONMENT_MAX];
        sigset_t none;
        int r;

        environment_build(environment);
        (void) sigemptyset(&none);
        r = posix_spawn_file_actions_init(&actions);
        if (r != 0)
                return -r;
        r = posix_spawnattr_init(&attributes);
        if (r != 0) {
                (void) posix_spawn_file_actions_destroy(&actions);
                return -r;
        }
        r = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) ?:
            posix_spawn_file_actions_adddup2(&actions, writers[0], STDOUT_FILENO) ?:
            posix_spawn_file_actions_adddup2(&actions, writers[1], STDERR_FILENO) ?:
            posix_spawnattr_setpgroup(&attributes, 0) ?:
            posix_spawnattr_setsigmask(&attributes, &none) ?:
            posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK) ?:
            posix_spawn(ret_pid, argv[0], &actions, &attributes, (char *const *) argv, environment);
        (void) posix_spawnattr_destroy(&attributes);
        (void) posix_spawn_file_actions_destroy(&actions);
        return -r;
}

static int status_of(int wait_status) {
        return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

/* The output is at its end, but the program may still run. */
static int spawn_reap(pid_t pid, uint64_t deadline_usec, int *ret_status) {
        int status;

        for (;;) {
                pid_t p = waitpid(pid, &status, clock_left_msec(deadline_usec) > 0 ? WNOHANG : 0);

                if (p < 0 && errno != EINTR)
                        return -errno;
                if (p == pid)
                        break;
                if (clock_left_msec(deadline_usec) == 0)
                        (void) kill(-pid, SIGKILL);
                else
                        (void) poll(NULL, 0, 1);
        }
        *ret_status = status_of(status);
        return 0;
}

int spawn_run(const char *const argv[], uint64_t deadline_usec, Spawned *ret) {
        CLEANUP(stream_done) Stream output = { .fd = -1 }, errors = { .fd = -1 };
        CLEANUP(handle_close) int output_writer = -1, errors_writer = -1;
        Stream streams[2];
        int r, status = -1;
        pid_t pid;

        r = stream_open(&output, &output_writer);
        if (r >= 0)
                r = stream_open(&errors, &errors_writer);
        if (r >= 0)
                r = spawn_start(argv, (int[]){ output_writer, errors_writer }, &pid);
        if (r < 0)
                return r;
        handle_close(&output_writer);
        handle_close(&errors_writer);

        streams[0] = output;
        streams[1] = errors;
        r = streams_read(streams, deadline_usec);
        output = streams[0];
        errors = streams[1];
        if (r < 0)
                (void) kill(-pid, SIGKILL);
        (void) spawn_reap(pid, deadline_usec, &status);
        if (r < 0)
                return r;
        *ret = (Spawned){
                .status = status,
                .output = handle_take(output.text) ?: strdup(""),
                .errors = handle_take(errors.text) ?: strdup(""),
        };
        if (!ret->output || !ret->errors) {
                spawned_done(ret);
                return -ENOMEM;
        }
        return 0;
}
