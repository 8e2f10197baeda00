/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/record-read.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "proofs/handles.h"
#include "proofs/mutate.h"

enum { RECORDS_PER_STACK_MAX = 4096 };

const char *record_fault_text(RecordFault fault) {
        static const char *const texts[_RECORD_FAULT_MAX] = {
                [RECORD_FAULT_NONE] = "is in order",
                [RECORD_FAULT_MISSING] = "is missing: the proof did not run",
                [RECORD_FAULT_FOREIGN] = "is not owned by root, or others may write to it",
                [RECORD_FAULT_NOT_A_FILE] = "is not a plain file with one name",
                [RECORD_FAULT_TOO_BIG] = "is larger than any record can be",
                [RECORD_FAULT_MALFORMED] = "is malformed",
                [RECORD_FAULT_VERSION] = "was written by another version of unitproof",
                [RECORD_FAULT_MISNAMED] = "speaks of another stack, proof or subject than its file name",
                [RECORD_FAULT_UNREADABLE] = "cannot be read",
        };

        return texts[fault];
}

/* Copies of strings with a rule each. Fixed sizes keep a hostile record from growing anything. */
static bool take_text(const json_t *object, const char *key, size_t size, char *ret) {
        const json_t *value = json_object_get(object, key);
        size_t length = json_string_length(value);

        if (!json_is_string(value) || length >= size || strlen(json_string_value(value)) != length)
                return false;
        memcpy(ret, json_string_value(value), length + 1);
        return true;
}

static bool take_sentence(const json_t *object, const char *key, char **ret) {
        char text[RECORD_TEXT_MAX + 8];

        if (!take_text(object, key, sizeof(text), text))
                return false;
        *ret = strdup(text);
        return *ret != NULL;
}

static bool take_number(const json_t *object, const char *key, uint64_t *ret) {
        const json_t *value = json_object_get(object, key);

        if (!json_is_integer(value) || json_integer_value(value) < 0)
                return false;
        *ret = (uint64_t) json_integer_value(value);
        return true;
}

static bool take_bool(const json_t *object, const char *key, bool *ret) {
        const json_t *value = json_object_get(object, key);

        if (!json_is_boolean(value))
                return false;
        *ret = json_is_true(value);
        return true;
}

static bool take_verdict(const json_t *object, Verdict *ret) {
        Verdict verdict = verdict_from_name(json_string_value(json_object_get(object, "verdict")));

        if (verdict < 0)
                return false;
        *ret = verdict;
        return true;
}

static bool record_is_consistent(const Record *r) {
        return id128_is_valid(r->id) && id128_is_valid(r->boot_id) && name_is_valid(r->stack) &&
               name_is_valid(r->proof) && name_is_valid(r->subject) &&
               (r->engine[0] == '\0' || name_is_valid(r->engine)) &&
               (r->unit[0] == '\0' || unit_name_is_valid(r->unit)) &&
               (r->invocation_id[0] == '\0' || id128_is_valid(r->invocation_id)) &&
               (!r->leak || r->verdict == VERDICT_FAILED) && (!r->pending || r->verdict == VERDICT_UNPROVEN);
}

static bool record_take_all(const json_t *o, Record *r) {
        return take_text(o, "id", sizeof(r->id), r->id) &&
               take_text(o, "stack", sizeof(r->stack), r->stack) &&
               take_text(o, "proof", sizeof(r->proof), r->proof) &&
               take_text(o, "subject", sizeof(r->subject), r->subject) &&
               take_text(o, "engine", sizeof(r->engine), r->engine) && take_verdict(o, &r->verdict) &&
               take_bool(o, "pending", &r->pending) && take_bool(o, "leak", &r->leak) &&
               take_sentence(o, "reason", &r->reason) && take_sentence(o, "remedy", &r->remedy) &&
               take_text(o, "boot_id", sizeof(r->boot_id), r->boot_id) &&
               take_text(o, "unit", sizeof(r->unit), r->unit) &&
               take_text(o, "invocation_id", sizeof(r->invocation_id), r->invocation_id) &&
               take_number(o, "netns_cookie", &r->netns_cookie) &&
               take_number(o, "monotonic_usec", &r->monotonic_usec) &&
               take_number(o, "realtime_usec", &r->realtime_usec) &&
               take_number(o, "duration_ms", &r->duration_ms) &&
               json_is_object(json_object_get(o, "evidence"));
}

RecordFault record_parse(const char *text, size_t length, Record *ret) {
        CLEANUP(handle_json) json_t *object = NULL;
        Record record = { .verdict = VERDICT_UNPROVEN };
        const json_t *version;

        if (length > RECORD_SIZE_MAX)
                return RECORD_FAULT_TOO_BIG;
        object = json_loadb(text, length, JSON_REJECT_DUPLICATES, /* error= */ NULL);
        if (!json_is_object(object))
                return RECORD_FAULT_MALFORMED;
        version = json_object_get(object, "version");
        if (!json_is_integer(version))
                return RECORD_FAULT_MALFORMED;
        if (json_integer_value(version) != RECORD_VERSION)
                return RECORD_FAULT_VERSION;
        /* 19 keys, each of them taken below: one more is one that we do not know. */
        if (json_object_size(object) != 19 || !record_take_all(object, &record) ||
            !record_is_consistent(&record)) {
                record_done(&record);
                return RECORD_FAULT_MALFORMED;
        }
        record.evidence = json_incref(json_object_get(object, "evidence"));
        *ret = record;
        return RECORD_FAULT_NONE;
}

static bool stat_is_private(const struct stat *st, uid_t owner) {
        if (mutation_is_on("record-owner"))
                return true;
        return st->st_uid == owner && (st->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

static RecordFault fault_from_errno(int error) {
        if (error == ENOENT)
                return RECORD_FAULT_MISSING;
        if (error == ELOOP || error == ENOTDIR || error == ENXIO)
                return RECORD_FAULT_NOT_A_FILE;
        return RECORD_FAULT_UNREADABLE;
}

static RecordFault directory_open(int dir_fd, const char *path, uid_t owner, int *ret_fd) {
        CLEANUP(handle_close) int fd = -1;
        struct stat st;

        fd = openat(dir_fd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0)
                return fault_from_errno(errno);
        if (fstat(fd, &st) < 0)
                return RECORD_FAULT_UNREADABLE;
        if (!stat_is_private(&st, owner))
                return RECORD_FAULT_FOREIGN;
        *ret_fd = handle_take_fd(&fd);
        return RECORD_FAULT_NONE;
}

RecordFault record_dir_open(const char *run_dir, const char *stack, uid_t owner, int *ret_fd) {
        CLEANUP(handle_close) int top = -1;
        RecordFault fault;

        if (!name_is_valid(stack))
                return RECORD_FAULT_MISNAMED;
        fault = directory_open(AT_FDCWD, run_dir, owner, &top);
        if (fault != RECORD_FAULT_NONE)
                return fault;
        return directory_open(top, stack, owner, ret_fd);
}

RecordFault record_running_open(int dir_fd, uid_t owner, int *ret_fd) {
        return directory_open(dir_fd, RECORD_RUNNING_DIR, owner, ret_fd);
}

static RecordFault record_read_file(int dir_fd, uid_t owner, const char *name, Record *ret) {
        CLEANUP(handle_close) int fd = -1;
        CLEANUP(handle_free) char *text = NULL;
        struct stat st;
        size_t length;
        int r;

        fd = openat(dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
        if (fd < 0)
                return fault_from_errno(errno);
        if (fstat(fd, &st) < 0)
                return RECORD_FAULT_UNREADABLE;
        if (!S_ISREG(st.st_mode) || st.st_nlink > 1)
                return RECORD_FAULT_NOT_A_FILE;
        if (!stat_is_private(&st, owner))
                return RECORD_FAULT_FOREIGN;
        if (st.st_size > RECORD_SIZE_MAX)
                return RECORD_FAULT_TOO_BIG;
        r = file_read_fd(fd, RECORD_SIZE_MAX, &text, &length);
        if (r < 0)
                return r == -EFBIG ? RECORD_FAULT_TOO_BIG : RECORD_FAULT_UNREADABLE;
        return record_parse(text, length, ret);
}

RecordFault record_read(int dir_fd, uid_t owner, const char *stack, const char *proof, const char *subject,
                        Record *ret) {
        CLEANUP(handle_free) char *name = NULL;
        Record record = { .verdict = VERDICT_UNPROVEN };
        RecordFault fault;

        if (!name_is_valid(proof) || !name_is_valid(subject))
                return RECORD_FAULT_MISNAMED;
        name = record_file_name(proof, subject);
        if (!name)
                return RECORD_FAULT_UNREADABLE;
        fault = record_read_file(dir_fd, owner, name, &record);
        if (fault != RECORD_FAULT_NONE)
                return fault;
        if (!mutation_is_on("record-name") &&
            (strcmp(record.stack, stack) != 0 || strcmp(record.proof, proof) != 0 ||
             strcmp(record.subject, subject) != 0)) {
                record_done(&record);
                return RECORD_FAULT_MISNAMED;
        }
        *ret = record;
        return RECORD_FAULT_NONE;
}

static int is_record_name(const struct dirent *entry) {
        size_t length = strlen(entry->d_name);

        return entry->d_name[0] != '.' && length > 5 && strcmp(entry->d_name + length - 5, ".json") == 0 &&
               strchr(entry->d_name, '-') != NULL;
}

static void record_visit_one(int dir_fd, uid_t owner, const char *stack, const char *file_name,
                             RecordVisit visit, void *userdata) {
        CLEANUP(handle_free) char *expected = NULL;
        Record record = { .verdict = VERDICT_UNPROVEN };
        RecordFault fault = record_read_file(dir_fd, owner, file_name, &record);

        if (fault == RECORD_FAULT_NONE) {
                expected = record_file_name(record.proof, record.subject);
                if (!expected || strcmp(expected, file_name) != 0 || strcmp(record.stack, stack) != 0)
                        fault = RECORD_FAULT_MISNAMED;
        }
        visit(file_name, fault == RECORD_FAULT_NONE ? &record : NULL, fault, userdata);
        record_done(&record);
}

int record_each(int dir_fd, uid_t owner, const char *stack, RecordVisit visit, void *userdata) {
        struct dirent **entries = NULL;
        int n;

        n = scandirat(dir_fd, ".", &entries, is_record_name, alphasort);
        if (n < 0)
                return -errno;
        for (int i = 0; i < n; i++) {
                if (i < RECORDS_PER_STACK_MAX)
                        record_visit_one(dir_fd, owner, stack, entries[i]->d_name, visit, userdata);
                free(entries[i]);
        }
        free(entries);
        return n > RECORDS_PER_STACK_MAX ? -E2BIG : 0;
}
