/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A proof about something that runs already ("--again UNIT"): by a timer, after a change, by hand. It must
 * not disturb an honest start, so its records lie apart from those that gates read (RUN_DIR/STACK/running),
 * and nothing is written while it looks. */

#include "proofs/proof.h"

enum {
        EXIT_STATUS_DEALT_WITH = 4, /* failed, no leak: the unit is being restarted, through its proofs */
};

/* The activation of the service whose running is proved anew. */
typedef struct Again {
        const char *unit;
        char invocation_id[ID128_TEXT_SIZE];
} Again;

/* 1: the unit is active; 0: it is not, so that there is nothing to prove; or a negative errno. */
int again_begin(const char *unit, Again *ret);

/* Whether the unit is still in that activation and active. */
bool again_is_same(const Again *again);

/* Writes the record beside those of starts, with how many times in a row it was unproven. */
int again_record_write(const Again *again, const ProofRequest *request, Record *record, json_t *fields);

/* What follows: the exit status. Failed without a leak asks systemd to restart the unit, if it still runs and
 * nothing else is queued for it; a leak is for the halt unit, which the exit status 1 calls. */
int again_act(const Again *again, const Record *record);
