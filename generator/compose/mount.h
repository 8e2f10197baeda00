/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

#include "generator/base/arena.h"

/* The short forms of a mount and of a port, as parts. */
typedef struct MountSpec {
        const char *source; /* NULL: an anonymous volume */
        const char *target;
        bool bind; /* the source is a path, not the name of a volume */
        bool read_only, no_copy;
        const char *propagation, *selinux;
        const char *unknown; /* options that Compose passes over, "nosuid,x"; NULL: none */
} MountSpec;

/* SOURCE:TARGET:OPTIONS. False if there are too many or empty sections; unknown options are
 * passed over, as in Compose. */
bool mount_parse(Arena *a, const char *text, MountSpec *ret);

typedef struct PortSpec {
        const char *address;            /* "" for all; an IPv6 address has no brackets */
        unsigned first, last;           /* inside */
        unsigned host_first, host_last; /* 0: any */
        bool has_host;
        const char *protocol;
} PortSpec;

/* [ADDRESS:][HOST[-HOST]:]PORT[-PORT][/PROTOCOL]. NULL on success, otherwise what is wrong. */
const char *ports_parse(Arena *a, const char *text, PortSpec *ret);
