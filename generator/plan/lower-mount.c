/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/plan/lower.h"

/* A mount point that services stand on, or the unit of a container of another stack whose network they join:
 * they start only when something is mounted there, stop when it goes, and are started again when it is back.
 */

static const char *mounted_unit(Lower *l, const MountPoint *m) {
        return arena_printf(l->arena, "%s-%s-%s.service", l->stack->name, m->path ? "mounted" : "joined",
                            m->stem);
}

/* What it is called in sentences. */
static const char *point_name(const MountPoint *m) {
        return m->path ?: m->unit;
}

void draft_stand(Draft *d) {
        Lower *l = d->lower;
        const Service *s = d->service;
        const char *const lift[] = { "-" PROGRAM_RM, "-f", "--", lower_held_path(l, s) };

        for (size_t i = 0; i < s->n_stands_on; i++) {
                const MountPoint *m = s->stands_on[i];

                deps_add(l->arena, &d->deps, DEP_BINDS_TO, m->unit);
                deps_add(l->arena, &d->deps, DEP_AFTER, m->unit);
                if (!m->path)
                        continue;
                d->unit.span = m->span;
                unit_line(&d->unit, "RequiresMountsFor", ESCAPE_PATH_LIST, m->path);
                /* Whatever the unit says: an empty mount point is not the data. */
                unit_line(&d->unit, "AssertPathIsMountPoint", ESCAPE_PATH, m->path);
        }
        /* Somebody starts it, so an earlier stop by hand is over; of clients the return unit says that. */
        if (s->n_stands_on > 0 && !s->tunnel)
                unit_words(&d->gate, "ExecStartPre", ESCAPE_ARGV, lift, ELEMENTS(lift));
}

static bool stands_on(const Service *s, const MountPoint *m) {
        for (size_t i = 0; i < s->n_stands_on; i++)
                if (s->stands_on[i] == m)
                        return true;
        return false;
}

static void write_mounted(Lower *l, const MountPoint *m) {
        const char *const start[] = { PROGRAM_GATE,   "mounted",  "--stack",
                                      l->stack->name, "--target", l->target };
        UnitWriter w = unit_writer(l->arena, l->diag);
        Words words = { 0 };

        for (size_t i = 0; i < ELEMENTS(start); i++)
                words_add(l->arena, &words, start[i]);
        for (size_t i = 0; i < l->stack->n_services; i++) {
                const Service *s = l->stack->services + i;

                if (!stands_on(s, m))
                        continue;
                words_add(l->arena, &words, s->tunnel ? "--return" : "--start");
                words_add(l->arena, &words,
                          arena_printf(l->arena, "%s:%s", s->name,
                                       s->tunnel ? lower_return_unit(l, s) : s->unit));
        }
        w.span = m->span;
        unit_words(&w, "ExecStart", ESCAPE_ARGV, words.items, words.n);

        const TemplateValue values[] = {
                { TOKEN_NOTE, lower_note(l, m->span, "Brings back what stands on %s", point_name(m)) },
                { TOKEN_DESCRIPTION,
                  arena_printf(l->arena, "%s: return of what stands on %s", l->stack->name, point_name(m)) },
                { TOKEN_SOURCE, l->stack->source },
                { TOKEN_MOUNT_UNIT, m->unit },
                { TOKEN_SERVICE_LINES, unit_writer_text(&w) },
        };

        lower_unit(l, mounted_unit(l, m), m->span,
                   template_fill(l->arena, l->diag, m->span, &template_mounted_service, values,
                                 ELEMENTS(values)));
}

/* Upholds= and not Wants=, which counts only when systemd itself mounts. */
static void write_upheld(Lower *l, const MountPoint *m) {
        UnitWriter w = unit_writer(l->arena, l->diag);

        w.span = m->span;
        unit_line(&w, "Upholds", ESCAPE_NAME, mounted_unit(l, m));

        const TemplateValue values[] = {
                { TOKEN_NOTE, lower_note(l, m->span, "What stack '%s' does when %s is %s", l->stack->name,
                                         point_name(m), m->path ? "mounted" : "up") },
                { TOKEN_UNIT_LINES, unit_writer_text(&w) },
        };

        lower_unit(
                l, arena_printf(l->arena, "%s.d/50-unitproof-%s.conf", m->unit, l->stack->name), m->span,
                template_fill(l->arena, l->diag, m->span, &template_mount_dropin, values, ELEMENTS(values)));
}

void lower_mounts(Lower *l) {
        for (size_t i = 0; i < l->stack->n_mount_points; i++) {
                write_mounted(l, l->stack->mount_points + i);
                write_upheld(l, l->stack->mount_points + i);
        }
}
