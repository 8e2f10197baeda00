/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A STUN response from anybody, to the very transaction that it names. */

#include <string.h>

#include "proofs/stun.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
        uint8_t transaction[STUN_TRANSACTION_SIZE] = { 0 };
        Address address = { .family = AF_UNSPEC };
        int r;

        if (size >= STUN_REQUEST_SIZE)
                memcpy(transaction, data + 8, sizeof(transaction));
        r = stun_response_parse(data, size, transaction, &address);
        /* An address comes with success, and only then. */
        if ((r == 0) != (address.family == AF_INET || address.family == AF_INET6))
                __builtin_trap();
        return 0;
}
