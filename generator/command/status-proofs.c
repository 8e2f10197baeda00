/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/command/status-proofs.h"

#include <string.h>

#include "generator/base/str.h"
#include "generator/facts/handles.h"

const char *proof_state_name(ProofState state) {
        static const char *const names[_PROOF_STATE_MAX] = {
                [PROOF_STATE_PASSED] = "passed",
                [PROOF_STATE_FAILED] = "failed",
                [PROOF_STATE_UNPROVEN] = "unproven",
                [PROOF_STATE_OFF] = "off",
        };

        return names[state];
}

static RecordFault read_record(const ProofContext *x, const Stack *m, const char *kind, const char *subject,
                               Record *ret) {
        _cleanup_close_ int dir = -1;
        RecordFault fault;

        fault = record_dir_open(x->run_dir, m->name, x->owner, &dir);
        if (fault != RECORD_FAULT_NONE)
                return fault;
        return record_read(dir, x->owner, m->name, kind, subject, ret);
}

/* The binding of a client is looked at twice: by the hook before its first instruction, and once it runs.
 * When the hook has refused it, there is nothing to look at a second time, and the hook's record is the
 * answer. */
static RecordFault read_binding_record(const ProofContext *x, const Stack *m, const Proof *p, Record *ret) {
        RecordFault fault = read_record(x, m, proof_kind_name(p->kind), p->subject, ret);
        Record hook = { .verdict = VERDICT_UNPROVEN };

        if (read_record(x, m, "bound", p->subject, &hook) != RECORD_FAULT_NONE)
                return fault;
        if (hook.verdict == VERDICT_PASSED || !str_equal(hook.boot_id, x->boot_id) ||
            (fault == RECORD_FAULT_NONE && hook.monotonic_usec < ret->monotonic_usec)) {
                record_done(&hook);
                return fault;
        }
        if (fault == RECORD_FAULT_NONE)
                record_done(ret);
        *ret = hook;
        return RECORD_FAULT_NONE;
}

/* Why a record that says "passed" does not speak of what runs now, or NULL if it does. */
static const char *outdated(Arena *a, const ProofContext *x, const Record *record) {
        char now[ID128_TEXT_SIZE];

        if (record->unit[0] == '\0')
                return NULL;
        if (x->invocation(record->unit, now) < 0)
                return arena_printf(a, "it passed, but %s has stopped since", record->unit);
        if (strcmp(now, record->invocation_id) != 0)
                return arena_printf(a, "it passed, but %s was started anew since", record->unit);
        return NULL;
}

static void judge(Arena *a, const ProofContext *x, ProofStatus *s) {
        const Record *record = &s->record;
        const char *old;

        s->this_boot = x->boot_id[0] != '\0' && str_equal(record->boot_id, x->boot_id);
        s->state = PROOF_STATE_UNPROVEN;
        if (!s->this_boot) {
                s->text = "the record is not of this boot";
                return;
        }
        if (x->monotonic_usec >= record->monotonic_usec)
                s->age_sec = (x->monotonic_usec - record->monotonic_usec) / USEC_PER_SEC;
        s->text = str_printable(a, record->reason ? record->reason : "");
        s->remedy = str_printable(a, record->remedy ? record->remedy : "");
        if (record->pending) {
                s->text = "it runs now, or died before it came to a verdict";
                return;
        }
        if (record->verdict == VERDICT_FAILED)
                s->state = PROOF_STATE_FAILED;
        if (record->verdict != VERDICT_PASSED)
                return;
        old = outdated(a, x, record);
        if (old)
                s->text = old;
        else
                s->state = PROOF_STATE_PASSED;
}

/* Whether the look was at the activation of now. */
static bool look_is_of_now(const ProofContext *x, const Record *look) {
        const json_t *again = json_object_get(look->evidence, "again");
        const char *unit = json_string_value(json_object_get(again, "unit"));
        const char *id = json_string_value(json_object_get(again, "invocation_id"));
        char now[ID128_TEXT_SIZE];

        return unit && id && x->invocation(unit, now) >= 0 && strcmp(now, id) == 0;
}

/* A look at what runs says more than the record of the start, if it is newer and about what runs now. That it
 * failed stays true until a start has brought another proof. */
static void take_look(const ProofContext *x, const Compiled *c, const Proof *p, ProofStatus *s) {
        _cleanup_close_ int dir = -1, running = -1;
        Record look = { .verdict = VERDICT_UNPROVEN };

        if (record_dir_open(x->run_dir, c->model->name, x->owner, &dir) != RECORD_FAULT_NONE ||
            record_running_open(dir, x->owner, &running) != RECORD_FAULT_NONE ||
            record_read(running, x->owner, c->model->name, proof_kind_name(p->kind), p->subject, &look) !=
                    RECORD_FAULT_NONE)
                return;
        if (!str_equal(look.boot_id, x->boot_id) ||
            (s->has_record && look.monotonic_usec <= s->record.monotonic_usec) ||
            (look.verdict != VERDICT_FAILED && !look_is_of_now(x, &look))) {
                record_done(&look);
                return;
        }
        if (s->has_record)
                record_done(&s->record);
        s->record = look;
        s->has_record = s->running = true;
        s->unproven_in_a_row = (unsigned) json_integer_value(
                json_object_get(json_object_get(look.evidence, "again"), "unproven_in_a_row"));
}

void proof_status_read(Arena *a, const ProofContext *x, const Compiled *c, const Proof *p, ProofStatus *ret) {
        RecordFault fault;

        *ret = (ProofStatus){ .proof = p, .state = PROOF_STATE_UNPROVEN, .remedy = "" };
        if (p->off) {
                ret->state = PROOF_STATE_OFF;
                ret->text = arena_printf(a, "switched off at %s", diag_position(&c->diag, a, p->off_span));
                return;
        }
        fault = p->kind == PROOF_BINDING
                        ? read_binding_record(x, c->model, p, &ret->record)
                        : read_record(x, c->model, proof_kind_name(p->kind), p->subject, &ret->record);
        ret->has_record = fault == RECORD_FAULT_NONE;
        take_look(x, c, p, ret);
        if (ret->has_record) {
                judge(a, x, ret);
                if (ret->unproven_in_a_row > 0)
                        ret->text = arena_printf(a, "%s (while it runs, %u in a row)", ret->text,
                                                 ret->unproven_in_a_row);
        } else if (fault == RECORD_FAULT_MISSING)
                ret->text = "it has not run since the boot";
        else
                ret->text = arena_printf(a, "its record %s", record_fault_text(fault));
}

void proof_status_done(ProofStatus *p) {
        if (p->has_record)
                record_done(&p->record);
        p->has_record = false;
}
