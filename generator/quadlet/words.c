/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/quadlet/words.h"

#include <poll.h>
#include <time.h>
#include <unistd.h>

long long clock_ms(void) {
        struct timespec t;

        (void) clock_gettime(CLOCK_MONOTONIC, &t);
        return (long long) t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

bool words_read(int fd, long long deadline_ms, WordsTake take, void *userdata) {
        for (;;) {
                struct pollfd p = { .fd = fd, .events = POLLIN };
                long long left = deadline_ms - clock_ms();
                char chunk[8192];
                ssize_t n;

                if (left <= 0)
                        return false;
                if (poll(&p, 1, (int) left) <= 0)
                        continue;
                n = read(fd, chunk, sizeof(chunk));
                if (n == 0)
                        return true;
                if (n > 0)
                        take(userdata, chunk, (size_t) n);
        }
}
