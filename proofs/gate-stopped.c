/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* After a client stopped, or a service that stands on a mount: did somebody stop it on purpose? Then it is to
 * stay stopped, and a mark says so to the unit that would bring it back. Every other reason (the tunnel or
 * the mount went down, the target is being stopped, it crashed, it is being restarted) leaves no mark.
 *
 * A client that is down and waits for the next attempt runs no ExecStopPost= of its own when it is stopped,
 * and its stop job is over at once. So the unit that brings it back, which runs as long as somebody wants the
 * client and which such a stop ends too (PartOf=), calls this with the client's name and asks for its own
 * job. */

#include <errno.h>
#include <string.h>
#include <syslog.h>
#include <systemd/sd-login.h>

#include "proofs/bus.h"
#include "proofs/gate.h"
#include "proofs/handles.h"

typedef struct Stop {
        const GateRequest *request;
        ServiceState service, caller; /* caller: the unit that brings it back, if that is who asks */
        uint64_t rested_usec;         /* last end of the service */
} Stop;

static bool is_job(const ServiceState *state, const char *job) {
        return strcmp(state->job, job) == 0;
}

static bool is_active(const ServiceState *state, const char *active) {
        return strcmp(state->active, active) == 0;
}

/* What the service stands on stops it by its own stop, or by going: then it has gone first, and may be back
 * before the service has come to rest. What goes while the service is on its way down already was not what
 * stopped it. A restart of it would be one of the service. */
static bool has_taken_along(const ServiceState *ground, const ServiceState *service) {
        bool went_while_it_ran = ground->left_usec > service->began_usec;
        bool was_first = service->left_usec <= service->began_usec || ground->left_usec <= service->left_usec;

        return !ground->loaded || is_job(ground, "stop") || (went_while_it_ran && was_first);
}

/* A service that is at rest is not taken along by what goes, only by a stop or restart of it. A stop that is
 * over leaves it at rest. */
static bool has_been_stopped(const ServiceState *ground) {
        if (!ground->loaded || is_job(ground, "stop") || is_job(ground, "restart"))
                return true;
        return !is_job(ground, "start") && (is_active(ground, "inactive") || is_active(ground, "failed"));
}

/* A stop of the target stops the tunnel too, which is seen there: with a target that is down, or not up yet,
 * clients are started and stopped by hand as well. All others come back only while it is up. */
static bool target_has_been_stopped(const ServiceState *target, bool has_tunnel) {
        return is_job(target, "stop") || is_job(target, "restart") ||
               (!has_tunnel && has_been_stopped(target));
}

static int ground_is_the_reason(sd_bus *bus, const Stop *stop, const char *unit, bool own) {
        ServiceState ground;
        int r;

        r = bus_service_state(bus, unit, &ground);
        if (r < 0)
                return r;
        return own ? has_taken_along(&ground, &stop->service) : has_been_stopped(&ground);
}

/* own: it is the service that is stopped, not just the unit that brings it back. */
static int other_is_the_reason(sd_bus *bus, const Stop *stop, bool own) {
        const GateRequest *request = stop->request;
        ServiceState target;
        int r = 0;

        if (request->tunnel_unit)
                r = ground_is_the_reason(bus, stop, request->tunnel_unit, own);
        for (size_t i = 0; i < request->stands_on.n && r == 0; i++)
                r = ground_is_the_reason(bus, stop, request->stands_on.items[i], own);
        if (r != 0 || !request->target)
                return r;
        r = bus_service_state(bus, request->target, &target);
        return r < 0 ? r : target_has_been_stopped(&target, request->tunnel_unit);
}

/* The unit this process was started by, if that is another one than the service's. */
static int caller_read(sd_bus *bus, const GateRequest *request, ServiceState *ret) {
        CLEANUP(handle_free) char *unit = NULL;

        if (sd_pid_get_unit(0, &unit) < 0 || strcmp(unit, request->unit) == 0) {
                *ret = (ServiceState){ .loaded = false };
                return 0;
        }
        return bus_service_state(bus, unit, ret);
}

/* Only then has the stop met the caller alone: what stops a service that is not at rest is asked by the
 * service itself. */
static bool was_at_rest(const Stop *stop) {
        return stop->rested_usec <= stop->caller.left_usec || stop->rested_usec <= stop->caller.began_usec;
}

/* 1: it is. */
static int stop_is_explicit(sd_bus *bus, void *userdata) {
        Stop stop = { .request = userdata };
        bool own;
        int r;

        r = bus_service_state(bus, stop.request->unit, &stop.service);
        if (r >= 0)
                r = bus_unit_rested(bus, stop.request->unit, &stop.rested_usec);
        if (r >= 0)
                r = caller_read(bus, stop.request, &stop.caller);
        if (r < 0)
                return r;
        own = is_job(&stop.service, "stop");
        if (!own && !(is_job(&stop.caller, "stop") && was_at_rest(&stop)))
                return 0;
        r = other_is_the_reason(bus, &stop, own);
        return r < 0 ? r : !r;
}

int gate_stopped(const GateRequest *request) {
        int r;

        r = bus_ask(BUS_PATIENCE_USEC, stop_is_explicit, (void *) request);
        if (r > 0) {
                r = gate_held_write(request);
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
