/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/command/output.h"
#include "generator/command/status.h"
#include "generator/facts/handles.h"

static json_t *unit_json(Session *s, const UnitStatus *u) {
        json_t *o = json_object();

        json_put(o, "unit", json_text(s, u->unit));
        json_put(o, "load", json_text(s, u->load));
        json_put(o, "active", json_text(s, u->active));
        json_put(o, "sub", json_text(s, u->sub));
        return o;
}

/* Kinds say in their own words why they came to a verdict: one short word of the same kind for all. */
static json_t *code_json(Session *s, const ProofStatus *p) {
        static const char *const keys[] = { "code", "cause", "state" };
        const json_t *evidence = p->has_record ? p->record.evidence : NULL;
        const json_t *own = json_object_get(evidence, proof_kind_name(p->proof->kind));

        for (size_t i = 0; i < ELEMENTS(keys); i++) {
                const char *code = json_string_value(json_object_get(own, keys[i]));

                if (!code)
                        code = json_string_value(json_object_get(evidence, keys[i]));
                if (code && code[0])
                        return json_text(s, code);
        }
        return json_null();
}

/* Who switched it off: the operator's own line. */
static json_t *off_json(Session *s, const StackStatus *st, const Proof *p) {
        const Sources *sources = &st->compiled->sources;
        const SourceFile *file = sources_get(sources, p->off_span.file);

        if (!p->off)
                return json_null();
        return json_pack("{s:o, s:i, s:i}", "file",
                         json_text(s, file ? sources_shown(sources, s->arena, file->path) : ""), "line",
                         (int) p->off_span.line, "column", (int) p->off_span.column);
}

static json_t *number_json(bool there, uint64_t number) {
        return there ? json_integer((json_int_t) number) : json_null();
}

static json_t *proof_json(Session *s, const StackStatus *st, const ProofStatus *p) {
        json_t *o = json_object();

        json_put(o, "kind", json_text(s, proof_kind_name(p->proof->kind)));
        json_put(o, "subject", json_text(s, p->proof->subject));
        json_put(o, "state", json_text(s, proof_state_name(p->state)));
        json_put(o, "text", json_text(s, p->text));
        json_put(o, "code", code_json(s, p));
        json_put(o, "remedy", json_text(s, p->remedy));
        json_put(o, "why", json_text(s, p->proof->why));
        json_put(o, "this_boot", json_boolean(p->has_record && p->this_boot));
        json_put(o, "age_seconds", p->this_boot ? json_integer((json_int_t) p->age_sec) : json_null());
        json_put(o, "time_usec", number_json(p->has_record, p->record.realtime_usec));
        json_put(o, "duration_ms", number_json(p->has_record, p->record.duration_ms));
        json_put(o, "pending", json_boolean(p->has_record && p->record.pending));
        json_put(o, "running", json_boolean(p->running));
        json_put(o, "unproven_in_a_row", json_integer((json_int_t) p->unproven_in_a_row));
        json_put(o, "off", off_json(s, st, p->proof));
        json_put(o, "unit", p->has_record ? json_text(s, p->record.unit) : json_null());
        json_put(o, "proof_unit",
                 proof_kind_is_pre_start(p->proof->kind)
                         ? json_text(s, proof_unit_name(s->arena, st->compiled->model, p->proof))
                         : json_null());
        json_put(o, "leak", json_boolean(p->has_record && p->record.leak));
        json_put(o, "boot_id", p->has_record ? json_text(s, p->record.boot_id) : json_null());
        json_put(o, "invocation_id", p->has_record ? json_text(s, p->record.invocation_id) : json_null());
        json_put(o, "evidence",
                 p->has_record && p->record.evidence ? json_incref(p->record.evidence) : json_null());
        return o;
}

json_t *status_json(Session *s, const StackStatus *st) {
        const Stack *m = st->compiled->model;
        json_t *o = json_object(), *services = json_array(), *proofs = json_array();

        for (size_t i = 0; i < m->n_services; i++) {
                json_t *row = unit_json(s, st->units + UNIT_SERVICES + i);

                json_put(row, "service", json_text(s, m->services[i].name));
                json_put(row, "guard",
                         m->services[i].guard ? json_string(m->services[i].guard->off ? "off" : "on")
                                              : json_null());
                json_put(row, "held", json_boolean(st->held[i]));
                (void) json_array_append_new(services, row);
        }
        for (size_t i = 0; i < m->n_proofs; i++)
                (void) json_array_append_new(proofs, proof_json(s, st, st->proofs + i));
        json_put(o, "stack", json_text(s, m->name));
        json_put(o, "target", unit_json(s, st->units + UNIT_TARGET));
        json_put(o, "halted", json_boolean(unit_is_failed(st->units + UNIT_HALT)));
        json_put(o, "reprove_seconds",
                 m->reprove_sec > 0 ? json_integer((json_int_t) m->reprove_sec) : json_null());
        json_put(o, "units_problem", json_text(s, st->units_problem));
        json_put(o, "services", services);
        json_put(o, "proofs", proofs);
        return o;
}

json_t *status_broken_json(Session *s, const StackStatus *st) {
        json_t *o = json_object(), *running = json_array();

        for (size_t i = 0; i < st->n_running; i++)
                (void) json_array_append_new(running, unit_json(s, st->running + i));
        json_put(o, "stack", json_text(s, st->name));
        json_put(o, "target", unit_json(s, st->units + UNIT_TARGET));
        json_put(o, "halted", json_boolean(unit_is_failed(st->units + UNIT_HALT)));
        json_put(o, "units_problem", json_text(s, st->units_problem));
        json_put(o, "running", running);
        return o;
}
