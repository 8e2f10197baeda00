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

/* What runs or has failed of the services that a stack's units may be called like, by their names alone: for
 * a stack whose files cannot be read. `others` are all stacks of the host, since "media-tv-web.service" is
 * the unit of "media-tv" if there is such a stack. Sorted. Returns as units_ask(). */
const char *units_running(Session *s, const char *stack, const char *const *others, size_t n_others,
                          UnitStatus **ret_rows, size_t *ret_n);
