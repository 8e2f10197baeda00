/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Network namespaces: which one is it, and what does it look like from inside. */

#include <stdint.h>

/* The host's own: that of PID 1. */
int netns_open_host(int *ret_fd);

/* Makes the calling process a member; for children only. */
int netns_enter(int fd);

/* SO_NETNS_COOKIE (Linux 5.14) through a socket that is opened in the current namespace, or in that of fd
 * (a child goes there). Unique as long as the machine runs, unlike inode numbers. Never 0. */
int netns_cookie_here(uint64_t *ret);
int netns_cookie(int fd, uint64_t *ret);
