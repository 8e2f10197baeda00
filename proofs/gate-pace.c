/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/gate-pace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PACE_DOUBLINGS_MAX = 9 }; /* 2^9 s is above the longest pause */

bool pace_parse(const char *text, Pace *ret) {
        Pace pace;
        int end = 0;

        if (sscanf(text, "%u %" SCNu64 " %32s%n", &pace.attempts, &pace.entered_usec, pace.tunnel, &end) !=
                    3 ||
            strcmp(text + end, "\n") != 0 || !id128_is_valid(pace.tunnel))
                return false;
        *ret = pace;
        return true;
}

char *pace_format(const Pace *pace) {
        return text_format("%u %" PRIu64 " %s\n", pace->attempts, pace->entered_usec, pace->tunnel);
}

void pace_look(Pace *pace, uint64_t entered_usec, uint64_t left_usec, const char *tunnel) {
        bool is_new = entered_usec != 0 && entered_usec != pace->entered_usec;

        if (strcmp(pace->tunnel, tunnel) != 0)
                pace->attempts = 0;
        if (is_new && left_usec > entered_usec && left_usec - entered_usec > PACE_LIVED_USEC)
                pace->attempts = 0;
        pace->entered_usec = entered_usec;
        (void) snprintf(pace->tunnel, sizeof(pace->tunnel), "%s", tunnel);
}

uint64_t pace_pause(const Pace *pace, uint32_t random) {
        unsigned doublings =
                pace->attempts - 1 < PACE_DOUBLINGS_MAX ? pace->attempts - 1 : PACE_DOUBLINGS_MAX;
        uint64_t pause;

        if (pace->attempts == 0)
                return 0;
        pause = USEC_PER_SEC << doublings;
        if (pause > PACE_PAUSE_MAX_USEC)
                pause = PACE_PAUSE_MAX_USEC;
        return pause + pause / 1000 * (random % 101);
}
