/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The few questions that are put to systemd itself (org.freedesktop.systemd1(5)), and the one request. */

#include <stdbool.h>
#include <stdint.h>
#include <systemd/sd-bus.h>

typedef struct UnitState {
        bool loaded;     /* false: systemd does not know it; the rest is then empty */
        char active[32]; /* "active", "inactive", ... */
        char job[32];    /* type of the queued or running job ("stop", "restart", ...), or "" */
} UnitState;

/* Talks to PID 1's own socket, which also works early at boot, late at shutdown and with no D-Bus daemon; if
 * there is none, to the system bus. */
int bus_open(sd_bus **ret);

/* A question as a whole, on a connection of its own: what ask returns. While systemd executes itself anew or
 * reads its units it is not there or does not answer; then the question is put again from its beginning, for
 * up to patience_usec. So ask must do no harm if it is called twice. */
int bus_ask(uint64_t patience_usec, int (*ask)(sd_bus *bus, void *userdata), void *userdata);

/* How long a question waits that has to be answered and that nobody puts a second time: longer than systemd
 * needs for its units on a slow host. */
#define BUS_PATIENCE_USEC (60 * UINT64_C(1000000))

int bus_unit_state(sd_bus *bus, const char *unit, UnitState *ret);

/* What a service does at the moment. */
typedef struct ServiceState {
        bool loaded;                      /* false: systemd does not know it; the rest is then empty */
        char active[32], sub[32];         /* "active", "exited"; see systemctl list-units */
        char result[32];                  /* "success", "exit-code", ...; "" if it is no service */
        char job[32];                     /* as above */
        uint32_t main_pid;                /* 0: none */
        uint64_t began_usec;              /* CLOCK_MONOTONIC of the last time its start began, that it */
        uint64_t entered_usec, left_usec; /* became active, and stopped being so; 0: never */
        uint64_t main_ended_usec;         /* and of the end of its main process; 0: it runs, or never did */
        int32_t main_code, main_status;   /* how that ended: si_code and si_status of sigaction(2) */
} ServiceState;

int bus_service_state(sd_bus *bus, const char *unit, ServiceState *ret);

/* CLOCK_MONOTONIC of the last time that the unit came to rest (inactive or failed); 0: never yet. */
int bus_unit_rested(sd_bus *bus, const char *unit, uint64_t *ret_usec);

/* Object path of a unit that systemd has loaded, owned by the caller. -ENOENT: it has not. */
int bus_unit_path(sd_bus *bus, const char *unit, char **ret);

/* Type of the queued or running job of the unit with this object path, or "". */
int bus_job_type(sd_bus *bus, const char *path, size_t size, char *ret);

/* ControlGroup= of a service or scope, "" if it has none now; owned by the caller. -ENOENT: no such unit. */
int bus_unit_cgroup(sd_bus *bus, const char *unit, char **ret);

/* Asks for a start of the unit and waits for its end. The job is refused (-EDEADLK) if one is queued that
 * contradicts it: a stop that somebody asked for is never taken back. ret: result of the job, "done",
 * "failed", "dependency", ... or "" if systemd forgot to tell. Other negative errnos: there was no job. */
int bus_unit_start(sd_bus *bus, const char *unit, size_t size, char *ret);

/* Asks for a restart of a unit that is active, and does not wait for it. -EDEADLK as above. */
int bus_unit_try_restart(sd_bus *bus, const char *unit);

/* The same of a start, and of a restart also of a unit that is not active. */
int bus_unit_begin(sd_bus *bus, const char *unit);
int bus_unit_restart(sd_bus *bus, const char *unit);

/* Of a stop, which takes the place of whatever is on its way for the unit. */
int bus_unit_stop(sd_bus *bus, const char *unit);

static inline void handle_bus_message(sd_bus_message **message) {
        *message = sd_bus_message_unref(*message);
}

static inline void handle_bus_error(sd_bus_error *error) {
        sd_bus_error_free(error);
}

static inline void handle_bus(sd_bus **bus) {
        *bus = sd_bus_flush_close_unref(*bus);
}
