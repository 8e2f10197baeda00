/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/command/status-units.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>

#include "generator/base/str.h"

static void close_busp(sd_bus **bus) {
        *bus = sd_bus_flush_close_unref(*bus);
}

static void free_messagep(sd_bus_message **m) {
        *m = sd_bus_message_unref(*m);
}

/* One row of what systemd lists, in words of the message, which it outlives. */
typedef void (*UnitHandler)(void *userdata, const UnitStatus *row);

static int read_reply(sd_bus_message *reply, UnitHandler handler, void *userdata) {
        const char *description, *following, *path, *job_type, *job_path;
        UnitStatus row;
        uint32_t job;
        int r;

        r = sd_bus_message_enter_container(reply, 'a', "(ssssssouso)");
        while (r >= 0 && (r = sd_bus_message_read(reply, "(ssssssouso)", &row.unit, &description, &row.load,
                                                  &row.active, &row.sub, &following, &path, &job, &job_type,
                                                  &job_path)) > 0)
                handler(userdata, &row);
        return r;
}

static int call(sd_bus *bus, const char *method, const char *const *const *lists, size_t n_lists,
                sd_bus_message **ret_reply) {
        __attribute__((cleanup(free_messagep))) sd_bus_message *m = NULL;
        int r;

        r = sd_bus_message_new_method_call(bus, &m, "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
                                           "org.freedesktop.systemd1.Manager", method);
        for (size_t i = 0; r >= 0 && i < n_lists; i++)
                r = sd_bus_message_append_strv(m, (char **) (uintptr_t) lists[i]);
        return r < 0 ? r
                     : sd_bus_call(bus, m, /* usec= */ 10 * 1000 * 1000, /* ret_error= */ NULL, ret_reply);
}

/* Asks a method of systemd's manager that takes lists of words and answers with units. Returns NULL, or why
 * it cannot be asked. */
static const char *ask(Session *s, const char *method, const char *const *const *lists, size_t n_lists,
                       UnitHandler handler, void *userdata) {
        __attribute__((cleanup(free_messagep))) sd_bus_message *reply = NULL;
        __attribute__((cleanup(close_busp))) sd_bus *bus = NULL;
        int r;

        if (s->root[0] != '\0')
                return NOTHING_RUNS_THERE;
        if (sd_booted() <= 0)
                return "systemd does not run here";
        r = sd_bus_open_system(&bus);
        if (r >= 0)
                r = call(bus, method, lists, n_lists, &reply);
        if (r >= 0)
                r = read_reply(reply, handler, userdata);
        return r < 0 ? arena_printf(s->arena, "systemd cannot be asked: %s", strerror(-r)) : NULL;
}

/* ---- units that are known ---- */

typedef struct Rows {
        Arena *arena;
        UnitStatus *rows;
        size_t n, capacity;
        const char *stack; /* units_running() */
        const char *const *others;
        size_t n_others;
} Rows;

static void set_row(Arena *a, UnitStatus *row, const UnitStatus *said) {
        row->load = arena_strdup(a, said->load);
        row->active = arena_strdup(a, said->active);
        row->sub = arena_strdup(a, said->sub);
}

static void fill_row(void *userdata, const UnitStatus *said) {
        Rows *r = userdata;

        for (size_t i = 0; i < r->n; i++)
                if (str_equal(r->rows[i].unit, said->unit))
                        set_row(r->arena, r->rows + i, said);
}

const char *units_ask(Session *s, UnitStatus *rows, size_t n) {
        const char **names = arena_new_array(s->arena, const char *, n + 1);
        const char *const *const lists[] = { names };
        Rows r = { .arena = s->arena, .rows = rows, .n = n };

        for (size_t i = 0; i < n; i++) {
                names[i] = rows[i].unit;
                rows[i].load = rows[i].active = rows[i].sub = "unknown";
        }
        names[n] = NULL;
        return ask(s, "ListUnitsByNames", lists, ELEMENTS(lists), fill_row, &r);
}

/* ---- units that are only called like the stack ---- */

/* Of two stacks whose name a unit begins with, the longer one has it. */
static bool could_be_of_another(const Rows *r, const char *unit) {
        for (size_t i = 0; i < r->n_others; i++) {
                const size_t n = strlen(r->others[i]);

                if (n > strlen(r->stack) && str_has_prefix(unit, r->others[i]) && unit[n] == '-')
                        return true;
        }
        return false;
}

/* A unit that came to its end, such as a network or a proof that passed, says nothing of what runs. */
static void add_row(void *userdata, const UnitStatus *said) {
        Rows *r = userdata;

        if (str_equal(said->active, "inactive") || str_equal(said->sub, "exited") ||
            could_be_of_another(r, said->unit))
                return;
        r->rows = arena_grow(r->arena, r->rows, sizeof(*r->rows), &r->capacity, r->n + 1);
        r->rows[r->n].unit = arena_strdup(r->arena, said->unit);
        set_row(r->arena, r->rows + r->n++, said);
}

static int compare_rows(const void *a, const void *b) {
        return strcmp(((const UnitStatus *) a)->unit, ((const UnitStatus *) b)->unit);
}

const char *units_running(Session *s, const char *stack, const char *const *others, size_t n_others,
                          UnitStatus **ret_rows, size_t *ret_n) {
        const char *const states[] = { NULL };
        const char *const patterns[] = { arena_printf(s->arena, "%s-*.service", stack), NULL };
        const char *const *const lists[] = { states, patterns };
        Rows r = { .arena = s->arena, .stack = stack, .others = others, .n_others = n_others };
        const char *problem = ask(s, "ListUnitsByPatterns", lists, ELEMENTS(lists), add_row, &r);

        if (r.n > 0)
                qsort(r.rows, r.n, sizeof(*r.rows), compare_rows);
        *ret_rows = r.rows;
        *ret_n = r.n;
        return problem;
}
