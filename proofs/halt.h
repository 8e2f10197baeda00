/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "proofs/record.h"

/* Whoever finds a leak sees to it that the stack halts. OnFailure= starts the halt unit as well, but that
 * start is lost if it meets a run of that unit which has looked already, or a systemd that executes itself
 * anew. */

/* Starts the halt unit until it has dealt with the leak of this record, for a minute at most. If the record
 * lies in the directory of what runs, running says so. */
void halt_insist(const char *halt_unit, const char *run_dir, const Record *record, bool running);
