/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The few helpers that every proof needs: time, names, small files, text that is safe to print.
 * Functions that can fail return 0 or a negative errno and leave their ret_ outputs alone on failure. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "generator/base/unit-name.h"

enum {
        NAME_LENGTH_MAX = 100,      /* stack, subject, kind: two of them and a suffix make a file name */
        ID128_TEXT_SIZE = 33,       /* 32 hex digits and NUL */
        SMALL_FILE_MAX = 64 * 1024, /* files below /proc and /sys that are read whole */
};

#define USEC_PER_MSEC UINT64_C(1000)
#define USEC_PER_SEC UINT64_C(1000000)

/* CLOCK_MONOTONIC and CLOCK_REALTIME in microseconds. */
uint64_t time_monotonic_usec(void);
uint64_t time_realtime_usec(void);

/* Milliseconds from now to a CLOCK_MONOTONIC deadline, rounded up, 0 if past; fit for poll(). */
int time_left_msec(uint64_t deadline_usec);
void time_sleep_usec(uint64_t usec);

/* True for [A-Za-z0-9][A-Za-z0-9_.-]* of at most NAME_LENGTH_MAX bytes: nothing that could leave a
 * directory, hide a file or need escaping. */
bool name_is_valid(const char *name);

/* 128 random bits, or the boot ID, as 32 lower-case hex digits. */
int id128_random(char ret_text[ID128_TEXT_SIZE]);
int id128_boot(char ret_text[ID128_TEXT_SIZE]);
bool id128_is_valid(const char *text);

/* Reads a whole file relative to dir_fd (AT_FDCWD allowed). At most max bytes, else -EFBIG. The text is
 * NUL-terminated and owned by the caller; its length goes to ret_length if that is not NULL. */
int file_read_at(int dir_fd, const char *path, size_t max, char **ret_text, size_t *ret_length);

/* The same from an open descriptor, from its current position. */
int file_read_fd(int fd, size_t max, char **ret_text, size_t *ret_length);

/* Replaces name in dir_fd by a new file of mode 0644 with this content: temporary name, then rename. */
int file_replace_at(int dir_fd, const char *name, const char *text, size_t length);

/* A copy that is safe for a terminal, a log and JSON: printable ASCII stays, anything else becomes '?',
 * runs of white space become one space, at most max bytes and then "...". NULL if out of memory. */
char *text_printable(const char *text, size_t max);

/* asprintf() that returns NULL on failure. */
char *text_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Decimal seconds, also with a fraction ("0.5"), to microseconds; -EINVAL, -ERANGE above a day. */
int text_parse_seconds(const char *text, uint64_t *ret_usec);
