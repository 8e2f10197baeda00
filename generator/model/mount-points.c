/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/limits.h"
#include "generator/base/unit-name.h"
#include "generator/model/build.h"

/* What services stand on. First data roots of which the operator says that they are mount points: when such a
 * file system is not there its mount point is an empty directory, which is not the library: whoever has
 * something of it mounted stands on it. */

/* Who has all of the host mounted looks at the host, not at the data. */
static bool sees(const Service *s, const MountPoint *m) {
        for (size_t i = 0; i < s->n_mounts; i++) {
                const char *source = s->mounts[i].source;

                if (path_is_within(source, m->path) ||
                    (!str_equal(source, "/") && path_is_within(m->path, source)))
                        return true;
        }
        return false;
}

static bool point_name(Build *b, MountPoint *m) {
        char unit[UNIT_NAME_LENGTH_MAX_REQUIRES + 1];

        if (!unit_name_from_path(m->path, ".mount", sizeof(unit), unit)) {
                diag_error(b->diag, m->span, "wrong-value",
                           "the path is too long for the name of a mount unit of systemd");
                return false;
        }
        m->unit = arena_strdup(b->arena, unit);
        m->stem = arena_strndup(b->arena, unit, strlen(unit) - strlen(".mount"));
        return true;
}

static void stand(Build *b, Service *s, const MountPoint *m) {
        if (!s->stands_on)
                s->stands_on = arena_new_array(b->arena, const MountPoint *, b->options.n_data + 1);
        s->stands_on[s->n_stands_on++] = m;
}

static size_t services_take(Build *b, const MountPoint *m) {
        size_t n = 0;

        for (size_t i = 0; i < b->stack->n_services; i++) {
                Service *s = &b->stack->services[i];

                if (!sees(s, m))
                        continue;
                stand(b, s, m);
                n++;
        }
        return n;
}

static bool is_known(const Stack *st, const char *path) {
        for (size_t i = 0; i < st->n_mount_points; i++)
                if (str_equal(st->mount_points[i].path, path))
                        return true;
        return false;
}

/* Podman removes no container whose network another one has: who joined has to be gone before its unit can
 * make it anew, and is brought back then. */
static void joined_take(Build *b, Service *s) {
        Stack *st = b->stack;
        MountPoint *m;

        for (m = st->mount_points; m < st->mount_points + st->n_mount_points; m++)
                if (str_equal(m->unit, s->foreign_unit))
                        break;
        if (m == st->mount_points + st->n_mount_points) {
                *m = (MountPoint){
                        .unit = s->foreign_unit,
                        .stem = arena_strndup(b->arena, s->foreign_unit,
                                              strlen(s->foreign_unit) - strlen(".service")),
                        .span = s->owner_span,
                };
                st->n_mount_points++;
        }
        stand(b, s, m);
}

void mount_points_build(Build *b) {
        Stack *st = b->stack;

        st->mount_points = arena_new_array(b->arena, MountPoint, b->options.n_data + st->n_services + 1);
        for (size_t i = 0; i < b->options.n_data; i++) {
                const DataRoot *root = &b->options.data[i];
                MountPoint *m = &st->mount_points[st->n_mount_points];

                if (!root->is_mount || is_known(st, root->path))
                        continue;
                *m = (MountPoint){ .path = root->path, .span = root->mount_span };
                if (!point_name(b, m))
                        continue;
                if (services_take(b, m) == 0) {
                        diag_warning(b->diag, m->span, "unused-option", "no service mounts anything of %s",
                                     m->path);
                        continue;
                }
                st->n_mount_points++;
        }
        for (size_t i = 0; i < st->n_services; i++)
                if (st->services[i].foreign_unit)
                        joined_take(b, &st->services[i]);
}
