/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "generator/base/buf.h"
#include "generator/base/str.h"
#include "generator/command/status.h"
#include "generator/facts/handles.h"

/* The text format of Prometheus: all samples of a family behind its HELP and TYPE. What is not known has no
 * sample; there is one for each verdict, so that an alert can ask for any of them. */

#define METRICS_FILE "unitproof.prom"

typedef struct Metrics {
        Session *session;
        Buf out;
        const StackStatus *stacks;
        size_t n_stacks;
} Metrics;

/* Label values: backslash and quote are escaped, everything else is UTF-8. What else cannot be shown, a
 * newline or a byte that is no UTF-8 in a directory's name, is written as in messages. */
static const char *label(Arena *a, const char *text) {
        Buf b = BUF(a);

        for (const char *p = str_printable(a, text); *p; p++) {
                if (*p == '\\' || *p == '"')
                        buf_add(&b, "\\");
                buf_printf(&b, "%c", *p);
        }
        return buf_text(&b);
}

/* ---- samples of a stack ---- */

static void sample_stack(Metrics *m, const char *name, const StackStatus *st, bool value) {
        buf_printf(&m->out, "%s{stack=\"%s\"} %d\n", name, label(m->session->arena, st->name), value);
}

static void add_compiled(Metrics *m, const char *name, const StackStatus *st) {
        sample_stack(m, name, st, st->compiled->plan != NULL);
}

static bool units_are_known(const StackStatus *st) {
        return st->units && !st->units_problem;
}

static void add_active(Metrics *m, const char *name, const StackStatus *st) {
        if (units_are_known(st))
                sample_stack(m, name, st, str_equal(st->units[UNIT_TARGET].active, "active"));
}

static void add_halted(Metrics *m, const char *name, const StackStatus *st) {
        if (units_are_known(st))
                sample_stack(m, name, st, unit_is_failed(st->units + UNIT_HALT));
}

/* ---- samples of a service ---- */

static void sample_service(Metrics *m, const char *name, const StackStatus *st, size_t i, bool value) {
        Arena *a = m->session->arena;

        buf_printf(&m->out, "%s{stack=\"%s\",service=\"%s\"} %d\n", name, label(a, st->name),
                   label(a, st->compiled->model->services[i].name), value);
}

static void add_service_active(Metrics *m, const char *name, const StackStatus *st) {
        for (size_t i = 0; units_are_known(st) && i < status_n_services(st); i++)
                sample_service(m, name, st, i, str_equal(st->units[UNIT_SERVICES + i].active, "active"));
}

static void add_service_held(Metrics *m, const char *name, const StackStatus *st) {
        for (size_t i = 0; st->held && i < st->compiled->model->n_services; i++)
                sample_service(m, name, st, i, st->held[i]);
}

/* ---- samples of a proof ---- */

static const char *proof_labels(Metrics *m, const StackStatus *st, const ProofStatus *p) {
        Arena *a = m->session->arena;

        return arena_printf(a, "stack=\"%s\",proof=\"%s\",subject=\"%s\"", label(a, st->name),
                            proof_kind_name(p->proof->kind), label(a, p->proof->subject));
}

static void add_verdict(Metrics *m, const char *name, const StackStatus *st, const ProofStatus *p) {
        for (ProofState v = 0; v < _PROOF_STATE_MAX; v++)
                buf_printf(&m->out, "%s{%s,verdict=\"%s\"} %d\n", name, proof_labels(m, st, p),
                           proof_state_name(v), v == p->state);
}

static void add_leak(Metrics *m, const char *name, const StackStatus *st, const ProofStatus *p) {
        buf_printf(&m->out, "%s{%s} %d\n", name, proof_labels(m, st, p),
                   p->state == PROOF_STATE_FAILED && p->record.leak);
}

static void add_in_a_row(Metrics *m, const char *name, const StackStatus *st, const ProofStatus *p) {
        buf_printf(&m->out, "%s{%s} %u\n", name, proof_labels(m, st, p), p->unproven_in_a_row);
}

static void add_timestamp(Metrics *m, const char *name, const StackStatus *st, const ProofStatus *p) {
        if (p->has_record)
                buf_printf(&m->out, "%s{%s} %" PRIu64 ".%06" PRIu64 "\n", name, proof_labels(m, st, p),
                           p->record.realtime_usec / USEC_PER_SEC, p->record.realtime_usec % USEC_PER_SEC);
}

static void add_duration(Metrics *m, const char *name, const StackStatus *st, const ProofStatus *p) {
        if (p->has_record && !p->record.pending)
                buf_printf(&m->out, "%s{%s} %" PRIu64 ".%03" PRIu64 "\n", name, proof_labels(m, st, p),
                           p->record.duration_ms / 1000, p->record.duration_ms % 1000);
}

static const struct Family {
        const char *name, *help;
        void (*of_stack)(Metrics *m, const char *name, const StackStatus *st);
        void (*of_proof)(Metrics *m, const char *name, const StackStatus *st, const ProofStatus *p);
} families[] = {
        { "unitproof_stack_compiled", "Whether the files of the stack can be compiled.", add_compiled, NULL },
        { "unitproof_stack_active", "Whether the target of the stack is active.", add_active, NULL },
        { "unitproof_stack_halted",
          "Whether the stack was halted after a leak and not been looked after yet.", add_halted, NULL },
        { "unitproof_service_active", "Whether the unit of the service is active.", add_service_active,
          NULL },
        { "unitproof_service_held", "Whether the client of a tunnel was stopped by hand, and stays so.",
          add_service_held, NULL },
        { "unitproof_proof_verdict", "What is known now: 1 for the verdict that holds, 0 for the others.",
          NULL, add_verdict },
        { "unitproof_proof_leak", "Whether the proof failed because of a leak.", NULL, add_leak },
        { "unitproof_proof_unproven_in_a_row",
          "How many looks at the running service in a row came to nothing.", NULL, add_in_a_row },
        { "unitproof_proof_timestamp_seconds", "When the proof came to its verdict, in Unix time.", NULL,
          add_timestamp },
        { "unitproof_proof_duration_seconds", "How long the proof took.", NULL, add_duration },
};

static void add_family(Metrics *m, const struct Family *f) {
        buf_printf(&m->out, "# HELP %s %s\n# TYPE %s gauge\n", f->name, f->help, f->name);
        for (size_t i = 0; i < m->n_stacks; i++) {
                const StackStatus *st = m->stacks + i;

                if (f->of_stack)
                        f->of_stack(m, f->name, st);
                for (size_t k = 0; f->of_proof && st->proofs && k < st->compiled->model->n_proofs; k++)
                        f->of_proof(m, f->name, st, st->proofs + k);
        }
}

/* A series that stands twice spoils the whole file for those who read it: one stack may be asked for twice,
 * by its name and by its path, and two names can look the same once they are printable. */
static size_t drop_repeated(Arena *a, const StackStatus *stacks, size_t n, StackStatus *ret) {
        const char **seen = arena_new_array(a, const char *, n + 1);
        size_t kept = 0;

        for (size_t i = 0; i < n; i++) {
                const char *name = label(a, stacks[i].name);
                size_t k = 0;

                while (k < kept && !str_equal(seen[k], name))
                        k++;
                if (k < kept)
                        continue;
                seen[kept] = name;
                ret[kept++] = stacks[i];
        }
        return kept;
}

const char *status_metrics(Session *s, const StackStatus *stacks, size_t n) {
        StackStatus *once = arena_new_array(s->arena, StackStatus, n + 1);
        Metrics m = {
                .session = s,
                .out = BUF(s->arena),
                .stacks = once,
                .n_stacks = drop_repeated(s->arena, stacks, n, once),
        };

        for (size_t i = 0; i < ELEMENTS(families); i++)
                add_family(&m, families + i);
        return buf_text(&m.out);
}

/* One file for all: what is no more is not in the next one. */
int status_metrics_write(const char *dir, const char *text) {
        _cleanup_close_ int fd = -1;

        fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        return file_replace_at(fd, METRICS_FILE, text, strlen(text));
}
