/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* What a child says through a pipe, never waited for beyond a deadline. */

/* Milliseconds of CLOCK_MONOTONIC, for deadlines. */
long long clock_ms(void);

typedef void (*WordsTake)(void *userdata, const char *bytes, size_t n);

/* Reads until the other end is closed or time is up, and hands on each piece. Who has enough drops the rest,
 * so that the child never blocks on us. False when time is up. */
bool words_read(int fd, long long deadline_ms, WordsTake take, void *userdata);
