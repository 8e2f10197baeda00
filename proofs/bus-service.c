/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "proofs/bus.h"
#include "proofs/handles.h"
#include "proofs/util.h"

#define MANAGER "org.freedesktop.systemd1"
#define MANAGER_PATH "/org/freedesktop/systemd1"

/* How long to wait for word of a job before looking whether it still exists. */
#define JOB_LOOK_USEC (5 * USEC_PER_SEC)

static int read_text(sd_bus *bus, const char *path, const char *interface, const char *name, size_t size,
                     char *ret) {
        CLEANUP(handle_free) char *text = NULL;
        int r;

        r = sd_bus_get_property_string(bus, MANAGER, path, interface, name, NULL, &text);
        if (r < 0)
                return r;
        (void) snprintf(ret, size, "%s", text);
        return 0;
}

static int read_number(sd_bus *bus, const char *path, const char *name, uint64_t *ret) {
        return sd_bus_get_property_trivial(bus, MANAGER, path, MANAGER ".Unit", name, NULL, 't', ret);
}

/* What only a service has. */
static int read_service(sd_bus *bus, const char *path, ServiceState *s) {
        const struct {
                const char *name;
                char type;
                void *ret;
        } numbers[] = {
                { "MainPID", 'u', &s->main_pid },
                { "ExecMainExitTimestampMonotonic", 't', &s->main_ended_usec },
                { "ExecMainCode", 'i', &s->main_code },
                { "ExecMainStatus", 'i', &s->main_status },
        };
        int r;

        r = read_text(bus, path, MANAGER ".Service", "Result", sizeof(s->result), s->result);
        for (size_t i = 0; r >= 0 && i < ARRAY_LENGTH(numbers); i++)
                r = sd_bus_get_property_trivial(bus, MANAGER, path, MANAGER ".Service", numbers[i].name, NULL,
                                                numbers[i].type, numbers[i].ret);
        return r;
}

int bus_unit_rested(sd_bus *bus, const char *unit, uint64_t *ret_usec) {
        CLEANUP(handle_free) char *path = NULL;
        int r;

        r = bus_unit_path(bus, unit, &path);
        return r < 0 ? r : read_number(bus, path, "InactiveEnterTimestampMonotonic", ret_usec);
}

static bool is_service(const char *unit) {
        const char *dot = strrchr(unit, '.');

        return dot && strcmp(dot, ".service") == 0;
}

int bus_service_state(sd_bus *bus, const char *unit, ServiceState *ret) {
        CLEANUP(handle_free) char *path = NULL;
        ServiceState s = { .loaded = true };
        int r;

        r = bus_unit_path(bus, unit, &path);
        if (r == -ENOENT) {
                *ret = (ServiceState){ .loaded = false };
                return 0;
        }
        if (r >= 0)
                r = read_text(bus, path, MANAGER ".Unit", "ActiveState", sizeof(s.active), s.active);
        if (r >= 0)
                r = read_text(bus, path, MANAGER ".Unit", "SubState", sizeof(s.sub), s.sub);
        if (r >= 0)
                r = read_number(bus, path, "InactiveExitTimestampMonotonic", &s.began_usec);
        if (r >= 0)
                r = read_number(bus, path, "ActiveEnterTimestampMonotonic", &s.entered_usec);
        if (r >= 0)
                r = read_number(bus, path, "ActiveExitTimestampMonotonic", &s.left_usec);
        if (r >= 0 && is_service(unit))
                r = read_service(bus, path, &s);
        if (r >= 0)
                r = bus_job_type(bus, path, sizeof(s.job), s.job);
        if (r < 0)
                return r;
        *ret = s;
        return 0;
}

typedef struct JobWatch {
        const char *path; /* of the job; NULL: not known yet */
        char result[32];
        bool ended;
} JobWatch;

/* JobRemoved(u id, o job, s unit, s result) */
static int on_job_removed(sd_bus_message *message, void *userdata, sd_bus_error *error) {
        JobWatch *watch = userdata;
        const char *path, *unit, *result;
        uint32_t id;

        (void) error;
        if (sd_bus_message_read(message, "uoss", &id, &path, &unit, &result) < 0 || !watch->path ||
            strcmp(path, watch->path) != 0)
                return 0;
        (void) snprintf(watch->result, sizeof(watch->result), "%s", result);
        watch->ended = true;
        return 0;
}

static int job_exists(sd_bus *bus, const char *path) {
        CLEANUP(handle_bus_error) sd_bus_error error = SD_BUS_ERROR_NULL;
        CLEANUP(handle_free) char *state = NULL;
        int r;

        r = sd_bus_get_property_string(bus, MANAGER, path, MANAGER ".Job", "State", &error, &state);
        if (r < 0 && sd_bus_error_has_name(&error, SD_BUS_ERROR_UNKNOWN_OBJECT))
                return 0;
        return r < 0 ? r : 1;
}

static int job_wait(sd_bus *bus, JobWatch *watch) {
        int r;

        while (!watch->ended) {
                r = sd_bus_process(bus, NULL);
                if (r < 0)
                        return r;
                if (r > 0)
                        continue;
                r = sd_bus_wait(bus, JOB_LOOK_USEC);
                if (r < 0 && r != -EINTR)
                        return r;
                if (r > 0)
                        continue;
                r = job_exists(bus, watch->path);
                if (r < 0)
                        return r;
                if (r == 0) { /* the word of its end may wait in the queue */
                        while ((r = sd_bus_process(bus, NULL)) > 0)
                                ;
                        return r;
                }
        }
        return 0;
}

static int start_refused(const sd_bus_error *error, int r) {
        static const char *const contradictions[] = {
                MANAGER ".TransactionIsDestructive",
                MANAGER ".TransactionJobsConflicting",
                MANAGER ".ShuttingDown",
        };

        for (size_t i = 0; i < ARRAY_LENGTH(contradictions); i++)
                if (sd_bus_error_has_name(error, contradictions[i]))
                        return -EDEADLK;
        return sd_bus_error_has_name(error, MANAGER ".NoSuchUnit") ? -ENOENT : r;
}

int bus_unit_start(sd_bus *bus, const char *unit, size_t size, char *ret) {
        CLEANUP(handle_bus_message) sd_bus_message *reply = NULL;
        CLEANUP(handle_bus_error) sd_bus_error error = SD_BUS_ERROR_NULL;
        sd_bus_slot *slot = NULL;
        JobWatch watch = { .ended = false };
        int r;

        r = sd_bus_match_signal(bus, &slot, NULL, MANAGER_PATH, MANAGER ".Manager", "JobRemoved",
                                on_job_removed, &watch);
        if (r < 0)
                return r;
        /* On its own socket systemd tells everybody; through the bus only those who asked. */
        (void) sd_bus_call_method(bus, MANAGER, MANAGER_PATH, MANAGER ".Manager", "Subscribe", NULL, NULL,
                                  NULL);
        r = sd_bus_call_method(bus, MANAGER, MANAGER_PATH, MANAGER ".Manager", "StartUnit", &error, &reply,
                               "ss", unit, "fail");
        if (r < 0)
                r = start_refused(&error, r);
        else
                r = sd_bus_message_read(reply, "o", &watch.path);
        if (r >= 0)
                r = job_wait(bus, &watch);
        (void) sd_bus_slot_unref(slot);
        if (r < 0)
                return r;
        (void) snprintf(ret, size, "%s", watch.result);
        return 0;
}

/* A job that is not waited for. */
static int job_begin(sd_bus *bus, const char *method, const char *unit, const char *mode) {
        CLEANUP(handle_bus_error) sd_bus_error error = SD_BUS_ERROR_NULL;
        int r;

        r = sd_bus_call_method(bus, MANAGER, MANAGER_PATH, MANAGER ".Manager", method, &error, NULL, "ss",
                               unit, mode);
        return r < 0 ? start_refused(&error, r) : 0;
}

int bus_unit_try_restart(sd_bus *bus, const char *unit) {
        return job_begin(bus, "TryRestartUnit", unit, "fail");
}

int bus_unit_begin(sd_bus *bus, const char *unit) {
        return job_begin(bus, "StartUnit", unit, "fail");
}

int bus_unit_restart(sd_bus *bus, const char *unit) {
        return job_begin(bus, "RestartUnit", unit, "fail");
}

int bus_unit_stop(sd_bus *bus, const char *unit) {
        return job_begin(bus, "StopUnit", unit, "replace");
}
