/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/bus.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <systemd/sd-daemon.h>

#include "proofs/handles.h"
#include "proofs/util.h"

#define MANAGER "org.freedesktop.systemd1"

/* Between two times that a question is put. */
#define BUS_PAUSE_USEC (200 * USEC_PER_MSEC)

static int bus_open_private(sd_bus **ret) {
        CLEANUP(handle_bus) sd_bus *bus = NULL;
        int r;

        r = sd_bus_new(&bus);
        if (r < 0)
                return r;
        r = sd_bus_set_address(bus, "unix:path=/run/systemd/private");
        if (r < 0)
                return r;
        r = sd_bus_start(bus);
        if (r < 0)
                return r;
        (void) sd_bus_set_method_call_timeout(bus, 5 * USEC_PER_SEC);
        *ret = handle_take(bus);
        return 0;
}

int bus_open(sd_bus **ret) {
        if (bus_open_private(ret) >= 0)
                return 0;
        return sd_bus_open_system(ret);
}

/* What a connection ends in when systemd is away for a moment, at its own socket and behind the bus. */
static bool is_passing(int error) {
        static const int passing[] = {
                -ECONNREFUSED, -ECONNRESET, -ENOTCONN, -EPIPE, -ETIMEDOUT, -EAGAIN, -EHOSTUNREACH,
        };

        for (size_t i = 0; i < ARRAY_LENGTH(passing); i++)
                if (error == passing[i])
                        return true;
        return false;
}

int bus_ask(uint64_t patience_usec, int (*ask)(sd_bus *bus, void *userdata), void *userdata) {
        uint64_t deadline = time_monotonic_usec() + patience_usec;

        for (;;) {
                CLEANUP(handle_bus) sd_bus *bus = NULL;
                bool passing;
                int r;

                r = bus_open(&bus);
                passing = r < 0 && sd_booted() > 0; /* its socket is away as well */
                if (r >= 0) {
                        r = ask(bus, userdata);
                        passing = is_passing(r);
                }
                if (!passing || time_left_msec(deadline) == 0)
                        return r;
                time_sleep_usec(BUS_PAUSE_USEC);
        }
}

int bus_unit_path(sd_bus *bus, const char *unit, char **ret) {
        CLEANUP(handle_bus_message) sd_bus_message *reply = NULL;
        CLEANUP(handle_bus_error) sd_bus_error error = SD_BUS_ERROR_NULL;
        const char *path;
        int r;

        r = sd_bus_call_method(bus, MANAGER, "/org/freedesktop/systemd1", MANAGER ".Manager", "GetUnit",
                               &error, &reply, "s", unit);
        if (r < 0)
                return sd_bus_error_has_name(&error, MANAGER ".NoSuchUnit") ? -ENOENT : r;
        r = sd_bus_message_read(reply, "o", &path);
        if (r < 0)
                return r;
        *ret = strdup(path);
        return *ret ? 0 : -ENOMEM;
}

/* Unit property Job: (id, path); id 0 means none. The job may end between two calls: then it is none. */
int bus_job_type(sd_bus *bus, const char *path, size_t size, char *ret) {
        CLEANUP(handle_bus_message) sd_bus_message *reply = NULL;
        CLEANUP(handle_bus_error) sd_bus_error error = SD_BUS_ERROR_NULL;
        CLEANUP(handle_free) char *type = NULL;
        const char *job_path;
        uint32_t id;
        int r;

        r = sd_bus_get_property(bus, MANAGER, path, MANAGER ".Unit", "Job", NULL, &reply, "(uo)");
        if (r < 0)
                return r;
        r = sd_bus_message_read(reply, "(uo)", &id, &job_path);
        if (r < 0)
                return r;
        if (id != 0) {
                r = sd_bus_get_property_string(bus, MANAGER, job_path, MANAGER ".Job", "JobType", &error,
                                               &type);
                if (r < 0 && !sd_bus_error_has_name(&error, SD_BUS_ERROR_UNKNOWN_OBJECT))
                        return r;
        }
        (void) snprintf(ret, size, "%s", type ?: "");
        return 0;
}

int bus_unit_state(sd_bus *bus, const char *unit, UnitState *ret) {
        CLEANUP(handle_free) char *path = NULL, *active = NULL;
        UnitState state = { .loaded = true };
        int r;

        r = bus_unit_path(bus, unit, &path);
        if (r == -ENOENT) {
                *ret = (UnitState){ .loaded = false };
                return 0;
        }
        if (r < 0)
                return r;
        r = sd_bus_get_property_string(bus, MANAGER, path, MANAGER ".Unit", "ActiveState", NULL, &active);
        if (r < 0)
                return r;
        (void) snprintf(state.active, sizeof(state.active), "%s", active);
        r = bus_job_type(bus, path, sizeof(state.job), state.job);
        if (r < 0)
                return r;
        *ret = state;
        return 0;
}

int bus_unit_cgroup(sd_bus *bus, const char *unit, char **ret) {
        CLEANUP(handle_free) char *path = NULL;
        const char *dot = strrchr(unit, '.');
        int r;

        r = bus_unit_path(bus, unit, &path);
        if (r < 0)
                return r;
        return sd_bus_get_property_string(
                bus, MANAGER, path, dot && strcmp(dot, ".scope") == 0 ? MANAGER ".Scope" : MANAGER ".Service",
                "ControlGroup", NULL, ret);
}
