/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/record.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "proofs/handles.h"

void record_done(Record *record) {
        free(record->reason);
        free(record->remedy);
        json_decref(record->evidence);
        *record = (Record){ .verdict = VERDICT_UNPROVEN };
}

static int directory_ensure(int dir_fd, const char *path, int *ret_fd) {
        int fd;

        if (mkdirat(dir_fd, path, 0755) < 0 && errno != EEXIST)
                return -errno;
        fd = openat(dir_fd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        /* The umask of the caller must not hide the records from monitors. */
        if (fchmod(fd, 0755) < 0) {
                int r = -errno;

                (void) close(fd);
                return r;
        }
        *ret_fd = fd;
        return 0;
}

int record_dir_create(const char *run_dir, const char *stack, int *ret_fd) {
        CLEANUP(handle_close) int top = -1;
        int r;

        if (!name_is_valid(stack))
                return -EINVAL;
        r = directory_ensure(AT_FDCWD, run_dir, &top);
        if (r < 0)
                return r;
        return directory_ensure(top, stack, ret_fd);
}

int record_running_create(const char *run_dir, const char *stack, int *ret_fd) {
        CLEANUP(handle_close) int dir_fd = -1;
        int r;

        r = record_dir_create(run_dir, stack, &dir_fd);
        return r < 0 ? r : directory_ensure(dir_fd, RECORD_RUNNING_DIR, ret_fd);
}

char *record_file_name(const char *proof, const char *subject) {
        return text_format("%s-%s.json", proof, subject);
}

char *record_held_name(const char *subject) {
        return text_format("held-%s", subject);
}

char *record_leak_name(const char *proof, const char *subject) {
        return text_format(RECORD_LEAK_PREFIX "%s-%s", proof, subject);
}

char *record_halted_path(bool running, const char *proof, const char *subject) {
        return text_format(".consumed/halted%s.%s-%s", running ? "-running" : "", proof, subject);
}

char *record_format(const Record *record) {
        CLEANUP(handle_json) json_t *object = NULL;

        object = json_pack("{s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:b, s:s, s:s,"
                           " s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:O}",
                           "version", RECORD_VERSION, "id", record->id, "stack", record->stack, "proof",
                           record->proof, "subject", record->subject, "engine", record->engine, "verdict",
                           verdict_name(record->verdict), "pending", (int) record->pending, "leak",
                           (int) record->leak, "reason", record->reason ?: "", "remedy", record->remedy ?: "",
                           "boot_id", record->boot_id, "unit", record->unit, "invocation_id",
                           record->invocation_id, "netns_cookie", (json_int_t) record->netns_cookie,
                           "monotonic_usec", (json_int_t) record->monotonic_usec, "realtime_usec",
                           (json_int_t) record->realtime_usec, "duration_ms",
                           (json_int_t) record->duration_ms, "evidence", record->evidence);
        if (!object)
                return NULL;
        return json_dumps(object, JSON_INDENT(2));
}

int record_write(int dir_fd, const Record *record) {
        CLEANUP(handle_free) char *text = NULL, *name = NULL, *line = NULL;

        name = record_file_name(record->proof, record->subject);
        text = record_format(record);
        if (!name || !text)
                return -ENOMEM;
        line = text_format("%s\n", text);
        if (!line)
                return -ENOMEM;
        if (strlen(line) > RECORD_SIZE_MAX)
                return -EFBIG;
        return file_replace_at(dir_fd, name, line, strlen(line));
}
