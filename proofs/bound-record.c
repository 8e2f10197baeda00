/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "proofs/bound.h"
#include "proofs/handles.h"
#include "proofs/record-read.h"

#define REMEDY_HOOK                                                                                          \
        "See that the engine reads unitproof.json in /usr/share/containers/oci/hooks.d, then restart the "   \
        "client."

/* Whether the process that the hook saw is one of the client's now, and the same one. */
static int process_is_of_client(const json_t *evidence, const PidSet *client) {
        CLEANUP(handle_close) int fd = -1;
        const json_t *pid = json_object_get(evidence, "pid"),
                     *start = json_object_get(evidence, "start_time");
        char path[32];
        uint64_t now;
        int r;

        if (!json_is_integer(pid) || !json_is_integer(start) || json_integer_value(pid) <= 0 ||
            json_integer_value(pid) > INT32_MAX || !payload_contains(client, (pid_t) json_integer_value(pid)))
                return 0;
        (void) snprintf(path, sizeof(path), "/proc/%d", (int) json_integer_value(pid));
        fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return errno == ENOENT ? 0 : -errno;
        r = bound_start_time(fd, &now);
        if (r < 0)
                return r == -ESRCH ? 0 : r;
        return now == (uint64_t) json_integer_value(start);
}

static const char *record_mismatch(const Record *record, const ProofRequest *request, uint64_t cookie) {
        char boot_id[ID128_TEXT_SIZE] = "";

        if (id128_boot(boot_id) < 0 || strcmp(record->boot_id, boot_id) != 0)
                return "is of another boot";
        if (record->pending)
                return "is of a hook that has not come to its end";
        if (record->verdict != VERDICT_PASSED)
                return "does not say \"passed\"";
        if (strcmp(record->unit, request->tunnel_unit) != 0)
                return "is about another tunnel";
        if (record->netns_cookie != cookie)
                return "is about another network namespace";
        return NULL;
}

int bound_record_judge(const ProofRequest *request, const PidSet *client, uint64_t cookie,
                       ProofResult *result) {
        CLEANUP(handle_close) int dir_fd = -1;
        CLEANUP(record_done) Record record = { .verdict = VERDICT_UNPROVEN };
        const char *mismatch;
        RecordFault fault;
        int r;

        fault = record_dir_open(request->run_dir, request->stack, /* owner= */ 0, &dir_fd);
        if (fault == RECORD_FAULT_NONE)
                fault = record_read(dir_fd, /* owner= */ 0, request->stack, "bound", request->subject,
                                    &record);
        if (fault == RECORD_FAULT_MISSING)
                mismatch = "is missing: the hook did not run";
        else if (fault != RECORD_FAULT_NONE)
                mismatch = record_fault_text(fault);
        else
                mismatch = record_mismatch(&record, request, cookie);
        if (!mismatch) {
                r = process_is_of_client(record.evidence, client);
                if (r < 0)
                        return r;
                if (r == 0)
                        mismatch = "is about an earlier container: the hook did not run for this one";
        }
        if (mismatch) {
                (void) proof_conclude(result, VERDICT_UNPROVEN, REMEDY_HOOK,
                                      "the record of the OCI hook for %s %s", request->subject, mismatch);
                return 1;
        }
        proof_note(result, "bound_record", json_string(record.id));
        return 0;
}
