/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* IP addresses as a proof compares them. */

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

enum { ADDRESS_TEXT_SIZE = INET6_ADDRSTRLEN };

typedef struct Address {
        int family;        /* AF_INET, AF_INET6; AF_UNSPEC: none */
        uint8_t bytes[16]; /* network order, 4 or 16 of them */
} Address;

typedef enum Family {
        FAMILY_V4,
        FAMILY_V6,
        _FAMILY_MAX,
} Family;

int family_to_af(Family family);
const char *family_name(Family family); /* "IPv4", "IPv6" */

/* IPv4-mapped IPv6 addresses (RFC 4291 2.5.5.2) become IPv4: they name the same host. */
Address address_from_bytes(int family, const void *bytes);
int address_from_sockaddr(const struct sockaddr *socket_address, Address *ret);
int address_parse(const char *text, Address *ret); /* -EINVAL; no scope, no prefix length */
const char *address_text(const Address *address, char buffer[ADDRESS_TEXT_SIZE]);

socklen_t address_to_sockaddr(const Address *address, uint16_t port, struct sockaddr_storage *ret);

bool address_equal(const Address *a, const Address *b);

/* Whether both may belong to one host or site: IPv4 equal, IPv6 equal in the first 64 bits (privacy
 * addresses of RFC 8981 change the rest). */
bool address_same_site(const Address *a, const Address *b);

/* IPv4 equal in the first 24 bits: worth a note, no verdict. */
bool address_is_near(const Address *a, const Address *b);

/* Can be the source of a packet that crossed a network: not unspecified, loopback, link-local, multicast. */
bool address_is_routable(const Address *address);
