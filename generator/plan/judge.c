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
        { "--memory-swap", 0, INFINITY, true, "-1, or a size" },
        { "PidsLimit", 0, INFINITY, true, "-1, or a number from 0 on" },
        { "--pids-limit", 0, INFINITY, true, "-1, or a number from 0 on" },
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

bool judge_value(Draft *d, const char *name, const char *key, const Node *n) {
        if (str_equal(name, "StopSignal") && !signal_is_known(n->text)) {
                draft_refuse(d, n, "'%s' of '%s' names no signal", key, d->service->name);
                diag_hint(d->lower->diag, "write SIGTERM, SIGINT, SIGRTMIN+3 or the like");
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
        for (size_t i = 0; i < ELEMENTS(capabilities); i++)
                if (str_equal(upper, capabilities[i]))
                        return true;
        draft_refuse(d, n, "'%s' is no capability", escape_for_message(d->lower->arena, n->text, 80));
        near = str_nearest(upper, capabilities, ELEMENTS(capabilities));
        if (near)
                diag_hint(d->lower->diag, "did you mean '%s'?", near);
        return false;
}
