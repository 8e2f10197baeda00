/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/subnet.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "generator/base/array.h"

static const struct PrivateSpace {
        int family;
        uint8_t bytes[2];
        unsigned length;
        bool link_local;
} private_spaces[] = {
        { AF_INET, { 10, 0 }, 8, false },       { AF_INET, { 172, 16 }, 12, false },
        { AF_INET, { 192, 168 }, 16, false },   { AF_INET, { 100, 64 }, 10, false },
        { AF_INET, { 169, 254 }, 16, true },    { AF_INET6, { 0xfc, 0 }, 7, false },
        { AF_INET6, { 0xfe, 0x80 }, 10, true },
};

static unsigned family_bits(int family) {
        return family == AF_INET ? 32 : 128;
}

bool subnet_from_bytes(int family, const void *bytes, unsigned length, Subnet *ret) {
        Subnet subnet = { .family = family, .length = length };

        if ((family != AF_INET && family != AF_INET6) || length > family_bits(family))
                return false;
        memcpy(subnet.bytes, bytes, family_bits(family) / 8);
        for (unsigned bit = length; bit < family_bits(family); bit++)
                subnet.bytes[bit / 8] &= (uint8_t) ~(0x80u >> bit % 8);
        *ret = subnet;
        return true;
}

/* At most three digits, and nothing else. */
static bool length_parse(const char *text, unsigned max, unsigned *ret) {
        unsigned length = 0;
        size_t n = strlen(text);

        if (n == 0 || n > 3)
                return false;
        for (const char *p = text; *p; p++) {
                if (!isdigit((unsigned char) *p))
                        return false;
                length = 10 * length + (unsigned) (*p - '0');
        }
        if (length > max)
                return false;
        *ret = length;
        return true;
}

bool subnet_parse(const char *text, Subnet *ret) {
        const char *slash = strchr(text, '/');
        size_t n = slash ? (size_t) (slash - text) : strlen(text);
        char address[INET6_ADDRSTRLEN];
        uint8_t bytes[16];
        unsigned length;
        int family;

        if (n >= sizeof(address))
                return false;
        memcpy(address, text, n);
        address[n] = '\0';
        family = strchr(address, ':') ? AF_INET6 : AF_INET;
        length = family_bits(family);
        if (inet_pton(family, address, bytes) != 1 ||
            (slash && !length_parse(slash + 1, family_bits(family), &length)))
                return false;
        return subnet_from_bytes(family, bytes, length, ret);
}

bool subnet_parse_address(const char *text, Subnet *ret) {
        return !strchr(text, '/') && subnet_parse(text, ret);
}

bool subnet_contains(const Subnet *outer, const Subnet *inner) {
        Subnet wider;

        return inner->family == outer->family && inner->length >= outer->length &&
               subnet_from_bytes(inner->family, inner->bytes, outer->length, &wider) &&
               memcmp(wider.bytes, outer->bytes, sizeof(wider.bytes)) == 0;
}

const char *subnet_text(const Subnet *subnet, char ret[SUBNET_TEXT_SIZE]) {
        char address[INET6_ADDRSTRLEN] = "";

        (void) inet_ntop(subnet->family, subnet->bytes, address, sizeof(address));
        (void) snprintf(ret, SUBNET_TEXT_SIZE, "%s/%u", address, subnet->length);
        return ret;
}

static const struct PrivateSpace *private_space(const Subnet *subnet) {
        for (size_t i = 0; i < ELEMENTS(private_spaces); i++) {
                const struct PrivateSpace *space = &private_spaces[i];
                unsigned mask = 0xffffu << (16 - space->length) & 0xffffu;
                unsigned head = (unsigned) (subnet->bytes[0] << 8 | subnet->bytes[1]);

                if (subnet->family == space->family && subnet->length >= space->length &&
                    (head & mask) == (unsigned) (space->bytes[0] << 8 | space->bytes[1]))
                        return space;
        }
        return NULL;
}

bool subnet_is_private(const Subnet *subnet) {
        return private_space(subnet) != NULL;
}

bool subnet_is_link_local(const Subnet *subnet) {
        const struct PrivateSpace *space = private_space(subnet);

        return space && space->link_local;
}

bool subnet_text_is_private(const char *text) {
        Subnet subnet;

        return subnet_parse(text, &subnet) && subnet_is_private(&subnet);
}
