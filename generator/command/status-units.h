/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/command/command.h"

/* What systemd says about a unit; all "unknown" if it cannot be asked. */
typedef struct UnitStatus {
        const char *unit;
        const char *load, *active, *sub; /* "loaded", "active", "running" */
} UnitStatus;

/* Fills the rows, whose `unit` is set, in one question (ListUnitsByNames() of org.freedesktop.systemd1(5)).
 * Returns NULL, or why systemd cannot be asked. */
const char *units_ask(Session *s, UnitStatus *rows, size_t n);
