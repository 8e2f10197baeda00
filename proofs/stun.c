/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/stun.h"

#include <errno.h>
#include <string.h>

enum {
        STUN_BINDING_REQUEST = 0x0001,
        STUN_BINDING_SUCCESS = 0x0101,
        STUN_XOR_MAPPED_ADDRESS = 0x0020,
        STUN_ATTRIBUTE_OPTIONAL = 0x8000, /* RFC 8489 14: from here on "comprehension-optional" */
};

static const uint8_t magic[4] = { 0x21, 0x12, 0xa4, 0x42 };

/* RFC 8489 18.3.1: what a binding response may carry beside the address. */
static const uint16_t understood[] = {
        0x0001 /* MAPPED-ADDRESS */,
        0x0006 /* USERNAME */,
        0x0008 /* MESSAGE-INTEGRITY */,
        0x0009 /* ERROR-CODE */,
        0x000a /* UNKNOWN-ATTRIBUTES */,
        0x0014 /* REALM */,
        0x0015 /* NONCE */,
        0x001c /* MESSAGE-INTEGRITY-SHA256 */,
        0x0020 /* XOR-MAPPED-ADDRESS */,
};

static uint16_t read_u16(const uint8_t *bytes) {
        return (uint16_t) (bytes[0] << 8 | bytes[1]);
}

void stun_request_build(const uint8_t transaction[STUN_TRANSACTION_SIZE], uint8_t ret[STUN_REQUEST_SIZE]) {
        memset(ret, 0, STUN_REQUEST_SIZE);
        ret[1] = STUN_BINDING_REQUEST;
        memcpy(ret + 4, magic, sizeof(magic));
        memcpy(ret + 8, transaction, STUN_TRANSACTION_SIZE);
}

static bool attribute_is_understood(uint16_t type) {
        if (type >= STUN_ATTRIBUTE_OPTIONAL)
                return true;
        for (size_t i = 0; i < sizeof(understood) / sizeof(understood[0]); i++)
                if (understood[i] == type)
                        return true;
        return false;
}

/* RFC 8489 14.2: reserved, family, port, address; the address XORed with cookie and transaction. */
static int xor_address_read(const uint8_t *value, size_t length, const uint8_t *header, Address *ret) {
        uint8_t bytes[16];
        size_t size;

        if (length < 4)
                return -EBADMSG;
        size = value[1] == 0x01 ? 4 : value[1] == 0x02 ? 16 : 0;
        if (size == 0 || length != 4 + size)
                return -EBADMSG;
        for (size_t i = 0; i < size; i++)
                bytes[i] = value[4 + i] ^ header[4 + i];
        *ret = address_from_bytes(size == 4 ? AF_INET : AF_INET6, bytes);
        return 0;
}

static int header_check(const uint8_t *bytes, size_t length, const uint8_t *transaction) {
        if (length < STUN_REQUEST_SIZE || length > STUN_RESPONSE_MAX || bytes[0] & 0xc0)
                return -EBADMSG;
        if (memcmp(bytes + 4, magic, sizeof(magic)) != 0)
                return -EBADMSG;
        if (read_u16(bytes + 2) != length - STUN_REQUEST_SIZE || length % 4 != 0)
                return -EBADMSG;
        if (memcmp(bytes + 8, transaction, STUN_TRANSACTION_SIZE) != 0)
                return -ESTALE;
        if (read_u16(bytes) != STUN_BINDING_SUCCESS)
                return -EPROTO;
        return 0;
}

int stun_response_parse(const uint8_t *bytes, size_t length, const uint8_t transaction[STUN_TRANSACTION_SIZE],
                        Address *ret) {
        Address found = { .family = AF_UNSPEC };
        int r;

        r = header_check(bytes, length, transaction);
        if (r < 0)
                return r;
        for (size_t at = STUN_REQUEST_SIZE; at < length;) {
                size_t left = length - at, size, padded;
                uint16_t type;

                if (left < 4)
                        return -EBADMSG;
                type = read_u16(bytes + at);
                size = read_u16(bytes + at + 2);
                padded = (size + 3) & ~(size_t) 3;
                if (padded > left - 4 || !attribute_is_understood(type))
                        return -EBADMSG;
                /* RFC 8489 14: only the first of its kind counts. */
                if (type == STUN_XOR_MAPPED_ADDRESS && found.family == AF_UNSPEC) {
                        r = xor_address_read(bytes + at + 4, size, bytes, &found);
                        if (r < 0)
                                return r;
                }
                at += 4 + padded;
        }
        if (found.family == AF_UNSPEC)
                return -ENODATA;
        *ret = found;
        return 0;
}
