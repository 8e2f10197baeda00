/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The part of STUN (RFC 8489) that asks "which address do you see?": one Binding request, one answer. */

#include <stddef.h>
#include <stdint.h>

#include "proofs/address.h"

enum {
        STUN_PORT = 3478,
        STUN_TRANSACTION_SIZE = 12,
        STUN_REQUEST_SIZE = 20,
        STUN_RESPONSE_MAX = 1280, /* RFC 8489 6.1: smaller than the path's MTU */
};

void stun_request_build(const uint8_t transaction[STUN_TRANSACTION_SIZE], uint8_t ret[STUN_REQUEST_SIZE]);

/* Reads the address out of any bytes. 0: a success response to this transaction with XOR-MAPPED-ADDRESS.
 * -EBADMSG: no STUN message or a malformed one; -ESTALE: of another transaction; -EPROTO: error response or
 * another method; -ENODATA: no XOR-MAPPED-ADDRESS (the plain MAPPED-ADDRESS may have been rewritten on the
 * way by a NAT and does not count). */
int stun_response_parse(const uint8_t *bytes, size_t length, const uint8_t transaction[STUN_TRANSACTION_SIZE],
                        Address *ret);
