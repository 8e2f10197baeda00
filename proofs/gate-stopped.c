/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* After a client stopped, or a service that stands on a mount: did somebody stop it on purpose? Then it is to
 * stay stopped, and a mark says so to the unit that would bring it back. Every other reason (the tunnel or
 * the mount went down, the target is being stopped, it crashed, it is being restarted) leaves no mark.
 *
 * A client that is down and waits for the next attempt runs no ExecStopPost= of its own when it is stopped,
 * and its stop job is over at once. So the unit that brings it back, which such a stop ends too (PartOf=),
 * calls this with the client's name and asks for its own job. */

#include <errno.h>
#include <string.h>
#include <syslog.h>
#include <systemd/sd-login.h>

#include "proofs/bus.h"
#include "proofs/gate.h"
#include "proofs/handles.h"

/* "Quiet": up, and nothing on its way that would stop or restart it, and this unit with it. */
static bool is_quiet(const UnitState *state) {
        return state->loaded && strcmp(state->active, "active") == 0 && state->job[0] == '\0';
}

/* Up or on its way up. A tunnel that is being stopped or restarted does that to the caller too. */
static bool is_not_falling(const UnitState *state) {
        return (strcmp(state->active, "active") == 0 || strcmp(state->active, "activating") == 0) &&
               (state->job[0] == '\0' || strcmp(state->job, "start") == 0);
}

static int state_read(sd_bus *bus, const char *unit, UnitState *ret) {
        if (!unit) {
                *ret = (UnitState){ .loaded = true, .active = "active" };
                return 0;
        }
        return bus_unit_state(bus, unit, ret);
}

/* The unit this process was started by, if that is another one than the client's: its job. */
static int caller_read(sd_bus *bus, const GateRequest *request, UnitState *ret) {
        CLEANUP(handle_free) char *unit = NULL;

        if (sd_pid_get_unit(0, &unit) < 0 || strcmp(unit, request->unit) == 0) {
                *ret = (UnitState){ .loaded = false };
                return 0;
        }
        return bus_unit_state(bus, unit, ret);
}

/* A mount that goes takes a running service along, and may be back before that has come to rest. One that
 * goes while the service is on its way down already was not what stopped it. */
static bool has_taken_along(const ServiceState *mount, const ServiceState *service) {
        bool went_while_it_ran = mount->left_usec > service->began_usec;
        bool was_first = service->left_usec <= service->began_usec || mount->left_usec <= service->left_usec;

        return !mount->loaded || mount->job[0] != '\0' || (went_while_it_ran && was_first);
}

static bool is_missing(const ServiceState *mount) {
        return !mount->loaded || mount->job[0] != '\0' || strcmp(mount->active, "active") != 0;
}

/* own: of the service, if it is that which is stopped; NULL: the unit that brings it back. */
static int mounts_are_the_reason(sd_bus *bus, const GateRequest *request, const ServiceState *own) {
        for (size_t i = 0; i < request->mounts.n; i++) {
                ServiceState mount;
                int r = bus_service_state(bus, request->mounts.items[i], &mount);

                if (r < 0)
                        return r;
                if (own ? has_taken_along(&mount, own) : is_missing(&mount))
                        return 1;
        }
        return 0;
}

static int stop_is_explicit(const GateRequest *request) {
        CLEANUP(handle_bus) sd_bus *bus = NULL;
        ServiceState own;
        UnitState caller, tunnel, target;
        bool is_own = false;
        int r;

        r = bus_open(&bus);
        if (r >= 0)
                r = bus_service_state(bus, request->unit, &own);
        if (r >= 0)
                r = caller_read(bus, request, &caller);
        if (r >= 0)
                r = state_read(bus, request->tunnel_unit, &tunnel);
        if (r >= 0)
                r = state_read(bus, request->target, &target);
        if (r >= 0) {
                is_own = strcmp(own.job, "stop") == 0;
                r = mounts_are_the_reason(bus, request, is_own ? &own : NULL);
        }
        if (r != 0)
                return r < 0 ? r : 0;
        if (is_own)
                return is_quiet(&tunnel) && is_quiet(&target);
        return strcmp(caller.job, "stop") == 0 && is_not_falling(&tunnel) && is_quiet(&target);
}

static int held_write(const GateRequest *request) {
        CLEANUP(handle_close) int dir_fd = -1;
        CLEANUP(handle_free) char *name = record_held_name(request->subject), *text = NULL;
        const char *invocation = getenv("INVOCATION_ID");
        int r;

        text = text_format("%s\n", invocation && id128_is_valid(invocation) ? invocation : "-");
        if (!name || !text)
                return -ENOMEM;
        r = record_dir_create(request->run_dir, request->stack, &dir_fd);
        return r < 0 ? r : file_replace_at(dir_fd, name, text, strlen(text));
}

int gate_stopped(const GateRequest *request) {
        int r;

        r = stop_is_explicit(request);
        if (r > 0) {
                r = held_write(request);
                if (r >= 0)
                        gate_say(LOG_INFO, "%s was stopped by hand and stays so until it is started by hand",
                                 request->subject);
        }
        /* The stop itself went well, whatever we know of it. */
        if (r < 0)
                gate_say(LOG_WARNING,
                         "cannot tell whether %s was stopped by hand, it may be started again: %s",
                         request->subject, strerror(-r));
        return 0;
}
