/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Who holds the sockets of a network namespace that somebody can be answered by. An engine puts a name server
 * on a container's loopback by opening a socket there and answering from the host: what such a server asks in
 * turn leaves by the host's links, whatever the namespace looks like. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { SOCKET_INODES_MAX = 512 };

typedef struct SocketInodes {
        uint32_t inodes[SOCKET_INODES_MAX];
        size_t n;
        bool more; /* than fit */
} SocketInodes;

/* UDP sockets and TCP listeners at this port in the current network namespace, both families (sock_diag(7));
 * all of them if there is none: a rule may lead to another port. Those of the kernel have no inode and are
 * left out. */
int socket_inodes_list(uint16_t port, SocketInodes *ret);

typedef struct SocketHolders {
        unsigned n_inside, n_outside; /* sockets: held by a process of the namespace; only by others */
        pid_t outside_pid;            /* one of those others */
        char outside_name[16];
} SocketHolders;

/* Looks through all processes. netns_fd: the namespace that the sockets are of. */
int socket_holders_find(const SocketInodes *sockets, int netns_fd, SocketHolders *ret);
