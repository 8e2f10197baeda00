/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sigabbrev_np() */
#endif
#include <ctype.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <strings.h>

#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* Values that Compose takes, and that Podman or the kernel would refuse when the unit starts: the file
 * already says that it cannot. Limits: cgroup-v2 (cpu.max), cpu(7) of Docker's API, pkg/util/mount_opts.go
 * and containers/common/pkg/capabilities of Podman 5.4. */

typedef struct Bounds {
        const char *name; /* flag of podman or key of quadlet */
        double low, high;
        bool unlimited; /* -1 as well */
        const char *text;
} Bounds;

static const Bounds bounds[] = {
        { "--blkio-weight", 10, 1000, false, "between 10 and 1000" },
        { "--cpu-period", 1000, 1000000, false, "between 1000 and 1000000, in microseconds" },
        { "--cpu-quota", 1000, INFINITY, true, "-1, or at least 1000, in microseconds" },
        { "--cpu-shares", 0, INFINITY, false, "a number from 0 on" },
        { "--cpus", 0.01, INFINITY, false, "at least 0.01" },
        { "--memory", 0, INFINITY, true, "-1, or a size" },
        { "--memory-reservation", 0, INFINITY, true, "-1, or a size" },
        { "--memory-swap", 0, INFINITY, true, "-1, or a size" },
        { "PidsLimit", 0, 4194304, true, "-1, or a number up to 4194304" },
        { "--pids-limit", 0, 4194304, true, "-1, or a number up to 4194304" },
        { "ShmSize", 0, INFINITY, false, "a size" },
};

static bool number_fits(const Bounds *b, const char *text) {
        char *end;
        double value = strtod(text, &end);

        return end == text || *end || (value >= b->low && value <= b->high) || (b->unlimited && value == -1);
}

/* "SIGTERM", "term", "15", "RTMIN+3". */
static bool signal_is_known(const char *text) {
        char *end;
        long number = strtol(text, &end, 10);

        if (isdigit((unsigned char) text[0]))
                return !*end && number >= 1 && number <= 64;
        if (strncasecmp(text, "SIG", 3) == 0)
                text += 3;
        for (int i = 1; i < NSIG; i++)
                if (sigabbrev_np(i) && strcasecmp(sigabbrev_np(i), text) == 0)
                        return true;
        if (strncasecmp(text, "RTMIN", 5) != 0 && strncasecmp(text, "RTMAX", 5) != 0)
                return false;
        if (!text[5])
                return true;
        number = strtol(text + 6, &end, 10);
        return text[5] == (tolower((unsigned char) text[3]) == 'i' ? '+' : '-') &&
               isdigit((unsigned char) text[6]) && !*end && number >= 1 && number <= 15 - (text[5] == '-');
}

/* "0-3,8", as crun reads it: a comma may end it. */
static bool processors_are_listed(const char *text) {
        while (*text) {
                char *end;
                unsigned long first, last;

                if (!isdigit((unsigned char) text[0]))
                        return false;
                last = first = strtoul(text, &end, 10);
                if (end[0] == '-' && isdigit((unsigned char) end[1]))
                        last = strtoul(end + 1, &end, 10);
                if ((*end && *end != ',') || last < first)
                        return false;
                text = end + (*end == ',');
        }
        return true;
}

static const struct {
        const char *name;
        bool (*fit)(const char *text);
        const char *text, *hint;
} forms[] = {
        { "--cpuset-cpus", processors_are_listed, "is no list of processors",
          "write 0-3, or 0,2 or the like" },
        { "StopSignal", signal_is_known, "names no signal", "write SIGTERM, SIGINT, SIGRTMIN+3 or the like" },
};

bool judge_value(Draft *d, const char *name, const char *key, const Node *n) {
        for (size_t i = 0; i < ELEMENTS(forms); i++)
                if (str_equal(name, forms[i].name) && !forms[i].fit(n->text)) {
                        draft_refuse(d, n, "'%s' of '%s' %s", key, d->service->name, forms[i].text);
                        diag_hint(d->lower->diag, "%s", forms[i].hint);
                        return false;
                }
        for (size_t i = 0; i < ELEMENTS(bounds); i++)
                if (str_equal(name, bounds[i].name) && !number_fits(bounds + i, n->text)) {
                        draft_refuse(d, n, "'%s' of '%s' has to be %s", key, d->service->name,
                                     bounds[i].text);
                        return false;
                }
        return true;
}

/* capabilities(7) */
/* clang-format off */
static const char *const capabilities[] = {
        "ALL", "AUDIT_CONTROL", "AUDIT_READ", "AUDIT_WRITE", "BLOCK_SUSPEND", "BPF", "CHECKPOINT_RESTORE", "CHOWN",
        "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID", "IPC_LOCK", "IPC_OWNER", "KILL", "LEASE",
        "LINUX_IMMUTABLE", "MAC_ADMIN", "MAC_OVERRIDE", "MKNOD", "NET_ADMIN", "NET_BIND_SERVICE", "NET_BROADCAST",
        "NET_RAW", "PERFMON", "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYSLOG", "SYS_ADMIN", "SYS_BOOT",
        "SYS_CHROOT", "SYS_MODULE", "SYS_NICE", "SYS_PACCT", "SYS_PTRACE", "SYS_RAWIO", "SYS_RESOURCE", "SYS_TIME",
        "SYS_TTY_CONFIG", "WAKE_ALARM",
};
/* clang-format on */

bool judge_capability(Draft *d, const Node *n) {
        const char *name = n->text + (strncasecmp(n->text, "CAP_", 4) == 0 ? 4 : 0), *near;
        char *upper = arena_strdup(d->lower->arena, name);

        for (char *p = upper; *p; p++)
                *p = (char) toupper((unsigned char) *p);
        /* "ALL" is a word of its own, without "CAP_". */
        for (size_t i = name > n->text ? 1 : 0; i < ELEMENTS(capabilities); i++)
                if (str_equal(upper, capabilities[i]))
                        return true;
        draft_refuse(d, n, "'%s' is no capability", escape_for_message(d->lower->arena, n->text, 80));
        near = str_nearest(upper, capabilities, ELEMENTS(capabilities));
        if (near)
                diag_hint(d->lower->diag, "did you mean '%s'?", near);
        return false;
}

/* getrlimit(2), by the names that Docker and Podman have for them. */
static const char *const limits[] = {
        "core",   "cpu",   "data", "fsize",  "locks",  "memlock",    "msgqueue", "nice",
        "nofile", "nproc", "rss",  "rtprio", "rttime", "sigpending", "stack",
};

static bool ulimit_is_known(const char *name) {
        if (strncasecmp(name, "rlimit_", 7) == 0)
                name += 7;
        for (size_t i = 0; i < ELEMENTS(limits); i++)
                if (strcasecmp(name, limits[i]) == 0)
                        return true;
        return false;
}

bool judge_ulimit(Draft *d, const Node *n, const char *name, const char *soft, const char *hard) {
        long long low = strtoll(soft, NULL, 10), high = strtoll(hard, NULL, 10);
        const char *near;

        if (!ulimit_is_known(name)) {
                draft_refuse(d, n, "'%s' is no limit that a process can have",
                             escape_for_message(d->lower->arena, name, 80));
                near = str_nearest(name, limits, ELEMENTS(limits));
                if (near)
                        diag_hint(d->lower->diag, "did you mean '%s'?", near);
                return false;
        }
        if (high == -1 || (low != -1 && low <= high))
                return true;
        draft_refuse(d, n, "the limit '%s' of '%s' has a 'soft' above its 'hard'", name, d->service->name);
        diag_hint(d->lower->diag, "a process starts with 'soft', and may raise it up to 'hard'");
        return false;
}

/* Those that a container has for itself: pkg/sysctl of containers/common. */
bool judge_sysctl(Draft *d, const NodePair *p) {
        static const char *const names[] = {
                "fs.mqueue.",    "kernel.msgmax", "kernel.msgmnb", "kernel.msgmni",          "kernel.sem",
                "kernel.shmall", "kernel.shmmax", "kernel.shmmni", "kernel.shm_rmid_forced",
        };
        const char *name = p->key->text;

        if (str_has_prefix(name, "net."))
                return true;
        for (size_t i = 0; i < ELEMENTS(names); i++) {
                if (!(i == 0 ? str_has_prefix(name, names[i]) : str_equal(name, names[i])))
                        continue;
                if (!str_equal(node_get_text(d->service->node, "ipc"), "host"))
                        return true;
                draft_refuse(d, p->value, "'%s' cannot be set on '%s', which has the host's by 'ipc: host'",
                             name, d->service->name);
                diag_hint(d->lower->diag, "set it on the host, in /etc/sysctl.d");
                return false;
        }
        draft_refuse(d, p->value, "'%s' is none that a container has for itself",
                     escape_for_message(d->lower->arena, name, 80));
        diag_hint(d->lower->diag, "set it on the host, in /etc/sysctl.d");
        return false;
}
