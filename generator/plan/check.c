/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/map.h"
#include "generator/base/limits.h"
#include "generator/base/str.h"
#include "generator/plan/plan.h"
#include "generator/write/escape.h"

/* systemd refuses the whole file when a line is longer (LONG_LINE_MAX, fileio.h). */
#define LINE_BYTES_MAX (1024 * 1024 - 1)

enum { SECRET_BYTES_MIN = 8 };

static bool path_is_inside(Arena *a, const char *path) {
        return path[0] && path[0] != '/' && path[0] != '.' && !str_has_prefix(path, "..") &&
               str_equal(path_normalize(a, path), path);
}

static void check_name(Diag *d, const char *name, Span origin) {
        if (!unit_name_is_valid(name)) {
                diag_error(d, origin, "plan", "'%s' is no valid unit name",
                           escape_for_message(d->arena, name, /* max= */ 120));
                diag_hint(d, "a unit name has letters, digits and :_.- and at most %d bytes",
                          UNIT_NAME_LENGTH_MAX);
        } else if (strlen(name) > UNIT_NAME_LENGTH_MAX_REQUIRES) {
                diag_error(d, origin, "plan", "the unit name '%s' is longer than %d bytes", name,
                           UNIT_NAME_LENGTH_MAX_REQUIRES);
                diag_hint(d, "shorten the names of the stack or of the service");
        }
}

static void check_text(Diag *d, const PlanItem *item) {
        size_t line = 1;

        if (!str_is_utf8(item->text, strlen(item->text)))
                diag_error(d, item->origin, "plan", "%s would not be UTF-8", item->path);
        for (const char *p = item->text; *p; line++) {
                size_t n = strcspn(p, "\n");

                if (n > LINE_BYTES_MAX)
                        diag_error(d, item->origin, "plan",
                                   "%s would have %zu bytes in line %zu, which systemd does not read",
                                   item->path, n, line);
                p += n + (p[n] == '\n');
        }
}

/* The last net: whatever way a secret took, it does not get into text that everybody may read. */
static void check_secrets(Diag *d, const PlanItem *item) {
        for (size_t i = 0; i < d->n_secrets; i++) {
                const DiagSecret *secret = d->secrets + i;

                /* Something shorter may well be a word of ours. */
                if (strlen(secret->value) < SECRET_BYTES_MIN || !strstr(item->text, secret->value) ||
                    diag_is_spelt_out(d, secret))
                        continue;
                diag_error(d, item->origin, "secret-visible",
                           "the value of '%s', a secret of the environment file, would stand in %s, which "
                           "everybody on "
                           "this host may read",
                           secret->name, item->path);
                diag_hint(d, "pass it by 'environment' or a file instead, or rename the variable if it is no "
                             "secret");
                return;
        }
}

static void check_unique(Diag *d, Map *seen, const char *name, const Span *origin) {
        const Span *other = map_get(seen, name);

        if (other) {
                diag_error(d, *origin, "plan", "two parts of the stack would both be '%s'", name);
                diag_hint(d, "the other one comes from %s; rename one of them",
                          diag_position(d, d->arena, *other));
        } else
                map_set(d->arena, seen, name, (void *) origin);
}

void plan_check(const Plan *p, Diag *d) {
        Map seen = { 0 };

        for (size_t i = 0; i < p->n_items; i++) {
                const PlanItem *item = p->items + i;

                if (!path_is_inside(d->arena, item->path))
                        diag_error(d, item->origin, "plan", "'%s' leads out of the output directory",
                                   escape_for_message(d->arena, item->path, /* max= */ 120));
                check_unique(d, &seen, item->path, &item->origin);
                if (item->phase == PLAN_UNIT && !strchr(item->path, '/'))
                        check_name(d, item->path, item->origin);
                if (item->text)
                        check_text(d, item);
                /* The folder of the private ones is closed, whatever modes are in it. */
                if (item->text && item->phase != PLAN_PRIVATE && (item->mode & 0044))
                        check_secrets(d, item);
        }
        for (size_t i = 0; i < p->n_expected; i++) {
                check_name(d, p->expected[i].unit, p->expected[i].origin);
                check_unique(d, &seen, p->expected[i].unit, &p->expected[i].origin);
        }
}
