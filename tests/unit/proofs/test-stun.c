/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "proofs/handles.h"
#include "proofs/stun.h"

/* The transaction ID and answers of the test vectors in RFC 5769 2.2 and 2.3. */
static const uint8_t transaction[STUN_TRANSACTION_SIZE] = { 0xb7, 0xe7, 0xa7, 0x01, 0xbc, 0x34,
                                                            0xd6, 0x86, 0xfa, 0x87, 0xdf, 0xae };

static const uint8_t response_v4[] = {
        0x01, 0x01, 0x00, 0x3c, 0x21, 0x12, 0xa4, 0x42, 0xb7, 0xe7, 0xa7, 0x01, 0xbc, 0x34, 0xd6, 0x86,
        0xfa, 0x87, 0xdf, 0xae, 0x80, 0x22, 0x00, 0x0b, 0x74, 0x65, 0x73, 0x74, 0x20, 0x76, 0x65, 0x63,
        0x74, 0x6f, 0x72, 0x20, 0x00, 0x20, 0x00, 0x08, 0x00, 0x01, 0xa1, 0x47, 0xe1, 0x12, 0xa6, 0x43,
        0x00, 0x08, 0x00, 0x14, 0x2b, 0x91, 0xf5, 0x99, 0xfd, 0x9e, 0x90, 0xc3, 0x8c, 0x74, 0x89, 0xf9,
        0x2a, 0xf9, 0xba, 0x53, 0xf0, 0x6b, 0xe7, 0xd7, 0x80, 0x28, 0x00, 0x04, 0xc0, 0x7d, 0x4c, 0x96,
};

static const uint8_t response_v6[] = {
        0x01, 0x01, 0x00, 0x48, 0x21, 0x12, 0xa4, 0x42, 0xb7, 0xe7, 0xa7, 0x01, 0xbc, 0x34, 0xd6, 0x86,
        0xfa, 0x87, 0xdf, 0xae, 0x80, 0x22, 0x00, 0x0b, 0x74, 0x65, 0x73, 0x74, 0x20, 0x76, 0x65, 0x63,
        0x74, 0x6f, 0x72, 0x20, 0x00, 0x20, 0x00, 0x14, 0x00, 0x02, 0xa1, 0x47, 0x01, 0x13, 0xa9, 0xfa,
        0xa5, 0xd3, 0xf1, 0x79, 0xbc, 0x25, 0xf4, 0xb5, 0xbe, 0xd2, 0xb9, 0xd9, 0x00, 0x08, 0x00, 0x14,
        0xa3, 0x82, 0x95, 0x4e, 0x4b, 0xe6, 0x7b, 0xf1, 0x17, 0x84, 0xc9, 0x7c, 0x82, 0x92, 0xc2, 0x75,
        0xbf, 0xe3, 0xed, 0x41, 0x80, 0x28, 0x00, 0x04, 0xc8, 0xfb, 0x0b, 0x4c,
};

static void assert_answer(const uint8_t *bytes, size_t length, const char *expected) {
        char text[ADDRESS_TEXT_SIZE];
        Address address;

        assert_int_equal(stun_response_parse(bytes, length, transaction, &address), 0);
        assert_string_equal(address_text(&address, text), expected);
}

static void test_vectors(void **state) {
        (void) state;
        assert_answer(response_v4, sizeof(response_v4), "192.0.2.1");
        assert_answer(response_v6, sizeof(response_v6), "2001:db8:1234:5678:11:2233:4455:6677");
}

static void test_request(void **state) {
        uint8_t request[STUN_REQUEST_SIZE];
        Address address;

        (void) state;
        stun_request_build(transaction, request);
        assert_memory_equal(request, ((uint8_t[]){ 0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42 }), 8);
        assert_memory_equal(request + 8, transaction, sizeof(transaction));
        /* Our own request, sent back to us, is no answer. */
        assert_int_equal(stun_response_parse(request, sizeof(request), transaction, &address), -EPROTO);
}

typedef struct Patch {
        size_t at;
        uint8_t value;
        int expected;
} Patch;

static void test_hostile(void **state) {
        static const Patch patches[] = {
                { 0, 0x41, -EBADMSG },                          /* the two first bits must be 0 */
                { 0, 0x00, -EPROTO },                           /* a request */
                { 1, 0x11, -EPROTO },                           /* an error response */
                { 3, 0x38, -EBADMSG },                          /* shorter than it is */
                { 3, 0x40, -EBADMSG },                          /* longer than it is */
                { 3, 0x3d, -EBADMSG },                          /* not a multiple of 4 */
                { 2, 0xff, -EBADMSG },  { 4, 0x00, -EBADMSG },  /* no magic cookie */
                { 8, 0x00, -ESTALE },                           /* another transaction */
                { 19, 0x00, -ESTALE },  { 20, 0x00, -EBADMSG }, /* an attribute that must be understood */
                { 23, 0xff, -EBADMSG },                         /* an attribute beyond the end */
                { 37, 0x01, -ENODATA },                         /* MAPPED-ADDRESS only */
                { 39, 0x04, -EBADMSG },                         /* an address that is too short */
                { 39, 0x14, -EBADMSG },                         /* IPv4 with the length of IPv6 */
                { 41, 0x03, -EBADMSG },                         /* no family of addresses */
                { 41, 0x02, -EBADMSG },                         /* IPv6 with the length of IPv4 */
        };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(patches); i++) {
                uint8_t bytes[sizeof(response_v4)];
                Address address = { .family = 77 };
                int r;

                memcpy(bytes, response_v4, sizeof(bytes));
                bytes[patches[i].at] = patches[i].value;
                r = stun_response_parse(bytes, sizeof(bytes), transaction, &address);
                if (r != patches[i].expected)
                        fail_msg("patch %zu: %d instead of %d", i, r, patches[i].expected);
                assert_int_equal(address.family, 77);
        }
}

static void test_cut_off(void **state) {
        (void) state;
        for (size_t length = 0; length < sizeof(response_v4); length++) {
                /* Exactly that much memory: a read beyond it is seen by a sanitizer. */
                uint8_t *bytes = malloc(length ?: 1);
                Address address;

                assert_non_null(bytes);
                memcpy(bytes, response_v4, length);
                assert_int_equal(stun_response_parse(bytes, length, transaction, &address), -EBADMSG);
                free(bytes);
        }
}

static void test_too_long(void **state) {
        uint8_t bytes[STUN_RESPONSE_MAX + 4] = { 0 };
        Address address;

        (void) state;
        memcpy(bytes, response_v4, STUN_REQUEST_SIZE);
        bytes[2] = (sizeof(bytes) - STUN_REQUEST_SIZE) >> 8;
        bytes[3] = (sizeof(bytes) - STUN_REQUEST_SIZE) & 0xff;
        assert_int_equal(stun_response_parse(bytes, sizeof(bytes), transaction, &address), -EBADMSG);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_vectors),  cmocka_unit_test(test_request),
                cmocka_unit_test(test_hostile),  cmocka_unit_test(test_cut_off),
                cmocka_unit_test(test_too_long),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
