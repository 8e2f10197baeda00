/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* How long to wait before a client is started once more. The count of attempts outlives the process that
 * makes them, in RUN_DIR/STACK/.return-SUBJECT, so that a client that dies soon after each start is not
 * started without end. */

#include "proofs/util.h"

#define PACE_LIVED_USEC (60 * USEC_PER_SEC) /* active for longer: it was well, begin anew */
#define PACE_PAUSE_MAX_USEC (300 * USEC_PER_SEC)

enum { PACE_NOTE_MAX = 256 };

typedef struct Pace {
        unsigned attempts;            /* since the client was well, or the tunnel started */
        uint64_t entered_usec;        /* client's activation that was taken into account last */
        char tunnel[ID128_TEXT_SIZE]; /* tunnel's activation that the attempts belong to */
} Pace;

/* False: not a note of ours; *ret is then untouched. */
bool pace_parse(const char *text, Pace *ret);
char *pace_format(const Pace *pace);

/* Takes into account how long the client was active last (CLOCK_MONOTONIC, 0: never) and which activation of
 * the tunnel this is. Each activation of the client counts once. */
void pace_look(Pace *pace, uint64_t entered_usec, uint64_t left_usec, const char *tunnel);

/* Pause before the next attempt, in microseconds: none, 1 s, 2 s, 4 s, ... up to PACE_PAUSE_MAX_USEC, and up
 * to a tenth more as random says, so that not all clients come at once. */
uint64_t pace_pause(const Pace *pace, uint32_t random);
