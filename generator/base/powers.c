/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/powers.h"

#include <linux/capability.h>
#include <strings.h>

const PowerRow power_rows[POWERS_MAX] = {
        /* setns(2) into the host's namespace, mounts of the host's file systems. */
        { "CAP_SYS_ADMIN", CAP_SYS_ADMIN, POWER_OVER_HOST, "enter the host's network namespace" },
        { "CAP_NET_ADMIN", CAP_NET_ADMIN, POWER_OVER_NETWORK,
          "change the routes and rules of the namespace" },
        /* Packet sockets, and AF_XDP, which passes by every hook. */
        { "CAP_NET_RAW", CAP_NET_RAW, POWER_OVER_NETWORK, "send frames past routes and packet filter" },
        /* Another process does what it is made to, in that one's namespaces. */
        { "CAP_SYS_PTRACE", CAP_SYS_PTRACE, POWER_OVER_OTHERS, "take over a process of another namespace" },
        { "CAP_SYS_MODULE", CAP_SYS_MODULE, POWER_OVER_HOST, "load code into the kernel" },
        /* Programs for the network's path want CAP_NET_ADMIN too; what else they reach differs by kernel. */
        { "CAP_BPF", CAP_BPF, POWER_OVER_HOST, "load programs into the kernel" },
        { "CAP_SYS_RAWIO", CAP_SYS_RAWIO, POWER_OVER_HOST, "reach the hardware past the kernel" },
        /* open_by_handle_at(2) opens any file of a file system of which one directory is in sight. */
        { "CAP_DAC_READ_SEARCH", CAP_DAC_READ_SEARCH, POWER_OVER_HOST,
          "open files of the host that it was not given" },
};

static const char *bare(const char *name) {
        return strncasecmp(name, "CAP_", 4) == 0 ? name + 4 : name;
}

const PowerRow *power_find(const char *name) {
        for (size_t i = 0; i < POWERS_MAX; i++)
                if (strcasecmp(bare(name), bare(power_rows[i].name)) == 0)
                        return &power_rows[i];
        return NULL;
}

bool power_is_all(const char *name) {
        return strcasecmp(bare(name), POWER_ALL) == 0;
}
