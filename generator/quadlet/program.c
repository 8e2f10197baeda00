/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/quadlet/program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "generator/base/buf.h"
#include "generator/quadlet/words.h"
#include "generator/facts/handles.h"

static void lift_limit(int resource) {
        struct rlimit l;

        if (getrlimit(resource, &l) == 0) {
                l.rlim_cur = l.rlim_max;
                (void) setrlimit((__rlimit_resource_t) resource, &l);
        }
}

/* In the child, which has our memory until execve(): vfork(2) copies no page tables, which at boot costs as
 * much as a compile. So it calls the kernel and changes nothing of ours but *failure. */
static _Noreturn void program_become(const ProgramJob *job, pid_t parent, int words, volatile int *failure) {
        sigset_t none;
        int null;

        (void) prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
                _exit(EXIT_FAILURE);
        (void) sigemptyset(&none);
        (void) sigprocmask(SIG_SETMASK, &none, NULL);
        (void) signal(SIGPIPE, SIG_DFL);
        lift_limit(RLIMIT_AS);

        null = open("/dev/null", O_RDWR | O_CLOEXEC);
        if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 &&
            dup2(job->errors_only ? null : words, STDOUT_FILENO) >= 0 && dup2(words, STDERR_FILENO) >= 0)
                (void) execve(job->program, (char *const *) (uintptr_t) job->argv,
                              (char *const *) (uintptr_t) job->env);

        *failure = -errno;
        _exit(127);
}

typedef struct Said {
        Buf words;
        bool cut;
} Said;

static void said_add(void *userdata, const char *bytes, size_t n) {
        Said *said = userdata;

        if (said->words.len + n <= PROGRAM_SAID_MAX)
                buf_add_mem(&said->words, bytes, n);
        else
                said->cut = true;
}

static const char *clean_words(Arena *a, const Buf *words) {
        char *text = arena_strdup(a, buf_text(words));

        for (char *c = text; *c; c++)
                if (((unsigned char) *c < 0x20 && *c != '\n' && *c != '\t') || *c == 0x7f)
                        *c = '?';
        return text;
}

/* A child that has closed its words but runs on gets until the deadline as well. */
static bool wait_until(pid_t pid, long long deadline, int *ret_status) {
        _cleanup_close_ int pidfd = (int) syscall(SYS_pidfd_open, pid, 0);

        while (waitpid(pid, ret_status, WNOHANG) == 0) {
                struct pollfd p = { .fd = pidfd, .events = POLLIN };
                long long left = deadline - clock_ms();

                if (left <= 0)
                        return false;
                /* Without a descriptor of the process (sandboxes that know no pidfd) look again in a moment.
                 */
                (void) poll(&p, 1, pidfd >= 0 ? (int) left : 1);
        }
        return true;
}

static void program_follow(Arena *a, const ProgramJob *job, pid_t pid, int words_fd, ProgramResult *ret) {
        const long long deadline = clock_ms() + job->timeout_ms;
        Said said = { .words = BUF(a) };
        int status = 0;

        if (!words_read(words_fd, deadline, said_add, &said) || !wait_until(pid, deadline, &status)) {
                (void) kill(pid, SIGKILL);
                while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
                        ;
                *ret = (ProgramResult){ .outcome = PROGRAM_TIMED_OUT };
        } else if (WIFSIGNALED(status))
                *ret = (ProgramResult){ .outcome = PROGRAM_SIGNALED, .status = WTERMSIG(status) };
        else
                *ret = (ProgramResult){ .outcome = PROGRAM_EXITED, .status = WEXITSTATUS(status) };
        ret->said = clean_words(a, &said.words);
        ret->cut = said.cut;
}

void program_run(Arena *a, const ProgramJob *job, ProgramResult *ret) {
        _cleanup_close_ int said_read = -1, said_write = -1;
        const pid_t parent = getpid();
        volatile int failure = 0;
        int words[2];
        pid_t pid;

        *ret = (ProgramResult){ .outcome = PROGRAM_NOT_STARTED, .said = "" };
        if (pipe2(words, O_CLOEXEC) < 0) {
                ret->status = -errno;
                return;
        }
        said_read = words[0];
        said_write = words[1];

        pid = vfork();
        if (pid == 0)
                program_become(job, parent, words[1], &failure);
        if (pid < 0) {
                ret->status = -errno;
                return;
        }
        close_fdp(&said_write);
        if (failure < 0) {
                while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
                        ;
                ret->status = failure;
                return;
        }
        program_follow(a, job, pid, said_read, ret);
}

const char *program_outcome_text(Arena *a, const ProgramJob *job, const ProgramResult *r) {
        switch (r->outcome) {
        case PROGRAM_EXITED:
                return arena_printf(a, "ended with status %d", r->status);
        case PROGRAM_SIGNALED:
                return arena_printf(a, "was killed by signal %d", r->status);
        case PROGRAM_TIMED_OUT:
                return arena_printf(a, "did not end within %d.%d seconds", job->timeout_ms / 1000,
                                    job->timeout_ms % 1000 / 100);
        case PROGRAM_NOT_STARTED:
                return arena_printf(a, "could not be started: %s", strerror(-r->status));
        case _PROGRAM_OUTCOME_MAX:
                break;
        }
        return "";
}
