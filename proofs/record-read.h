/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Reading side of the record, for the gate and for `unitproof status`. It trusts nothing: who wrote the
 * file, what kind of file it is, how long it is, what it says. A record that is odd in any way is no record.
 */

#include <sys/types.h>

#include "proofs/record.h"

typedef enum RecordFault {
        RECORD_FAULT_NONE,
        RECORD_FAULT_MISSING,    /* no such record: the proof never ran */
        RECORD_FAULT_FOREIGN,    /* file or directory not owned by the expected user, or writable by others */
        RECORD_FAULT_NOT_A_FILE, /* symbolic link, FIFO, device, hard link */
        RECORD_FAULT_TOO_BIG,
        RECORD_FAULT_MALFORMED, /* not JSON, a key is missing, doubled or unknown, a value is out of range */
        RECORD_FAULT_VERSION,
        RECORD_FAULT_MISNAMED,   /* it speaks of another stack, proof or subject than its name */
        RECORD_FAULT_UNREADABLE, /* any other system error */
        _RECORD_FAULT_MAX,
} RecordFault;

/* One sentence fragment that says what is wrong ("is not owned by root, or others may write to it"). */
const char *record_fault_text(RecordFault fault);

/* Opens RUN_DIR/STACK for reading; both must be directories of this owner that nobody else can write to. */
RecordFault record_dir_open(const char *run_dir, const char *stack, uid_t owner, int *ret_fd);

/* The same for RUN_DIR/STACK/running, from an open RUN_DIR/STACK. */
RecordFault record_running_open(int dir_fd, uid_t owner, int *ret_fd);

/* Parses length bytes. Any input is allowed. On success the caller owns *ret (record_done()). */
RecordFault record_parse(const char *text, size_t length, Record *ret);

/* Reads and checks KIND-SUBJECT.json of an open stack directory. */
RecordFault record_read(int dir_fd, uid_t owner, const char *stack, const char *proof, const char *subject,
                        Record *ret);

/* Calls visit() for each file that has a record's name, in order of names, with the record or NULL and the
 * fault. The record belongs to the caller of visit(). Returns 0 or a negative errno. */
typedef void (*RecordVisit)(const char *file_name, const Record *record, RecordFault fault, void *userdata);
int record_each(int dir_fd, uid_t owner, const char *stack, RecordVisit visit, void *userdata);
