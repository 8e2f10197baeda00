/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/boot/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "generator/facts/handles.h"
#include "generator/base/sanitizer.h"
#include "generator/quadlet/words.h"

static void set_soft_limit(int resource, rlim_t value) {
        struct rlimit l;

        if (getrlimit((__rlimit_resource_t) resource, &l) < 0)
                return;
        if (l.rlim_max == RLIM_INFINITY || value < l.rlim_max)
                l.rlim_cur = value;
        (void) setrlimit((__rlimit_resource_t) resource, &l);
}

static _Noreturn void worker_become(WorkerMain fn, void *userdata, const WorkerLimits *limits, pid_t parent,
                                    int words) {
        (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
                _exit(EXIT_FAILURE);
        (void) setpgid(0, 0);
        /* An endless loop ends by itself even if nobody is left to kill it. */
        set_soft_limit(RLIMIT_CPU, (rlim_t) limits->timeout_ms / 1000 + 1);
        if (!BUILT_WITH_ADDRESS_SANITIZER)
                set_soft_limit(RLIMIT_AS, limits->memory_bytes);
        if (dup2(words, STDOUT_FILENO) < 0 || dup2(words, STDERR_FILENO) < 0)
                _exit(EXIT_FAILURE);
        _exit(fn(userdata));
}

static void said_add(void *userdata, const char *bytes, size_t n) {
        WorkerResult *r = userdata;
        const size_t used = strlen(r->said), room = sizeof(r->said) - 1 - used;

        memcpy(r->said + used, bytes, n < room ? n : room);
}

void worker_run(WorkerMain fn, void *userdata, const WorkerLimits *limits, WorkerResult *ret) {
        const long long deadline = clock_ms() + limits->timeout_ms;
        _cleanup_close_ int said_read = -1, said_write = -1;
        const pid_t parent = getpid();
        int words[2], status = 0;
        bool in_time;
        pid_t pid;

        memset(ret, 0, sizeof(*ret));
        ret->outcome = WORKER_NOT_STARTED;
        if (pipe2(words, O_CLOEXEC) < 0) {
                ret->status = -errno;
                return;
        }
        said_read = words[0];
        said_write = words[1];
        pid = fork();
        if (pid < 0) {
                ret->status = -errno;
                return;
        }
        if (pid == 0)
                worker_become(fn, userdata, limits, parent, said_write);
        (void) setpgid(pid, pid);
        close_fdp(&said_write);

        in_time = words_read(said_read, deadline, said_add, ret);
        if (!in_time)
                (void) kill(-pid, SIGKILL);
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
                ;
        if (!in_time)
                ret->outcome = WORKER_TIMED_OUT;
        else if (WIFSIGNALED(status)) {
                ret->outcome = WORKER_SIGNALED;
                ret->status = WTERMSIG(status);
        } else {
                ret->outcome = WORKER_EXITED;
                ret->status = WEXITSTATUS(status);
        }
}

void worker_describe(const WorkerResult *r, char *ret_text, size_t size) {
        const char *said = r->said[0] ? ": " : "";
        int n = (int) strcspn(r->said, "\n");

        switch (r->outcome) {
        case WORKER_EXITED:
                (void) snprintf(ret_text, size, "ended with status %d%s%.*s", r->status, said, n, r->said);
                break;
        case WORKER_SIGNALED:
                (void) snprintf(ret_text, size, "was killed by signal %d (%s)%s%.*s", r->status,
                                strsignal(r->status), said, n, r->said);
                break;
        case WORKER_TIMED_OUT:
                (void) snprintf(ret_text, size, "did not end in time%s%.*s", said, n, r->said);
                break;
        case WORKER_NOT_STARTED:
                (void) snprintf(ret_text, size, "could not be started: %s", strerror(-r->status));
                break;
        case _WORKER_OUTCOME_MAX:
                ret_text[0] = '\0';
                break;
        }
}
