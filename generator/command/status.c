/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "generator/base/str.h"
#include "generator/command/output.h"
#include "generator/command/status.h"
#include "proofs/unit.h"

/* ---- collecting ---- */

size_t status_n_services(const StackStatus *st) {
        return st->compiled->plan ? st->compiled->model->n_services : 0;
}

static void ask_units(Session *s, StackStatus *st) {
        const size_t n = status_n_services(st);

        st->units = arena_new_array(s->arena, UnitStatus, UNIT_SERVICES + n);
        st->units[UNIT_TARGET].unit = arena_printf(s->arena, "%s.target", st->name);
        st->units[UNIT_HALT].unit = arena_printf(s->arena, "%s-halt.service", st->name);
        for (size_t i = 0; i < n; i++)
                st->units[UNIT_SERVICES + i].unit = st->compiled->model->services[i].unit;
        st->units_problem = units_ask(s, st->units, UNIT_SERVICES + n);
}

/* The files of the stack have errors, and units of before may go on running. */
static void ask_running(Session *s, StackStatus *st) {
        StackList list = { 0 };

        (void) session_stacks(s, &list);
        (void) units_running(s, st->name, list.names, list.n, &st->running, &st->n_running);
}

bool unit_is_failed(const UnitStatus *u) {
        return str_equal(u->active, "failed");
}

static void read_held(Session *s, StackStatus *st) {
        const Stack *m = st->compiled->model;
        struct stat info;

        st->held = arena_new_array(s->arena, bool, m->n_services + 1);
        for (size_t i = 0; i < m->n_services; i++)
                st->held[i] = lstat(arena_printf(s->arena, "%s" RECORD_RUN_DIR "/%s/held-%s", s->root,
                                                 m->name, m->services[i].name),
                                    &info) == 0;
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

static int widest(int least, const char *text) {
        const int n = (int) strlen(text);

        return n > least ? n : least;
}

enum {
        KIND_WIDTH = 12,  /* "killswitch" */
        STATE_WIDTH = 27, /* "activating (auto-restart)" */
};

static Tone unit_tone(const UnitStatus *u) {
        return str_equal(u->active, "active") ? TONE_GOOD : unit_is_failed(u) ? TONE_BAD : TONE_WARN;
}

static void print_services(Session *s, const StackStatus *st) {
        const Stack *m = st->compiled->model;
        int width = 8;

        for (size_t i = 0; i < m->n_services; i++)
                width = widest(width, m->services[i].name);
        for (size_t i = 0; i < m->n_services; i++) {
                const UnitStatus *u = st->units + UNIT_SERVICES + i;

                printf("  ");
                output_word(s, TONE_PLAIN, width + 2, m->services[i].name);
                output_word(s, unit_tone(u), STATE_WIDTH,
                            arena_printf(s->arena, "%s (%s)", u->active, u->sub));
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
        output_word(s, TONE_PLAIN, KIND_WIDTH, proof_kind_name(p->proof->kind));
        output_word(s, TONE_PLAIN, width + 2, p->proof->subject);
        output_word(s, tones[p->state], 10, proof_state_name(p->state));
        output_word(s, TONE_DIM, 9, p->this_boot ? output_age(s->arena, p->age_sec) : "-");
        output_word(s, TONE_PLAIN, 0, p->text);
        printf("\n");
        if (p->remedy[0] != '\0' && p->state != PROOF_STATE_PASSED) {
                printf("%*s", width + 23 + KIND_WIDTH, "");
                output_word(s, TONE_DIM, 0, p->remedy);
                printf("\n");
        }
}

/* A kill rule that is on speaks through the proofs; one that is off is not to be forgotten. */
static void print_guard(Session *s, const StackStatus *st, const Service *tunnel, int width) {
        if (!tunnel->guard || !tunnel->guard->off)
                return;
        printf("  ");
        output_word(s, TONE_PLAIN, KIND_WIDTH, "guard");
        output_word(s, TONE_PLAIN, width + 2, tunnel->name);
        output_word(s, TONE_DIM, 10, "off");
        output_word(s, TONE_DIM, 9, "-");
        output_word(s, TONE_PLAIN, 0,
                    arena_printf(s->arena, "switched off at %s",
                                 diag_position(&st->compiled->diag, s->arena, tunnel->guard->span)));
        printf("\n");
}

static void print_head(Session *s, const StackStatus *st, const char *more) {
        const UnitStatus *target = st->units + UNIT_TARGET;

        output_word(s, TONE_BOLD, 0, st->name);
        printf(": %s is %s%s%s%s\n", target->unit, target->active, st->units_problem ? ", since " : "",
               st->units_problem ? st->units_problem : "", more);
        if (unit_is_failed(st->units + UNIT_HALT)) {
                printf("  ");
                output_word(s, TONE_BAD, 0, "halted: a leak was found");
                printf("; see journalctl -u %s, then systemctl reset-failed %s and unitproof up %s\n",
                       st->units[UNIT_HALT].unit, st->units[UNIT_HALT].unit, st->name);
        }
}

static void print_broken(Session *s, const StackStatus *st) {
        print_head(s, st, "; its files have errors, so no more is known than what units of its name do");
        for (size_t i = 0; i < st->n_running; i++) {
                const UnitStatus *u = st->running + i;

                printf("  ");
                output_word(s, unit_tone(u), STATE_WIDTH,
                            arena_printf(s->arena, "%s (%s)", u->active, u->sub));
                output_word(s, TONE_PLAIN, 0, u->unit);
                printf("\n");
        }
}

static void print_stack(Session *s, const StackStatus *st) {
        const Stack *m = st->compiled->model;
        int width = 7;

        print_head(s, st, "");
        print_services(s, st);
        for (size_t i = 0; i < m->n_proofs; i++)
                width = widest(width, m->proofs[i].subject);
        if (m->n_proofs > 0)
                printf("\n");
        for (size_t i = 0; i < m->n_proofs; i++)
                print_proof(s, st->proofs + i, width);
        for (size_t i = 0; i < m->n_services; i++)
                print_guard(s, st, m->services + i, width);
}

static StackStatus status_collect(Session *s, const char *what) {
        StackStatus st = { .compiled = arena_new_object(s->arena, Compiled), .status = STATUS_GOOD };

        st.status = session_compile_quietly(s, what, st.compiled);
        st.name = st.compiled->stack ? st.compiled->stack : what;
        if (st.status != STATUS_GOOD) {
                if (st.compiled->stack) {
                        ask_units(s, &st);
                        ask_running(s, &st);
                }
                return st;
        }
        ask_units(s, &st);
        read_held(s, &st);
        read_proofs(s, &st);
        for (size_t i = 0; i < UNIT_SERVICES + st.compiled->model->n_services; i++)
                if (unit_is_failed(st.units + i))
                        raise_status(&st, STATUS_FAILED);
        return st;
}

static void status_done(StackStatus *st) {
        for (size_t i = 0; st->proofs && i < st->compiled->model->n_proofs; i++)
                proof_status_done(st->proofs + i);
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

static int show_metrics(Session *s, const StackStatus *stacks, size_t n) {
        const char *text = status_metrics(s, stacks, n), *dir = s->options.text[OPTION_OUTPUT];
        int r;

        if (!dir) {
                fputs(text, stdout);
                return STATUS_GOOD;
        }
        r = status_metrics_write(dir, text);
        return r < 0 ? command_fail(s, STATUS_FAILED, "write", "cannot write to %s: %s", dir, strerror(-r))
                     : STATUS_GOOD;
}

static int show(Session *s, const StackStatus *stacks, size_t n) {
        json_t *list = s->json ? json_array() : NULL, *broken = s->json ? json_array() : NULL;
        bool first = true;

        if (s->options.given[OPTION_PROMETHEUS])
                return show_metrics(s, stacks, n);
        for (size_t i = 0; i < n; i++) {
                const bool good = stacks[i].compiled->plan;

                if (!stacks[i].units)
                        continue;
                if (list)
                        (void) json_array_append_new(
                                good ? list : broken,
                                (good ? status_json : status_broken_json)(s, stacks + i));
                else {
                        printf("%s", first ? "" : "\n");
                        (good ? print_stack : print_broken)(s, stacks + i);
                }
                first = false;
        }
        if (list) {
                json_put(s->answer, "stacks", list);
                json_put(s->answer, "broken", broken);
        } else if (n == 0)
                printf("no stacks in %s/etc/unitproof\n", s->root);
        return STATUS_GOOD;
}

/* All stacks of the host; a directory that can be none has a row as well, which says that it does not
 * compile.
 */
static int collect_all(Session *s, StackStatus **ret_stacks, size_t *ret_n) {
        Compiled *none = arena_new_object(s->arena, Compiled);
        StackStatus *stacks;
        StackList list;
        int r;

        r = session_stacks(s, &list);
        if (r != STATUS_GOOD)
                return r;
        (void) session_say_strays(s, &list);
        stacks = arena_new_array(s->arena, StackStatus, list.n + list.n_strays + 1);
        for (size_t i = 0; i < list.n; i++)
                stacks[i] = status_collect(s, list.names[i]);
        for (size_t i = 0; i < list.n_strays; i++)
                stacks[list.n + i] =
                        (StackStatus){ .name = list.strays[i], .compiled = none, .status = STATUS_BAD_INPUT };
        *ret_stacks = stacks;
        *ret_n = list.n + list.n_strays;
        return STATUS_GOOD;
}

int command_status(Session *s, int argc, char **argv) {
        StackStatus *stacks;
        int status = STATUS_GOOD;
        size_t n = 0;

        if (s->options.given[OPTION_PROMETHEUS] && s->json)
                return command_fail(s, STATUS_BAD_INPUT, "usage",
                                    "--prometheus and --json are two forms: choose one");
        if (s->options.given[OPTION_OUTPUT] && !s->options.given[OPTION_PROMETHEUS])
                return command_fail(s, STATUS_BAD_INPUT, "usage", "--output goes with --prometheus");
        if (argc == 0) {
                status = collect_all(s, &stacks, &n);
                if (status != STATUS_GOOD)
                        return status;
        } else {
                stacks = arena_new_array(s->arena, StackStatus, (size_t) argc);
                for (int i = 0; i < argc; i++)
                        stacks[n++] = status_collect(s, argv[i]);
        }
        for (size_t i = 0; i < n; i++)
                status = worse(status, stacks[i].status);
        status = worse(status, show(s, stacks, n));
        for (size_t i = 0; i < n; i++)
                status_done(stacks + i);
        return status;
}
