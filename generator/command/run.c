/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/command/run.h"

#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "generator/facts/handles.h"

const char *run_find(Session *s, const char *program) {
        static const char *const places[] = { "/usr/bin", "/bin", "/usr/sbin", "/sbin" };

        for (size_t i = 0; i < ELEMENTS(places); i++) {
                const char *path = arena_printf(s->arena, "%s/%s", places[i], program);

                if (access(path, X_OK) == 0)
                        return path;
        }
        return NULL;
}

int run_replace_path(Session *s, const char *path, const char *const *argv) {
        (void) fflush(NULL);
        (void) execv(path, (char *const *) (uintptr_t) argv);
        return command_fail(s, STATUS_FAILED, "no-program", "cannot run %s: %m", path);
}

int run_replace(Session *s, const char *program, const char *const *argv) {
        const char *path = run_find(s, program);

        if (!path)
                return command_fail(s, STATUS_FAILED, "no-program", "there is no %s on this host", program);
        return run_replace_path(s, path, argv);
}
