/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Which network namespace the open sockets of a process belong to. A socket keeps the namespace it was made
 * in, whoever holds it: one that was inherited from the host is a way out of any namespace. */

#include <stdint.h>

#include "proofs/process.h"

typedef struct SocketCensus {
        unsigned n_sockets; /* that speak to a network: IPv4, IPv6, packet, netlink, vsock, ... */
        unsigned n_foreign;
        int foreign_domain; /* AF_* of the last foreign one */
        pid_t foreign_pid;
} SocketCensus;

/* Looks at all sockets of one process through copies of them (pidfd_getfd(2)) and adds to the census. AF_UNIX
 * is left out: it reaches no network. -ESRCH: the process ended; -EPERM: the kernel does not let us look. */
int sockets_count(const Process *process, uint64_t netns_cookie, SocketCensus *census);
