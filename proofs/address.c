/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>

int family_to_af(Family family) {
        return family == FAMILY_V6 ? AF_INET6 : AF_INET;
}

const char *family_name(Family family) {
        return family == FAMILY_V6 ? "IPv6" : "IPv4";
}

static size_t address_length(int family) {
        return family == AF_INET6 ? 16 : family == AF_INET ? 4 : 0;
}

Address address_from_bytes(int family, const void *bytes) {
        static const uint8_t mapped[12] = { [10] = 0xff, [11] = 0xff };
        Address address = { .family = family };

        memcpy(address.bytes, bytes, address_length(family));
        if (family == AF_INET6 && memcmp(address.bytes, mapped, sizeof(mapped)) == 0) {
                Address v4 = { .family = AF_INET };

                memcpy(v4.bytes, address.bytes + sizeof(mapped), 4);
                return v4;
        }
        return address;
}

int address_from_sockaddr(const struct sockaddr *socket_address, Address *ret) {
        if (!socket_address)
                return -EINVAL;
        switch (socket_address->sa_family) {
        case AF_INET: {
                struct sockaddr_in v4;

                memcpy(&v4, socket_address, sizeof(v4));
                *ret = address_from_bytes(AF_INET, &v4.sin_addr);
                return 0;
        }
        case AF_INET6: {
                struct sockaddr_in6 v6;

                memcpy(&v6, socket_address, sizeof(v6));
                *ret = address_from_bytes(AF_INET6, &v6.sin6_addr);
                return 0;
        }
        default:
                return -EAFNOSUPPORT;
        }
}

int address_parse(const char *text, Address *ret) {
        uint8_t bytes[16];

        for (Family f = 0; f < _FAMILY_MAX; f++)
                if (inet_pton(family_to_af(f), text, bytes) == 1) {
                        *ret = address_from_bytes(family_to_af(f), bytes);
                        return 0;
                }
        return -EINVAL;
}

const char *address_text(const Address *address, char buffer[ADDRESS_TEXT_SIZE]) {
        if (address_length(address->family) == 0 ||
            !inet_ntop(address->family, address->bytes, buffer, ADDRESS_TEXT_SIZE))
                buffer[0] = '\0';
        return buffer;
}

socklen_t address_to_sockaddr(const Address *address, uint16_t port, struct sockaddr_storage *ret) {
        struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons(port) };
        struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons(port) };

        *ret = (struct sockaddr_storage){ .ss_family = AF_UNSPEC };
        if (address->family == AF_INET) {
                memcpy(&v4.sin_addr, address->bytes, sizeof(v4.sin_addr));
                memcpy(ret, &v4, sizeof(v4));
                return sizeof(v4);
        }
        memcpy(&v6.sin6_addr, address->bytes, sizeof(v6.sin6_addr));
        memcpy(ret, &v6, sizeof(v6));
        return sizeof(v6);
}

static bool address_same_prefix(const Address *a, const Address *b, int family, size_t length) {
        return a->family == family && b->family == family && memcmp(a->bytes, b->bytes, length) == 0;
}

bool address_equal(const Address *a, const Address *b) {
        size_t length = address_length(a->family);

        return length > 0 && address_same_prefix(a, b, a->family, length);
}

bool address_same_site(const Address *a, const Address *b) {
        return address_same_prefix(a, b, AF_INET, 4) || address_same_prefix(a, b, AF_INET6, 8);
}

bool address_is_near(const Address *a, const Address *b) {
        return address_same_prefix(a, b, AF_INET, 3);
}

bool address_is_routable(const Address *address) {
        const uint8_t *b = address->bytes;
        struct in6_addr v6;

        if (address->family == AF_INET)
                return b[0] != 0 && b[0] != 127 && b[0] < 224 && !(b[0] == 169 && b[1] == 254);
        if (address->family != AF_INET6)
                return false;
        memcpy(&v6, b, sizeof(v6));
        return !IN6_IS_ADDR_UNSPECIFIED(&v6) && !IN6_IS_ADDR_LOOPBACK(&v6) && !IN6_IS_ADDR_LINKLOCAL(&v6) &&
               !IN6_IS_ADDR_MULTICAST(&v6);
}
