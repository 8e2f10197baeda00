/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Every address by which the host might be known. */

#include "proofs/address.h"

enum { HOST_ADDRESSES_MAX = 512 };

typedef struct HostAddresses {
        Address addresses[HOST_ADDRESSES_MAX];
        size_t n;
} HostAddresses;

/* All routable addresses of all interfaces in the caller's namespace. -E2BIG: more than fit, since a list
 * with holes is worth nothing here. */
int host_addresses_read(HostAddresses *ret);

/* Adds one if it is not there. -E2BIG when full. */
int host_addresses_add(HostAddresses *set, const Address *address);

/* The host's address that the given one equals (IPv6: in the first 64 bits), or NULL. */
const Address *host_addresses_match(const HostAddresses *set, const Address *address);
