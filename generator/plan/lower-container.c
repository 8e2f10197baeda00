/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* One service, one .container file. */

/* Long enough for the first pull of a large image over a slow line. */
#define START_TIMEOUT "900"

static UnitWriter *network_writer(Lower *l, const Service *s, Draft *d) {
        if (s->network == NETWORK_JOIN || s->network == NETWORK_FOREIGN)
                return NULL;
        return s->is_owner ? &l->pods[lower_index(l, s)].lines : &d->container;
}

static void write_identity(Draft *d) {
        const Service *s = d->service;
        UnitWriter *w = &d->container;

        w->span = s->span;
        unit_line(w, "ContainerName", ESCAPE_QUADLET_SCALAR, s->container);
        if (s->pod) {
                unit_linef(w, "Pod", ESCAPE_QUADLET_SCALAR, "%s.pod", s->pod);
                /* Who starts when is the graph's business. */
                unit_line(w, "StartWithPod", ESCAPE_WORD, "false");
        }
        draft_built_image(d);
        if (!node_is_scalar(node_get(s->node, "image")) && node_is_null(node_get(s->node, "build")) &&
            node_is_null(node_get(s->node, "provider")))
                draft_refuse(d, s->node, "service '%s' has no image", s->name);
}

/* The files that only root reads. */
static void write_private(Draft *d) {
        Lower *l = d->lower;
        const Service *s = d->service;
        UnitWriter *w = &d->container;

        w->span = d->lines.span = s->span;
        if (d->environment.len > 0) {
                const char *name = arena_printf(l->arena, "%s.env", s->name);

                lower_private(l, name, s->span, 0600, buf_text(&d->environment));
                unit_line(w, "EnvironmentFile", ESCAPE_QUADLET_ARGV,
                          arena_printf(l->arena, "%s/%s", l->private_path, name));
        }
        if (d->labels.len > 0) {
                const char *name = arena_printf(l->arena, "%s.labels", s->name);

                lower_private(l, name, s->span, 0600, buf_text(&d->labels));
                unit_line(w, "PodmanArgs", ESCAPE_QUADLET_ARGV,
                          arena_printf(l->arena, "--label-file=%s/%s", l->private_path, name));
        }
        draft_write_words(d);
}

static void write_service(Draft *d) {
        const Service *s = d->service;
        UnitWriter *w = &d->lines;

        if (s->completes) {
                unit_line(w, "Type", ESCAPE_WORD, "oneshot");
                unit_line(w, "RemainAfterExit", ESCAPE_WORD, "yes");
                /* Starting is running to the end. */
                unit_line(w, "TimeoutStartSec", ESCAPE_WORD, "infinity");
        } else
                unit_line(w, "TimeoutStartSec", ESCAPE_WORD, START_TIMEOUT);
}

/* What has to be there before the engine is asked, after the gate has spoken. */
static void write_preparation(Draft *d, UnitWriter *w) {
        w->span = d->service->span;
        if (d->n_directories > 0) {
                unit_begin(w, "ExecStartPre");
                /* What is there already, as whatever, is fine; if it is missing then, the engine says so. */
                unit_word(w, ESCAPE_ARGV, "-" PROGRAM_MKDIR);
                unit_word(w, ESCAPE_ARGV, "-p");
                unit_word(w, ESCAPE_ARGV, "--");
                for (size_t i = 0; i < d->n_directories; i++)
                        unit_word(w, ESCAPE_ARGV, d->directories[i]);
                unit_end(w);
        }
        for (size_t i = 0; i < d->n_external_volumes; i++) {
                const char *const words[] = { PROGRAM_PODMAN, "volume", "exists", d->external_volumes[i] };

                /* podman run would make it, empty. */
                unit_words(w, "ExecStartPre", ESCAPE_ARGV, words, ELEMENTS(words));
        }
}

void lower_container(Lower *l, const Service *s) {
        Draft d = {
                .lower = l,
                .service = s,
                .container = unit_writer(l->arena, l->diag),
                .unit = unit_writer(l->arena, l->diag),
                .gate = unit_writer(l->arena, l->diag),
                .proofs = unit_writer(l->arena, l->diag),
                .commands = unit_writer(l->arena, l->diag),
                .lines = unit_writer(l->arena, l->diag),
                .environment = BUF(l->arena),
                .labels = BUF(l->arena),
                .words = BUF(l->arena),
                .words_name = arena_printf(l->arena, "%s.words", s->name),
        };
        const char *file = arena_printf(l->arena, "%s-%s.container", l->stack->name, s->name);
        UnitWriter unit = unit_writer(l->arena, l->diag), service = unit_writer(l->arena, l->diag);

        d.network = network_writer(l, s, &d);
        write_identity(&d);
        write_service(&d);
        draft_emit_keys(&d);
        write_private(&d);
        draft_depend(&d);

        deps_write(&d.deps, &unit);
        buf_add(&unit.buf, unit_writer_text(&d.unit));
        buf_add(&service.buf, unit_writer_text(&d.lines));
        buf_add(&service.buf, unit_writer_text(&d.gate));
        write_preparation(&d, &service);
        buf_add(&service.buf, unit_writer_text(&d.proofs));
        buf_add(&service.buf, unit_writer_text(&d.commands));

        const TemplateValue values[] = {
                { TOKEN_NOTE, lower_note(l, s->span, "Service '%s' of stack '%s'", s->name, l->stack->name) },
                { TOKEN_DESCRIPTION, arena_printf(l->arena, "%s: %s", l->stack->name, s->name) },
                { TOKEN_TARGET, l->target },
                { TOKEN_UNIT_LINES, unit_writer_text(&unit) },
                { TOKEN_LINES, unit_writer_text(&d.container) },
                { TOKEN_SERVICE_LINES, unit_writer_text(&service) },
        };

        lower_quadlet(
                l, file, s->unit, s->span,
                template_fill(l->arena, l->diag, s->span, &template_container, values, ELEMENTS(values)));
}
