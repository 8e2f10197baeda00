/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/command/session.h"

/* What a compiled stack reads when it starts, that nobody makes, and that the host does not have: one warning
 * each ("missing-file") into its diagnostics. A compile does not look at the disk, so that what it makes
 * depends on the files of the stack alone; this is for the person who asks. Of another host (--facts) nothing
 * is known, and of one below --root not what appears at its boot. */
void missing_report(Session *s, Compiled *c);
