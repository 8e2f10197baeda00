/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "generator/base/str.h"
#include "generator/command/output.h"
#include "generator/command/status-proofs.h"
#include "generator/command/status-units.h"
#include "proofs/unit.h"

/* Rows of units: two that speak for the stack, then its services. */
enum { UNIT_TARGET, UNIT_HALT, UNIT_SERVICES };

typedef struct StackStatus {
        Compiled *compiled;
        UnitStatus *units;
        const char *units_problem; /* NULL, or why systemd was not asked */
        ProofStatus *proofs;
        int status;
} StackStatus;

/* ---- collecting ---- */

static void ask_units(Session *s, StackStatus *st) {
        const Stack *m = st->compiled->model;

        st->units = arena_new_array(s->arena, UnitStatus, UNIT_SERVICES + m->n_services);
        st->units[UNIT_TARGET].unit = arena_printf(s->arena, "%s.target", m->name);
        st->units[UNIT_HALT].unit = arena_printf(s->arena, "%s-halt.service", m->name);
        for (size_t i = 0; i < m->n_services; i++)
                st->units[UNIT_SERVICES + i].unit = m->services[i].unit;
        st->units_problem = units_ask(s, st->units, UNIT_SERVICES + m->n_services);
}

static bool is_failed(const UnitStatus *u) {
        return str_equal(u->active, "failed");
}

static void raise_status(StackStatus *st, int status) {
        /* "no" is worse than "do not know". */
        if (st->status != STATUS_FAILED && (status == STATUS_FAILED || st->status == STATUS_GOOD))
                st->status = status;
}

static void read_proofs(Session *s, StackStatus *st) {
        const Stack *m = st->compiled->model;
        char boot_id[ID128_TEXT_SIZE] = "";
        struct stat root;
        ProofContext x = {
                .run_dir = arena_printf(s->arena, "%s" RECORD_RUN_DIR, s->root),
                .boot_id = boot_id,
                .monotonic_usec = time_monotonic_usec(),
                .invocation = unit_invocation,
        };

        /* Records are root's; below another root, those of the one who owns it. */
        if (s->root[0] != '\0' && stat(s->root, &root) == 0)
                x.owner = root.st_uid;
        if (id128_boot(boot_id) < 0)
                boot_id[0] = '\0';
        st->proofs = arena_new_array(s->arena, ProofStatus, m->n_proofs + 1);
        for (size_t i = 0; i < m->n_proofs; i++) {
                proof_status_read(s->arena, &x, st->compiled, m->proofs + i, st->proofs + i);
                if (st->proofs[i].state == PROOF_STATE_FAILED)
                        raise_status(st, STATUS_FAILED);
                else if (st->proofs[i].state == PROOF_STATE_UNPROVEN)
                        raise_status(st, STATUS_UNPROVEN);
        }
}

/* ---- showing ---- */

static json_t *unit_json(Session *s, const UnitStatus *u) {
        json_t *o = json_object();

        json_put(o, "unit", json_text(s, u->unit));
        json_put(o, "load", json_text(s, u->load));
        json_put(o, "active", json_text(s, u->active));
        json_put(o, "sub", json_text(s, u->sub));
        return o;
}

static json_t *proof_json(Session *s, const ProofStatus *p) {
        json_t *o = json_object();

        json_put(o, "kind", json_text(s, proof_kind_name(p->proof->kind)));
        json_put(o, "subject", json_text(s, p->proof->subject));
        json_put(o, "state", json_text(s, proof_state_name(p->state)));
        json_put(o, "text", json_text(s, p->text));
        json_put(o, "remedy", json_text(s, p->remedy));
        json_put(o, "why", json_text(s, p->proof->why));
        json_put(o, "this_boot", json_boolean(p->has_record && p->this_boot));
        json_put(o, "age_seconds", p->this_boot ? json_integer((json_int_t) p->age_sec) : json_null());
        json_put(o, "leak", json_boolean(p->has_record && p->record.leak));
        json_put(o, "boot_id", p->has_record ? json_text(s, p->record.boot_id) : json_null());
        json_put(o, "invocation_id", p->has_record ? json_text(s, p->record.invocation_id) : json_null());
        json_put(o, "evidence",
                 p->has_record && p->record.evidence ? json_incref(p->record.evidence) : json_null());
        return o;
}

static void answer_stack(Session *s, const StackStatus *st, json_t *list) {
        const Stack *m = st->compiled->model;
        json_t *o = json_object(), *services = json_array(), *proofs = json_array();

        for (size_t i = 0; i < m->n_services; i++) {
                json_t *row = unit_json(s, st->units + UNIT_SERVICES + i);

                json_put(row, "service", json_text(s, m->services[i].name));
                (void) json_array_append_new(services, row);
        }
        for (size_t i = 0; i < m->n_proofs; i++)
                (void) json_array_append_new(proofs, proof_json(s, st->proofs + i));
        json_put(o, "stack", json_text(s, m->name));
        json_put(o, "target", unit_json(s, st->units + UNIT_TARGET));
        json_put(o, "halted", json_boolean(is_failed(st->units + UNIT_HALT)));
        json_put(o, "units_problem", json_text(s, st->units_problem));
        json_put(o, "services", services);
        json_put(o, "proofs", proofs);
        (void) json_array_append_new(list, o);
}

static int widest(int least, const char *text) {
        const int n = (int) strlen(text);

        return n > least ? n : least;
}

static void print_services(Session *s, const StackStatus *st) {
        const Stack *m = st->compiled->model;
        int width = 8;

        for (size_t i = 0; i < m->n_services; i++)
                width = widest(width, m->services[i].name);
        for (size_t i = 0; i < m->n_services; i++) {
                const UnitStatus *u = st->units + UNIT_SERVICES + i;
                const Tone tone = str_equal(u->active, "active") ? TONE_GOOD
                                  : is_failed(u)                 ? TONE_BAD
                                                                 : TONE_WARN;

                printf("  ");
                output_word(s, TONE_PLAIN, width + 2, m->services[i].name);
                output_word(s, tone, 24, arena_printf(s->arena, "%s (%s)", u->active, u->sub));
                output_word(s, TONE_DIM, 0, u->unit);
                printf("\n");
        }
}

static void print_proof(Session *s, const ProofStatus *p, int width) {
        static const Tone tones[_PROOF_STATE_MAX] = {
                [PROOF_STATE_PASSED] = TONE_GOOD,
                [PROOF_STATE_FAILED] = TONE_BAD,
                [PROOF_STATE_UNPROVEN] = TONE_WARN,
                [PROOF_STATE_OFF] = TONE_DIM,
        };

        printf("  ");
        output_word(s, TONE_PLAIN, 10, proof_kind_name(p->proof->kind));
        output_word(s, TONE_PLAIN, width + 2, p->proof->subject);
        output_word(s, tones[p->state], 10, proof_state_name(p->state));
        output_word(s, TONE_DIM, 9, p->this_boot ? output_age(s->arena, p->age_sec) : "-");
        output_word(s, TONE_PLAIN, 0, p->text);
        printf("\n");
        if (p->remedy[0] != '\0' && p->state != PROOF_STATE_PASSED) {
                printf("%*s", width + 33, "");
                output_word(s, TONE_DIM, 0, p->remedy);
                printf("\n");
        }
}

static void print_stack(Session *s, const StackStatus *st) {
        const Stack *m = st->compiled->model;
        const UnitStatus *target = st->units + UNIT_TARGET;
        int width = 7;

        output_word(s, TONE_BOLD, 0, m->name);
        printf(": %s is %s%s%s\n", target->unit, target->active, st->units_problem ? ", since " : "",
               st->units_problem ? st->units_problem : "");
        if (is_failed(st->units + UNIT_HALT)) {
                printf("  ");
                output_word(s, TONE_BAD, 0, "halted: a leak was found");
                printf("; see journalctl -u %s, then systemctl reset-failed %s and unitproof up %s\n",
                       st->units[UNIT_HALT].unit, st->units[UNIT_HALT].unit, m->name);
        }
        print_services(s, st);
        for (size_t i = 0; i < m->n_proofs; i++)
                width = widest(width, m->proofs[i].subject);
        if (m->n_proofs > 0)
                printf("\n");
        for (size_t i = 0; i < m->n_proofs; i++)
                print_proof(s, st->proofs + i, width);
}

static int status_one(Session *s, const char *what, bool first, json_t *list) {
        StackStatus st = { .compiled = arena_new_object(s->arena, Compiled), .status = STATUS_GOOD };
        int r;

        r = session_compile_quietly(s, what, st.compiled);
        if (r != STATUS_GOOD)
                return r;
        ask_units(s, &st);
        read_proofs(s, &st);
        for (size_t i = 0; i < UNIT_SERVICES + st.compiled->model->n_services; i++)
                if (is_failed(st.units + i))
                        raise_status(&st, STATUS_FAILED);
        if (s->json)
                answer_stack(s, &st, list);
        else {
                printf("%s", first ? "" : "\n");
                print_stack(s, &st);
        }
        for (size_t i = 0; i < st.compiled->model->n_proofs; i++)
                proof_status_done(st.proofs + i);
        return st.status;
}

/* Of several stacks: a file that cannot be read, then "no", then "do not know". */
static int worse(int a, int b) {
        static const int order[] = {
                [STATUS_GOOD] = 0,
                [STATUS_UNPROVEN] = 1,
                [STATUS_FAILED] = 2,
                [STATUS_BAD_INPUT] = 3,
        };

        return order[a] > order[b] ? a : b;
}

int command_status(Session *s, int argc, char **argv) {
        json_t *list = json_array();
        const char **names;
        int status = STATUS_GOOD;
        size_t n;

        json_put(s->answer, "stacks", list);
        for (int i = 0; i < argc; i++)
                status = worse(status, status_one(s, argv[i], i == 0, list));
        if (argc > 0)
                return status;

        status = session_stacks(s, &names, &n);
        if (status != STATUS_GOOD)
                return status;
        for (size_t i = 0; i < n; i++)
                status = worse(status, status_one(s, names[i], i == 0, list));
        if (n == 0 && !s->json)
                printf("no stacks in %s/etc/unitproof\n", s->root);
        return status;
}
