/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/plan/plan.h"
#include "generator/write/tokens.h"
#include "templates/templates.h"

/* Of a message, what systemctl shows in one line, and how many lines the journal gets. */
enum { SUMMARY_CHARS = 160, MESSAGE_LINES_MAX = 60 };

/* One line of text that any Description= can hold. */
static const char *summary(Arena *a, const char *text) {
        const char *line = escape_for_message(a, arena_strndup(a, text, strcspn(text, "\n")), SUMMARY_CHARS);
        char *p;

        while (*line == ' ' || *line == '\t')
                line++;
        p = arena_strdup(a, line);
        for (size_t n = strlen(p); n > 0 && strchr(" \t\\", p[n - 1]); n--)
                p[n - 1] = '\0';
        return str_is_utf8(p, strlen(p)) && p[0] ? p : "see the journal";
}

static const char *input_lines(Arena *a, Diag *d, const char *message) {
        UnitWriter w = unit_writer(a, d);
        size_t lines = 0;

        for (const char *p = message; *p && lines < MESSAGE_LINES_MAX;) {
                size_t n = strcspn(p, "\n");
                const char *line = escape_for_message(a, arena_strndup(a, p, n), /* max= */ 2000);

                if (n > 0 && !escape_refusal(ESCAPE_INPUT_TEXT, line)) {
                        unit_line(&w, "StandardInputText", ESCAPE_INPUT_TEXT, line);
                        lines++;
                }
                p += n + (p[n] == '\n');
        }
        return unit_writer_text(&w);
}

static void add_unit(Plan *p, const char *path, const char *text) {
        const PlanItem item = { .phase = PLAN_UNIT, .path = path, .mode = 0644, .text = text };

        plan_add(p, item);
}

static void add_failed_unit(Plan *p, const char *unit, const char *note, const char *description,
                            const char *source, const char *message) {
        /* Whatever a message holds was made printable above: nothing is left to complain about. */
        Sources none = { .arena = p->arena };
        Diag ignored = { .arena = p->arena, .sources = &none };
        const TemplateValue values[] = {
                { TOKEN_NOTE, note },
                { TOKEN_DESCRIPTION, description },
                { TOKEN_SOURCE, escape_refusal(ESCAPE_PATH, source) ? "/etc/unitproof" : source },
                { TOKEN_SERVICE_LINES, input_lines(p->arena, &ignored, message) },
        };

        add_unit(p, unit,
                 template_fill(p->arena, &ignored, (Span){ 0 }, &template_failed_service, values,
                               ELEMENTS(values)));
}

static const char *describe(Arena *a, const Diag *why) {
        Buf b = BUF(a);

        for (size_t i = 0; i < why->n_entries; i++) {
                const DiagEntry *e = why->entries + i;
                const char *position = diag_origin(why, a, e->span);

                if (e->level != DIAG_ERROR)
                        continue;
                buf_printf(&b, "%s%serror: %s [%s]\n", position, position[0] ? ": " : "", e->text, e->code);
                if (e->hint)
                        buf_printf(&b, "hint: %s\n", e->hint);
        }
        return b.len > 0 ? buf_text(&b) : "the stack could not be compiled\n";
}

Plan *plan_failed(Arena *a, const char *stack, const char *source_path, const Diag *why) {
        Plan *p = arena_new_object(a, Plan);
        const char *message = describe(a, why), *target = arena_printf(a, "%s.target", stack);
        const char *unit = arena_printf(a, "%s-failed.service", stack);
        Sources none = { .arena = a };
        Diag ignored = { .arena = a, .sources = &none };
        UnitWriter wants = unit_writer(a, &ignored);

        unit_line(&wants, "Wants", ESCAPE_NAME, unit);

        const TemplateValue values[] = {
                { TOKEN_NOTE,
                  arena_printf(a, "Stack '%s', which could not be compiled: %s says why.", stack, unit) },
                { TOKEN_DESCRIPTION, arena_printf(a, "Stack %s (not compiled)", stack) },
                { TOKEN_SOURCE, escape_refusal(ESCAPE_PATH, source_path) ? "/etc/unitproof" : source_path },
                { TOKEN_UNIT_LINES, unit_writer_text(&wants) },
        };

        *p = (Plan){ .arena = a, .stack = stack };
        add_unit(p, target,
                 template_fill(a, &ignored, (Span){ 0 }, &template_stack_target, values, ELEMENTS(values)));
        add_failed_unit(p, unit,
                        arena_printf(a, "Stands for stack '%s', which could not be compiled.", stack),
                        arena_printf(a, "Stack %s: %s", stack, summary(a, message)), source_path, message);
        plan_add_activation(p, target, (Span){ 0 });
        plan_sort(p);
        return p;
}

Plan *plan_failed_unit(Arena *a, const char *stack, const char *unit, const char *position,
                       const char *message) {
        Plan *p = arena_new_object(a, Plan);
        const char *colon = strchr(position, ':');
        const char *text = arena_printf(a, "%s%serror: %s\n", position, position[0] ? ": " : "", message);

        *p = (Plan){ .arena = a, .stack = stack };
        add_failed_unit(p, unit,
                        arena_printf(a, "Stands for a unit of stack '%s' that could not be made%s%s.", stack,
                                     position[0] ? ", from " : "", position),
                        arena_printf(a, "%s: %s", unit, summary(a, message)),
                        arena_strndup(a, position, colon ? (size_t) (colon - position) : strlen(position)),
                        text);
        plan_sort(p);
        return p;
}
