/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Which network namespace the open sockets of a process belong to. A socket keeps the namespace it was made
 * in, whoever holds it: one that was inherited from the host is a way out of any namespace. */

#include <stdint.h>

#include "proofs/process.h"

typedef struct SocketCensus {
        unsigned n_sockets; /* all but AF_UNIX */
        unsigned n_foreign; /* of another network namespace */
        unsigned n_beyond;  /* of families that reach beyond every network namespace: AF_VSOCK, ... */
        unsigned n_unknown; /* of families of which neither is known */
        int foreign_domain, beyond_domain, unknown_domain; /* AF_* of the last one */
        pid_t foreign_pid, beyond_pid, unknown_pid;
} SocketCensus;

/* Looks at all sockets of one process through copies of them (pidfd_getfd(2)) and adds to the census. AF_UNIX
 * is left out: it reaches no network. -ESRCH: the process ended; -EPERM: the kernel does not let us look. */
const char *socket_family_name(int domain); /* "AF_VSOCK" */

int sockets_count(const Process *process, uint64_t netns_cookie, SocketCensus *census);
