/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What is known of a running unit without asking an engine. */

#include "proofs/util.h"

typedef struct UnitFacts {
        char name[256];
        char invocation_id[ID128_TEXT_SIZE];
        char *cgroup; /* absolute directory below /sys/fs/cgroup, owned */
} UnitFacts;

/* InvocationID of the unit's current activation, from /run/systemd/units/invocation:UNIT, a link that
 * systemd keeps as long as the unit is not inactive. -ENOENT: not active. */
int unit_invocation(const char *unit, char ret[ID128_TEXT_SIZE]);

/* Directory of the unit's control group. Found below system.slice, else systemd is asked. -ENOENT: none. */
int unit_cgroup(const char *unit, char **ret);

int unit_read(const char *unit, UnitFacts *ret);
void unit_done(UnitFacts *unit);

/* Whether the unit is still in the activation that was read. */
bool unit_is_same(const UnitFacts *unit);
