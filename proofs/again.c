/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/again.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <syslog.h>

#include "proofs/bus.h"
#include "proofs/handles.h"
#include "proofs/message-ids.h"
#include "proofs/record-read.h"
#include "proofs/say.h"
#include "proofs/unit.h"

/* Says what becomes of the service. */
static void tell(const Again *again, const Record *record, int priority, const char *format, ...)
        __attribute__((format(printf, 4, 5)));

static void tell(const Again *again, const Record *record, int priority, const char *format, ...) {
        const SayField fields[] = {
                { "UNITPROOF_STACK", record->stack },     { "UNITPROOF_PROOF", record->proof },
                { "UNITPROOF_SUBJECT", record->subject }, { "UNITPROOF_UNIT", again->unit },
                { "UNITPROOF_REASON", record->reason },
        };
        va_list ap;

        va_start(ap, format);
        say_entry("unitproof-prove", priority, MESSAGE_ID_SERVICE_RESTARTED, fields, ARRAY_LENGTH(fields),
                  format, ap);
        va_end(ap);
}

/* A unit that is on its way up brings its own proofs. Without systemd to ask, whoever has an invocation
 * counts as active: to look once too often does no harm. */
static int unit_is_active(const char *unit) {
        CLEANUP(handle_bus) sd_bus *bus = NULL;
        UnitState state;
        int r;

        if (bus_open(&bus) < 0)
                return 1;
        r = bus_unit_state(bus, unit, &state);
        if (r < 0)
                return r;
        return state.loaded &&
               (strcmp(state.active, "active") == 0 || strcmp(state.active, "reloading") == 0 ||
                strcmp(state.active, "refreshing") == 0);
}

int again_begin(const char *unit, Again *ret) {
        Again again = { .unit = unit };
        int r;

        r = unit_invocation(unit, again.invocation_id);
        if (r == -ENOENT)
                return 0;
        if (r < 0)
                return r;
        r = unit_is_active(unit);
        if (r > 0)
                *ret = again;
        return r;
}

bool again_is_same(const Again *again) {
        Again now;
        int r = again_begin(again->unit, &now);

        /* Without an answer it counts as the same: what was found is not to be forgotten for that. */
        return r < 0 || (r > 0 && strcmp(now.invocation_id, again->invocation_id) == 0);
}

/* How often in a row this activation could not be proved anew, this time included. */
static unsigned unproven_count(const Again *again, int dir_fd, const Record *record) {
        CLEANUP(record_done) Record last = { .verdict = VERDICT_UNPROVEN };
        const json_t *before;

        if (record->verdict != VERDICT_UNPROVEN)
                return 0;
        if (record_read(dir_fd, /* owner= */ 0, record->stack, record->proof, record->subject, &last) !=
                    RECORD_FAULT_NONE ||
            strcmp(last.boot_id, record->boot_id) != 0 || last.verdict != VERDICT_UNPROVEN)
                return 1;
        before = json_object_get(last.evidence, "again");
        if (strcmp(json_string_value(json_object_get(before, "invocation_id")) ?: "", again->invocation_id) !=
            0)
                return 1;
        return (unsigned) json_integer_value(json_object_get(before, "unproven_in_a_row")) + 1;
}

int again_record_write(const Again *again, const ProofRequest *request, Record *record, json_t *fields) {
        CLEANUP(handle_close) int dir_fd = -1;
        CLEANUP(handle_free) char *count = NULL;
        unsigned n;
        int r;

        r = record_running_create(request->run_dir, request->stack, &dir_fd);
        if (r < 0)
                return r;
        n = unproven_count(again, dir_fd, record);
        count = text_format("%u", n);
        (void) json_object_set_new(record->evidence, "again",
                                   json_pack("{s:s, s:s, s:i}", "unit", again->unit, "invocation_id",
                                             again->invocation_id, "unproven_in_a_row", (int) n));
        (void) json_object_set_new(fields, "AGAIN", json_string("yes"));
        if (count && n > 0)
                (void) json_object_set_new(fields, "UNPROVEN_IN_A_ROW", json_string(count));
        return record_write(dir_fd, record);
}

static int try_restart(sd_bus *bus, void *userdata) {
        return bus_unit_try_restart(bus, userdata);
}

/* False: it goes on as it was. */
static bool unit_restart(const Again *again, const Record *record) {
        int r = bus_ask(BUS_PATIENCE_USEC, try_restart, (void *) (uintptr_t) again->unit);

        if (r == -EDEADLK)
                tell(again, record, LOG_NOTICE, "%s is not restarted: something else is on its way for it",
                     again->unit);
        else if (r < 0)
                tell(again, record, LOG_ERR,
                     "%s of %s does not hold any more, and %s cannot be restarted: %s", record->proof,
                     record->subject, again->unit, strerror(-r));
        else
                tell(again, record, LOG_NOTICE,
                     "%s of %s does not hold any more: %s is restarted and runs again only through new "
                     "proofs",
                     record->proof, record->subject, again->unit);
        return r >= 0 || r == -EDEADLK;
}

int again_act(const Again *again, const Record *record) {
        if (record->verdict != VERDICT_FAILED)
                return verdict_exit_status(record->verdict);
        if (record->leak)
                return verdict_exit_status(VERDICT_FAILED);
        return unit_restart(again, record) ? EXIT_STATUS_DEALT_WITH : verdict_exit_status(VERDICT_FAILED);
}
