/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A file has changed (path unit). Nothing of it counts yet: units are made at a reload, and a service reads
 * its files when it starts. So the operator is told, with the command that lets it count; a tunnel whose
 * operator wants that is restarted, and its clients come back through new proofs. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <syslog.h>

#include "proofs/bus.h"
#include "proofs/gate.h"
#include "proofs/handles.h"
#include "proofs/message-ids.h"

enum { CHANGED_PATH_MAX = 400 };

static int tunnel_restart(const GateRequest *request, const char *path) {
        CLEANUP(handle_bus) sd_bus *bus = NULL;
        int r;

        r = bus_open(&bus);
        if (r >= 0)
                r = bus_unit_try_restart(bus, request->unit);
        if (r < 0) {
                gate_tell(request, LOG_ERR, MESSAGE_ID_INPUT_CHANGED,
                          "%s has changed, and %s cannot be restarted: %s. Do it with: systemctl restart %s",
                          path, request->unit, r == -EDEADLK ? "something else is on its way" : strerror(-r),
                          request->unit);
                return 1;
        }
        gate_tell(request, LOG_NOTICE, MESSAGE_ID_INPUT_CHANGED,
                  "%s has changed: %s is restarted, if it runs; its clients come back through new proofs",
                  path, request->unit);
        return 0;
}

int gate_changed(const GateRequest *request) {
        /* systemd says which of them it was, from 252 on (systemd.exec(5)). */
        const char *trigger = getenv("TRIGGER_PATH");
        CLEANUP(handle_free) char *path = text_printable(trigger ?: "a file of it", CHANGED_PATH_MAX);

        if (!path)
                return 1;
        if (request->restart)
                return tunnel_restart(request, path);
        if (request->unit)
                gate_tell(
                        request, LOG_NOTICE, MESSAGE_ID_INPUT_CHANGED,
                        "%s has changed: %s still runs with what it read at its start, and egress is proved "
                        "anew. Let it count with: systemctl restart %s",
                        path, request->unit, request->unit);
        else
                gate_tell(
                        request, LOG_NOTICE, MESSAGE_ID_INPUT_CHANGED,
                        "%s has changed: the units of stack %s are made from what it held before. See with: "
                        "unitproof diff %s. Let it count with: systemctl daemon-reload, then unitproof "
                        "restart %s",
                        path, request->stack, request->stack, request->stack);
        return 0;
}
