/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A file system is mounted (again) whose going has stopped the services that keep their data on it: they are
 * started, but for those that an operator has stopped, and none if the stack is not to run. Who is still on
 * its way down is waited for. */

#include <errno.h>
#include <string.h>
#include <syslog.h>

#include "proofs/bus.h"
#include "proofs/gate.h"
#include "proofs/handles.h"

#define MOUNTED_PAUSE_USEC (1 * USEC_PER_SEC)
#define MOUNTED_WAIT_USEC (120 * USEC_PER_SEC)

bool gate_unit_of_parse(const char *text, GateUnitOf *ret) {
        const char *colon = strchr(text, ':');
        GateUnitOf unit = { .unit = colon ? colon + 1 : "" };

        if (!colon || (size_t) (colon - text) >= sizeof(unit.subject))
                return false;
        memcpy(unit.subject, text, (size_t) (colon - text));
        if (!name_is_valid(unit.subject) || !unit_name_is_valid(unit.unit))
                return false;
        *ret = unit;
        return true;
}

/* -EDEADLK: something else is on its way for it. */
static int unit_begin(sd_bus *bus, const GateRequest *request, const char *text, bool anew) {
        GateUnitOf of;
        int r;

        if (!gate_unit_of_parse(text, &of))
                return -EINVAL;
        if (gate_held_exists(request, of.subject)) {
                gate_say(LOG_INFO, "%s is not started: it was stopped by hand", of.subject);
                return 0;
        }
        r = anew ? bus_unit_restart(bus, of.unit) : bus_unit_begin(bus, of.unit);
        if (r < 0 && r != -EDEADLK)
                gate_say(LOG_WARNING, "%s cannot be started: %s", of.unit, strerror(-r));
        return r;
}

/* How many of them are to be tried again; these stay in the list. */
static size_t list_begin(sd_bus *bus, const GateRequest *request, OptionList *list, bool anew) {
        size_t left = 0;

        for (size_t i = 0; i < list->n; i++)
                if (unit_begin(bus, request, list->items[i], anew) == -EDEADLK)
                        list->items[left++] = list->items[i];
        list->n = left;
        return left;
}

static int target_is_up(sd_bus *bus, const GateRequest *request) {
        UnitState target;
        int r;

        r = bus_unit_state(bus, request->target, &target);
        if (r < 0)
                return r;
        return target.loaded && strcmp(target.active, "active") == 0 && target.job[0] == '\0';
}

int gate_mounted(const GateRequest *request) {
        OptionList services = request->start, returns = request->bring_back;
        uint64_t deadline = time_monotonic_usec() + MOUNTED_WAIT_USEC;
        int r;

        for (;;) {
                CLEANUP(handle_bus) sd_bus *bus = NULL;
                size_t left = 1;

                /* Without an answer it is asked again: systemd may be away for a moment. */
                r = bus_open(&bus);
                if (r >= 0)
                        r = target_is_up(bus, request);
                if (r > 0)
                        left = list_begin(bus, request, &services, /* anew= */ false) +
                               list_begin(bus, request, &returns, /* anew= */ true);
                if (r == 0 || left == 0 || time_left_msec(deadline) == 0)
                        break;
                time_sleep_usec(MOUNTED_PAUSE_USEC);
        }
        if (r < 0)
                gate_say(LOG_WARNING, "cannot start what waits for the mount: %s", strerror(-r));
        for (size_t i = 0; r > 0 && i < services.n; i++)
                gate_say(LOG_WARNING, "%s is not started: something else is on its way for it",
                         services.items[i]);
        /* That it is mounted does not depend on that. */
        return 0;
}
