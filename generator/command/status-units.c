/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/command/status-units.h"

#include <string.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>

static void close_busp(sd_bus **bus) {
        *bus = sd_bus_flush_close_unref(*bus);
}

static void free_messagep(sd_bus_message **m) {
        *m = sd_bus_message_unref(*m);
}

static void set_row(Session *s, UnitStatus *rows, size_t n, const char *unit, const char *load,
                    const char *active, const char *sub) {
        for (size_t i = 0; i < n; i++)
                if (strcmp(rows[i].unit, unit) == 0) {
                        rows[i].load = arena_strdup(s->arena, load);
                        rows[i].active = arena_strdup(s->arena, active);
                        rows[i].sub = arena_strdup(s->arena, sub);
                }
}

static int ask(sd_bus *bus, const UnitStatus *rows, size_t n, sd_bus_message **ret_reply) {
        __attribute__((cleanup(free_messagep))) sd_bus_message *m = NULL;
        int r;

        r = sd_bus_message_new_method_call(bus, &m, "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
                                           "org.freedesktop.systemd1.Manager", "ListUnitsByNames");
        if (r >= 0)
                r = sd_bus_message_open_container(m, 'a', "s");
        for (size_t i = 0; r >= 0 && i < n; i++)
                r = sd_bus_message_append(m, "s", rows[i].unit);
        if (r >= 0)
                r = sd_bus_message_close_container(m);
        if (r >= 0)
                r = sd_bus_call(bus, m, /* usec= */ 10 * 1000 * 1000, /* ret_error= */ NULL, ret_reply);
        return r;
}

static int read_reply(Session *s, sd_bus_message *reply, UnitStatus *rows, size_t n) {
        const char *name, *description, *load, *active, *sub, *following, *path, *job_type, *job_path;
        uint32_t job;
        int r;

        r = sd_bus_message_enter_container(reply, 'a', "(ssssssouso)");
        while (r >= 0 && (r = sd_bus_message_read(reply, "(ssssssouso)", &name, &description, &load, &active,
                                                  &sub, &following, &path, &job, &job_type, &job_path)) > 0)
                set_row(s, rows, n, name, load, active, sub);
        return r;
}

const char *units_ask(Session *s, UnitStatus *rows, size_t n) {
        __attribute__((cleanup(free_messagep))) sd_bus_message *reply = NULL;
        __attribute__((cleanup(close_busp))) sd_bus *bus = NULL;
        int r;

        for (size_t i = 0; i < n; i++)
                rows[i].load = rows[i].active = rows[i].sub = "unknown";
        if (s->root[0] != '\0')
                return NOTHING_RUNS_THERE;
        if (sd_booted() <= 0)
                return "systemd does not run here";
        r = sd_bus_open_system(&bus);
        if (r >= 0)
                r = ask(bus, rows, n, &reply);
        if (r >= 0)
                r = read_reply(s, reply, rows, n);
        return r < 0 ? arena_printf(s->arena, "systemd cannot be asked: %s", strerror(-r)) : NULL;
}
