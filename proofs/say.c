/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/say.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-login.h>
#include <unistd.h>

#include "proofs/handles.h"
#include "proofs/util.h"

enum { SAY_FIELDS_MAX = 16 };

/* The variable alone proves nothing: it is inherited by children whose stderr went elsewhere. */
bool say_is_journal(void) {
        const char *stream = getenv("JOURNAL_STREAM");
        unsigned long long device, inode;
        struct stat st;

        return stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 &&
               fstat(STDERR_FILENO, &st) >= 0 && st.st_dev == device && st.st_ino == inode;
}

char *say_unit(void) {
        char *unit = NULL;

        return sd_pid_get_unit(0, &unit) < 0 ? NULL : unit;
}

void say_with(const char *program, int priority, const char *format, va_list ap) {
        if (say_is_journal())
                fprintf(stderr, "<%d>", priority);
        else
                fprintf(stderr, "%s: ", program);
        (void) vfprintf(stderr, format, ap);
        (void) fputc('\n', stderr);
}

static size_t field_add(struct iovec *fields, size_t n, const char *name, const char *value) {
        char *text = n < SAY_FIELDS_MAX && value && value[0] ? text_format("%s=%s", name, value) : NULL;

        if (text)
                fields[n++] = (struct iovec){ .iov_base = text, .iov_len = strlen(text) };
        return n;
}

void say_entry(const char *program, int priority, const char *message_id, const SayField *fields, size_t n,
               const char *format, va_list ap) {
        CLEANUP(handle_free) char *message = NULL, *unit = say_unit();
        struct iovec parts[SAY_FIELDS_MAX];
        char number[8];
        size_t used = 0;
        int r = -1;

        if (vasprintf(&message, format, ap) < 0)
                message = NULL;
        if (!message)
                return;
        (void) snprintf(number, sizeof(number), "%d", priority);
        if (say_is_journal()) {
                used = field_add(parts, used, "MESSAGE", message);
                used = field_add(parts, used, "MESSAGE_ID", message_id);
                used = field_add(parts, used, "PRIORITY", number);
                used = field_add(parts, used, "SYSLOG_IDENTIFIER", program);
                used = field_add(parts, used, "OBJECT_SYSTEMD_UNIT", unit);
                for (size_t i = 0; i < n; i++)
                        used = field_add(parts, used, fields[i].name, fields[i].value);
                r = sd_journal_sendv(parts, (int) used);
        }
        for (size_t i = 0; i < used; i++)
                free(parts[i].iov_base);
        if (r >= 0)
                return;
        fprintf(stderr, say_is_journal() ? "<%s>%s\n" : "%s: %s\n", say_is_journal() ? number : program,
                message);
}
