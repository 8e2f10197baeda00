/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "generator/base/str.h"
#include "generator/command/output.h"
#include "generator/command/session.h"
#include "generator/command/status-units.h"
#include "generator/facts/handles.h"
#include "proofs/bus.h"
#include "proofs/record-read.h"

/* A disruptive proof by an operator's word. It runs as a unit of its own, so that its journal, its halt after
 * a leak and what gives back what it took away are those of any start. */

typedef struct Drill {
        const Proof *proof;
        const char *unit;
        UnitStatus tunnel;
        UnitStatus *clients;
        size_t n_clients;
} Drill;

static bool is_up(const UnitStatus *u) {
        return !str_equal(u->active, "inactive") && !str_equal(u->active, "failed");
}

static void drill_prepare(Session *s, const Stack *m, const Proof *p, Drill *ret) {
        *ret = (Drill){
                .proof = p,
                .unit = proof_drill_name(s->arena, m, p),
                .tunnel = { .unit = p->service->unit },
                .clients = arena_new_array(s->arena, UnitStatus, m->n_services + 1),
        };
        for (size_t i = 0; i < m->n_services; i++)
                if (m->services[i].tunnel == p->service)
                        ret->clients[ret->n_clients++] = (UnitStatus){ .unit = m->services[i].unit };
}

/* Asks systemd about tunnel and clients. STATUS_GOOD: the tunnel runs. */
static int drill_look(Session *s, Drill *d) {
        const char *problem = units_ask(s, &d->tunnel, 1);

        if (!problem)
                problem = units_ask(s, d->clients, d->n_clients);
        if (problem)
                return command_fail(s, STATUS_UNPROVEN, "systemd", "%s", problem);
        if (!str_equal(d->tunnel.active, "active"))
                return command_fail(s, STATUS_UNPROVEN, "not-active",
                                    "%s is not active (%s): there is nothing to drill", d->tunnel.unit,
                                    d->tunnel.active);
        return STATUS_GOOD;
}

static void drill_announce(const Session *s, const Drill *d) {
        size_t n = 0;

        if (s->json)
                return;
        printf("The kill switch of %s is tried: its interface goes down, then its server falls silent.\n",
               d->proof->subject);
        for (size_t i = 0; i < d->n_clients; i++)
                if (is_up(d->clients + i))
                        printf("%s    %s\n", n++ == 0 ? "For some seconds these have no network:\n" : "",
                               d->clients[i].unit);
        if (n == 0)
                printf("None of its clients runs.\n");
        printf("If something gets out, the whole stack halts.\n");
}

static int confirm(Session *s) {
        char answer[16] = "";

        if (s->options.given[OPTION_YES])
                return STATUS_GOOD;
        if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
                return command_fail(s, STATUS_BAD_INPUT, "not-confirmed",
                                    "this interrupts what runs; say --yes where nobody can be asked");
        printf("Go on? [y/N] ");
        (void) fflush(stdout);
        if (!fgets(answer, sizeof(answer), stdin) ||
            (strcasecmp(answer, "y\n") != 0 && strcasecmp(answer, "yes\n") != 0))
                return command_fail(s, STATUS_BAD_INPUT, "not-confirmed", "nothing was done");
        return STATUS_GOOD;
}

/* What it came to stands in its record, which must be of this drill. */
static int drill_result(Session *s, const Stack *m, const Drill *d, uint64_t started_usec) {
        _cleanup_close_ int dir = -1;
        Record record = { .verdict = VERDICT_UNPROVEN };
        int status;

        if (record_dir_open(RECORD_RUN_DIR, m->name, 0, &dir) != RECORD_FAULT_NONE ||
            record_read(dir, 0, m->name, proof_kind_name(d->proof->kind), d->proof->subject, &record) !=
                    RECORD_FAULT_NONE ||
            record.pending || record.monotonic_usec < started_usec) {
                record_done(&record);
                return command_fail(s, STATUS_UNPROVEN, "no-record",
                                    "the drill did not come to a verdict; see: journalctl -u %s", d->unit);
        }
        status = verdict_exit_status(record.verdict);
        if (s->json) {
                json_t *o = json_object(), *list = json_object_get(s->answer, "drills");

                json_put(o, "subject", json_text(s, record.subject));
                json_put(o, "verdict", json_text(s, verdict_name(record.verdict)));
                json_put(o, "leak", json_boolean(record.leak));
                json_put(o, "reason", json_text(s, record.reason));
                json_put(o, "remedy", json_text(s, record.remedy));
                json_put(o, "evidence", json_incref(record.evidence));
                (void) json_array_append_new(list, o);
        } else {
                printf("killswitch of %s: ", record.subject);
                output_word(s, record.verdict == VERDICT_PASSED ? TONE_GOOD : TONE_BAD, 0,
                            verdict_name(record.verdict));
                printf("%s: %s\n", record.leak ? " (leak)" : "", str_printable(s->arena, record.reason));
                if (record.remedy[0])
                        printf("    %s\n", str_printable(s->arena, record.remedy));
        }
        record_done(&record);
        return status;
}

static int drill_run(Session *s, const Stack *m, const Drill *d) {
        __attribute__((cleanup(handle_bus))) sd_bus *bus = NULL;
        uint64_t started = time_monotonic_usec();
        char result[32] = "";
        int r;

        r = bus_open(&bus);
        if (r >= 0)
                r = bus_unit_start(bus, d->unit, sizeof(result), result);
        if (r < 0)
                return command_fail(s, STATUS_UNPROVEN, "not-started", "%s could not be started: %s%s",
                                    d->unit, strerror(-r),
                                    r == -ENOENT ? " (after a change: systemctl daemon-reload)" : "");
        return drill_result(s, m, d, started);
}

static int drill_all(Session *s, const Stack *m, Drill *drills, size_t n) {
        int worst = STATUS_GOOD;

        for (size_t i = 0; i < n; i++) {
                int status = drill_look(s, drills + i);

                if (status != STATUS_GOOD)
                        return status;
                drill_announce(s, drills + i);
        }
        worst = confirm(s);
        if (worst != STATUS_GOOD)
                return worst;
        if (s->json)
                json_put(s->answer, "drills", json_array());
        for (size_t i = 0; i < n; i++) {
                int status = drill_run(s, m, drills + i);

                if (worst != STATUS_FAILED && status != STATUS_GOOD)
                        worst = status;
        }
        return worst;
}

int command_drill(Session *s, int argc, char **argv) {
        const char *only = argc > 2 ? argv[2] : NULL;
        Compiled *c = arena_new_object(s->arena, Compiled);
        Drill *drills;
        size_t n = 0;
        int r;

        if (!str_equal(argv[0], proof_kind_name(PROOF_KILLSWITCH)))
                return command_fail(s, STATUS_BAD_INPUT, "usage",
                                    "there is no drill '%s'; there is one: killswitch", argv[0]);
        r = session_compile_quietly(s, argv[1], c);
        if (r != STATUS_GOOD)
                return r;
        drills = arena_new_array(s->arena, Drill, c->model->n_proofs + 1);
        for (size_t i = 0; i < c->model->n_proofs; i++) {
                const Proof *p = c->model->proofs + i;

                if (p->kind == PROOF_KILLSWITCH && !p->off && (!only || str_equal(only, p->subject)))
                        drill_prepare(s, c->model, p, &drills[n++]);
        }
        if (n == 0)
                return command_fail(s, STATUS_BAD_INPUT, "no-proof",
                                    "the stack '%s' has no killswitch proof%s%s that is on", c->model->name,
                                    only ? " of " : "", only ? only : "");
        return drill_all(s, c->model, drills, n);
}
