/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The few questions that are put to systemd itself (org.freedesktop.systemd1(5)). Only reading. */

#include <stdbool.h>
#include <systemd/sd-bus.h>

typedef struct UnitState {
        bool loaded;             /* false: systemd does not know it; the rest is then empty */
        char active[32];         /* "active", "inactive", ... */
        char job[32];            /* type of the queued or running job ("stop", "restart", ...), or "" */
} UnitState;

/* Talks to PID 1's own socket, which also works early at boot, late at shutdown and with no D-Bus daemon; if
 * there is none, to the system bus. */
int bus_open(sd_bus **ret);

int bus_unit_state(sd_bus *bus, const char *unit, UnitState *ret);

/* ControlGroup= of a service or scope, "" if it has none now; owned by the caller. -ENOENT: no such unit. */
int bus_unit_cgroup(sd_bus *bus, const char *unit, char **ret);

static inline void handle_bus(sd_bus **bus) {
        *bus = sd_bus_flush_close_unref(*bus);
}
