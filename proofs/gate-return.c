/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Brings a client back, after its tunnel has started or after it ended itself. One process does all attempts
 * of one time, so that there is always something that `systemctl stop CLIENT` ends with the client (PartOf=)
 * and whose end can be noted ("stopped"). A start is asked for only if nothing is queued against it: a stop
 * wins. */

#include <errno.h>
#include <string.h>
#include <sys/random.h>
#include <syslog.h>

#include "proofs/bus.h"
#include "proofs/gate.h"
#include "proofs/gate-pace.h"
#include "proofs/handles.h"
#include "proofs/unit.h"

/* How often the world is looked at, during a pause and while the tunnel or the client is coming. */
#define RETURN_LOOK_USEC (5 * USEC_PER_SEC)
#define RETURN_COMING_USEC (1 * USEC_PER_SEC)

typedef enum Look {
        LOOK_GO,      /* the client is down and its tunnel is up */
        LOOK_WAIT,    /* the tunnel is coming, or the client: to ask now would only run proofs once more */
        LOOK_DONE,    /* nothing is to be done any more */
        LOOK_UNCLEAR, /* systemd does not tell */
} Look;

static int say_done(const GateRequest *request, const char *what, const char *why) {
        gate_say(LOG_INFO, "%s is not started: %s %s", request->subject, what, why);
        return LOOK_DONE;
}

static bool is_up(const char *active) {
        return strcmp(active, "active") == 0 || strcmp(active, "reloading") == 0 ||
               strcmp(active, "refreshing") == 0;
}

static bool is_starting_job(const char *job) {
        return strcmp(job, "start") == 0 || strcmp(job, "restart") == 0;
}

/* A start of the client would mount what somebody has unmounted, or start a service that somebody has stopped
 * and that stops the client too. Who brings that up starts this anew. */
static int ground_look(const GateRequest *request, sd_bus *bus) {
        Look look = LOOK_GO;

        for (size_t i = 0; i < request->stands_on.n; i++) {
                UnitState ground;
                int r = bus_unit_state(bus, request->stands_on.items[i], &ground);

                if (r < 0)
                        return r;
                if (ground.loaded && is_up(ground.active) && strcmp(ground.job, "stop") != 0)
                        continue;
                if (!ground.loaded ||
                    (strcmp(ground.active, "activating") != 0 && !is_starting_job(ground.job)))
                        return say_done(request, request->stands_on.items[i],
                                        "is not active; it starts with that");
                look = LOOK_WAIT;
        }
        return look;
}

/* A tunnel that is on its way down for no job's sake has crashed, and comes back or comes to rest. */
static int tunnel_look(const GateRequest *request, sd_bus *bus) {
        UnitState tunnel;
        int r;

        r = bus_unit_state(bus, request->tunnel_unit, &tunnel);
        if (r < 0)
                return r;
        if (strcmp(tunnel.job, "stop") == 0)
                return say_done(request, request->tunnel_unit, "is being stopped; it starts with its tunnel");
        if (is_starting_job(tunnel.job))
                return LOOK_WAIT;
        if (is_up(tunnel.active))
                return ground_look(request, bus);
        if (strcmp(tunnel.active, "activating") == 0 || strcmp(tunnel.active, "deactivating") == 0)
                return LOOK_WAIT;
        return say_done(request, request->tunnel_unit, "is not active; it starts with its tunnel");
}

/* Somebody else starts the client: an operator, the target, systemd after the tunnel's restart. An earlier
 * stop by hand is over with that, whatever comes of it. Nobody but this process says so, and a stop of the
 * client ends it before that stop is noted. */
static int look_through(const GateRequest *request, sd_bus *bus, ServiceState *ret_client) {
        ServiceState client;
        int r;

        r = bus_service_state(bus, request->unit, &client);
        if (r < 0)
                return r;
        *ret_client = client;
        if (!client.loaded)
                return say_done(request, request->unit, "is not known to systemd");
        if (is_starting_job(client.job))
                gate_held_lift(request);
        if (client.job[0] != '\0')
                return LOOK_WAIT;
        if (gate_held_exists(request, request->subject))
                return say_done(request, "it", "was stopped by hand");
        if (is_up(client.active))
                return say_done(request, request->unit, "is active already");
        return tunnel_look(request, bus);
}

/* With a connection, unless it is unclear. */
static Look look(const GateRequest *request, sd_bus **ret_bus, ServiceState *ret_client) {
        CLEANUP(handle_bus) sd_bus *bus = NULL;
        int r;

        r = bus_open(&bus);
        if (r >= 0)
                r = look_through(request, bus, ret_client);
        if (r < 0) {
                gate_say(LOG_WARNING, "systemd does not tell the state of %s: %s", request->unit,
                         strerror(-r));
                return LOOK_UNCLEAR;
        }
        *ret_bus = handle_take(bus);
        return (Look) r;
}

static int pace_file(const GateRequest *request, int *ret_fd, char **ret_name) {
        char *name = text_format(".return-%s", request->subject);
        int r;

        if (!name)
                return -ENOMEM;
        r = record_dir_create(request->run_dir, request->stack, ret_fd);
        if (r < 0) {
                free(name);
                return r;
        }
        *ret_name = name;
        return 0;
}

/* What cannot be read counts as no attempt; pauses within this process still grow. */
static void pace_read(const GateRequest *request, Pace *ret) {
        CLEANUP(handle_close) int fd = -1;
        CLEANUP(handle_free) char *name = NULL, *text = NULL;

        if (pace_file(request, &fd, &name) >= 0 && file_read_at(fd, name, PACE_NOTE_MAX, &text, NULL) >= 0)
                (void) pace_parse(text, ret);
}

static void pace_write(const GateRequest *request, const Pace *pace) {
        CLEANUP(handle_close) int fd = -1;
        CLEANUP(handle_free) char *name = NULL, *text = pace_format(pace);
        int r;

        r = pace_file(request, &fd, &name);
        if (r >= 0)
                r = text ? file_replace_at(fd, name, text, strlen(text)) : -ENOMEM;
        if (r < 0)
                gate_say(LOG_WARNING, "cannot note the attempts for %s: %s", request->subject, strerror(-r));
}

/* True if the tunnel has been started since: no pause is to be made then. */
static bool pace_update(const GateRequest *request, const ServiceState *client, Pace *pace) {
        char tunnel[ID128_TEXT_SIZE] = "";
        bool is_new;

        if (unit_invocation(request->tunnel_unit, tunnel) < 0)
                return false;
        is_new = strcmp(tunnel, pace->tunnel) != 0;
        pace_look(pace, client->entered_usec, client->left_usec, tunnel);
        return is_new;
}

/* Sleeps, and looks meanwhile whether there is still a reason to. LOOK_GO: with a connection. */
static Look turn_await(const GateRequest *request, Pace *pace, uint64_t pause, sd_bus **ret_bus) {
        uint64_t deadline = time_monotonic_usec() + pause;

        for (;;) {
                CLEANUP(handle_bus) sd_bus *bus = NULL;
                ServiceState client = { .loaded = false };
                Look seen = look(request, &bus, &client);
                uint64_t left, nap = RETURN_LOOK_USEC;

                if (seen == LOOK_DONE)
                        return LOOK_DONE;
                if (seen == LOOK_GO && pace_update(request, &client, pace))
                        deadline = 0;
                left = (uint64_t) time_left_msec(deadline) * USEC_PER_MSEC;
                if (left == 0 && seen == LOOK_GO)
                        *ret_bus = handle_take(bus);
                if (left == 0 && seen != LOOK_WAIT)
                        return seen;
                if (seen == LOOK_WAIT)
                        nap = RETURN_COMING_USEC;
                else if (left < nap)
                        nap = left;
                time_sleep_usec(nap);
        }
}

static uint64_t pause_next(const Pace *pace) {
        uint32_t random = 0;

        (void) getrandom(&random, sizeof(random), GRND_NONBLOCK);
        return pace_pause(pace, random);
}

static void say_failed(const GateRequest *request, int r, const char *result, const Pace *pace,
                       uint64_t pause) {
        const char *why = result[0] ? result : "result unknown";

        if (r == -EDEADLK)
                why = "a stop is on its way";
        else if (r < 0)
                why = strerror(-r);
        gate_say(LOG_NOTICE,
                 "%s did not start (attempt %u): %s; next attempt in %.1f s. See: systemctl status %s",
                 request->subject, pace->attempts, why, (double) pause / USEC_PER_SEC, request->unit);
}

int gate_return(const GateRequest *request) {
        Pace pace = { .attempts = 0 };
        uint64_t pause = 0;

        pace_read(request, &pace);
        for (bool first = true;; first = false) {
                CLEANUP(handle_bus) sd_bus *bus = NULL;
                char result[32] = "";
                Look seen;
                int r;

                seen = turn_await(request, &pace, pause, &bus);
                if (seen == LOOK_DONE)
                        return 0;
                pause = pause_next(&pace);
                if (first && pause > 0) {
                        gate_say(LOG_NOTICE, "%s ended soon after its start; next attempt in %.1f s",
                                 request->subject, (double) pause / USEC_PER_SEC);
                        continue;
                }
                pace.attempts++;
                pace_write(request, &pace);
                r = bus ? bus_unit_start(bus, request->unit, sizeof(result), result) : -ENOTCONN;
                if (r >= 0 && strcmp(result, "done") == 0) {
                        gate_say(LOG_INFO, "%s is started again (attempt %u)", request->subject,
                                 pace.attempts);
                        return 0;
                }
                pause = pause_next(&pace);
                say_failed(request, r, result, &pace, pause);
        }
}
