/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/util.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>

#include "proofs/handles.h"

static uint64_t clock_usec(clockid_t clock) {
        struct timespec now = { 0 };

        (void) clock_gettime(clock, &now);
        return (uint64_t) now.tv_sec * USEC_PER_SEC + (uint64_t) now.tv_nsec / 1000;
}

uint64_t time_monotonic_usec(void) {
        return clock_usec(CLOCK_MONOTONIC);
}

uint64_t time_realtime_usec(void) {
        return clock_usec(CLOCK_REALTIME);
}

int time_left_msec(uint64_t deadline_usec) {
        uint64_t now = time_monotonic_usec();

        if (deadline_usec <= now)
                return 0;
        if (deadline_usec - now > INT32_MAX * USEC_PER_MSEC)
                return INT32_MAX;
        return (int) ((deadline_usec - now + USEC_PER_MSEC - 1) / USEC_PER_MSEC);
}

void time_sleep_usec(uint64_t usec) {
        struct timespec span = {
                .tv_sec = (time_t) (usec / USEC_PER_SEC),
                .tv_nsec = (long) (usec % USEC_PER_SEC) * 1000,
        };

        while (nanosleep(&span, &span) < 0 && errno == EINTR)
                ;
}

static bool name_has_only(const char *name, const char *punctuation, size_t max) {
        size_t length = strnlen(name, max + 1);

        if (length == 0 || length > max)
                return false;
        for (size_t i = 0; i < length; i++)
                if (!isascii((unsigned char) name[i]) ||
                    (!isalnum((unsigned char) name[i]) && !strchr(punctuation, name[i])))
                        return false;
        return true;
}

bool name_is_valid(const char *name) {
        return name && name_has_only(name, "_.-", NAME_LENGTH_MAX) && isalnum((unsigned char) name[0]);
}

int id128_random(char ret_text[ID128_TEXT_SIZE]) {
        uint8_t bytes[16];

        if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t) sizeof(bytes))
                return -EIO;
        for (size_t i = 0; i < sizeof(bytes); i++)
                (void) snprintf(ret_text + 2 * i, 3, "%02x", bytes[i]);
        return 0;
}

bool id128_is_valid(const char *text) {
        if (!text || strnlen(text, ID128_TEXT_SIZE) != ID128_TEXT_SIZE - 1)
                return false;
        return strspn(text, "0123456789abcdef") == ID128_TEXT_SIZE - 1;
}

int id128_boot(char ret_text[ID128_TEXT_SIZE]) {
        CLEANUP(handle_free) char *text = NULL;
        char id[ID128_TEXT_SIZE] = "";
        size_t used = 0;
        int r;

        r = file_read_at(AT_FDCWD, "/proc/sys/kernel/random/boot_id", SMALL_FILE_MAX, &text, NULL);
        if (r < 0)
                return r;
        for (const char *p = text; *p && used < sizeof(id) - 1; p++)
                if (isxdigit((unsigned char) *p))
                        id[used++] = *p;
        if (!id128_is_valid(id))
                return -EBADMSG;
        memcpy(ret_text, id, sizeof(id));
        return 0;
}

int file_read_at(int dir_fd, const char *path, size_t max, char **ret_text, size_t *ret_length) {
        CLEANUP(handle_close) int fd = -1;

        fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (fd < 0)
                return -errno;
        return file_read_fd(fd, max, ret_text, ret_length);
}

int file_read_fd(int fd, size_t max, char **ret_text, size_t *ret_length) {
        CLEANUP(handle_free) char *text = NULL;
        size_t used = 0;

        text = malloc(max + 2);
        if (!text)
                return -ENOMEM;
        for (;;) {
                ssize_t n = read(fd, text + used, max + 1 - used);

                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return -errno;
                if (n == 0)
                        break;
                used += (size_t) n;
                if (used > max)
                        return -EFBIG;
        }
        text[used] = '\0';
        *ret_text = handle_take(text);
        if (ret_length)
                *ret_length = used;
        return 0;
}

static int file_write_all(int fd, const char *text, size_t length) {
        while (length > 0) {
                ssize_t n = write(fd, text, length);

                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return -errno;
                text += n;
                length -= (size_t) n;
        }
        return 0;
}

int file_replace_at(int dir_fd, const char *name, const char *text, size_t length) {
        CLEANUP(handle_close) int fd = -1;
        CLEANUP(handle_free) char *temporary = NULL;
        char id[ID128_TEXT_SIZE];
        int r;

        r = id128_random(id);
        if (r < 0)
                return r;
        /* Ends like no file that anybody looks for. */
        temporary = text_format(".%s~%.8s", name, id);
        if (!temporary)
                return -ENOMEM;
        fd = openat(dir_fd, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (fd < 0)
                return -errno;
        r = file_write_all(fd, text, length);
        if (r >= 0 && fchmod(fd, 0644) < 0)
                r = -errno;
        if (r >= 0 && renameat(dir_fd, temporary, dir_fd, name) < 0)
                r = -errno;
        if (r < 0)
                (void) unlinkat(dir_fd, temporary, 0);
        return r;
}

char *text_printable(const char *text, size_t max) {
        size_t used = 0;
        char *copy = malloc(max + 4);

        if (!copy)
                return NULL;
        for (; text && *text; text++) {
                unsigned char c = (unsigned char) *text;

                if (isascii(c) && isspace(c)) {
                        if (used == 0 || copy[used - 1] == ' ')
                                continue;
                        c = ' ';
                } else if (c < 0x20 || c > 0x7e)
                        c = '?';
                if (used == max) {
                        memcpy(copy + used, "...", 3);
                        used += 3;
                        break;
                }
                copy[used++] = (char) c;
        }
        while (used > 0 && copy[used - 1] == ' ')
                used--;
        copy[used] = '\0';
        return copy;
}

char *text_format(const char *format, ...) {
        char *text = NULL;
        va_list ap;
        int n;

        va_start(ap, format);
        n = vasprintf(&text, format, ap);
        va_end(ap);
        return n < 0 ? NULL : text;
}

int text_parse_seconds(const char *text, uint64_t *ret_usec) {
        uint64_t usec = 0, unit = USEC_PER_SEC;
        const char *p = text;

        if (!isdigit((unsigned char) *p))
                return -EINVAL;
        for (; isdigit((unsigned char) *p); p++) {
                usec = usec * 10 + (uint64_t) (*p - '0') * USEC_PER_SEC;
                if (usec > 86400 * USEC_PER_SEC)
                        return -ERANGE;
        }
        if (*p == '.')
                for (p++; isdigit((unsigned char) *p); p++) {
                        unit /= 10;
                        usec += (uint64_t) (*p - '0') * unit;
                }
        if (*p != '\0')
                return -EINVAL;
        *ret_usec = usec;
        return 0;
}
