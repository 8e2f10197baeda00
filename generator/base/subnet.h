/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Ranges of IP addresses as operators write them. Compiler and proofs share this. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SUBNET_TEXT_SIZE = 64 };

typedef struct Subnet {
        int family;        /* AF_INET, AF_INET6 */
        uint8_t bytes[16]; /* network order; what the length does not cover is zero */
        unsigned length;
} Subnet;

/* "192.168.1.0/24", "fd00::/8", or an address alone, which is a range of one. False if it is none. */
bool subnet_parse(const char *text, Subnet *ret);
/* Of an address in network order, 4 or 16 bytes. */
bool subnet_from_bytes(int family, const void *bytes, unsigned length, Subnet *ret);
/* An address alone: no range. */
bool subnet_parse_address(const char *text, Subnet *ret);
/* All of `inner` is in `outer`. */
bool subnet_contains(const Subnet *outer, const Subnet *inner);
const char *subnet_text(const Subnet *subnet, char ret[SUBNET_TEXT_SIZE]);

/* Wholly in space that nobody can reach over the internet: RFC 1918, shared (RFC 6598), unique local (RFC
 * 4193), link-local (RFC 3927, RFC 4291). */
bool subnet_is_private(const Subnet *subnet);
bool subnet_is_link_local(const Subnet *subnet);

/* The same for a text; false if it is no subnet. */
bool subnet_text_is_private(const char *text);
