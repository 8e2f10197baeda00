/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A record as the gate reads it. What is accepted must survive being written and read again. */

#include <stdlib.h>
#include <string.h>

#include "proofs/record-read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        Record record = { .verdict = VERDICT_UNPROVEN }, copy = { .verdict = VERDICT_UNPROVEN };
        char *text;

        if (record_parse((const char *) data, size, &record) != RECORD_FAULT_NONE)
                return 0;
        text = record_format(&record);
        if (!text ||
            (strlen(text) <= RECORD_SIZE_MAX && record_parse(text, strlen(text), &copy) != RECORD_FAULT_NONE))
                __builtin_trap();
        if (copy.id[0] != '\0' && (copy.verdict != record.verdict || strcmp(copy.id, record.id) != 0))
                __builtin_trap();
        free(text);
        record_done(&copy);
        record_done(&record);
        return 0;
}
