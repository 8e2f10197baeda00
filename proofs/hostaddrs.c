/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/hostaddrs.h"

#include <errno.h>
#include <ifaddrs.h>

int host_addresses_add(HostAddresses *set, const Address *address) {
        for (size_t i = 0; i < set->n; i++)
                if (address_equal(&set->addresses[i], address))
                        return 0;
        if (set->n == HOST_ADDRESSES_MAX)
                return -E2BIG;
        set->addresses[set->n++] = *address;
        return 0;
}

int host_addresses_read(HostAddresses *ret) {
        struct ifaddrs *list;
        int r = 0;

        if (getifaddrs(&list) < 0)
                return -errno;
        ret->n = 0;
        for (const struct ifaddrs *a = list; a && r >= 0; a = a->ifa_next) {
                Address address;

                if (address_from_sockaddr(a->ifa_addr, &address) < 0 || !address_is_routable(&address))
                        continue;
                r = host_addresses_add(ret, &address);
        }
        freeifaddrs(list);
        return r;
}

const Address *host_addresses_match(const HostAddresses *set, const Address *address) {
        for (size_t i = 0; i < set->n; i++)
                if (address_same_site(&set->addresses[i], address))
                        return &set->addresses[i];
        return NULL;
}
