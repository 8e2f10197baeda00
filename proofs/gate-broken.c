/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>
#include <syslog.h>

#include "proofs/gate.h"

/* What stands for a stack or a service that could not be made: the unit carries the compiler's message as its
 * standard input, and all there is to do is to say it where an operator looks, and to fail. */

enum { BROKEN_LINES_MAX = 1000 };

int gate_broken(const GateRequest *request) {
        unsigned lines = 0;
        char line[4096];

        (void) request;
        while (lines < BROKEN_LINES_MAX && fgets(line, sizeof(line), stdin)) {
                line[strcspn(line, "\n")] = '\0';
                if (line[0] == '\0')
                        continue;
                gate_say(LOG_ERR, "%s", line);
                lines++;
        }
        if (lines == 0)
                gate_say(LOG_ERR,
                         "this unit could not be made: see what unitproof-generator said in the journal");
        return 1;
}
