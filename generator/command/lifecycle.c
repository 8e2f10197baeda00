/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/command/command.h"
#include "generator/command/run.h"
#include "generator/command/session.h"

/* up, down and restart are what systemctl does with the stack's target; systemctl says how it went. A stack
 * whose folder is gone can still run. */
static int act(Session *s, const char *verb, const char *stack) {
        const int r = session_find_loaded(s, stack);

        if (r != STATUS_GOOD)
                return r;

        const char *const argv[] = { "systemctl", verb, arena_printf(s->arena, "%s.target", stack), NULL };
        return run_replace(s, "systemctl", argv);
}

int command_up(Session *s, int argc, char **argv) {
        (void) argc;
        return act(s, "start", argv[0]);
}

int command_down(Session *s, int argc, char **argv) {
        (void) argc;
        return act(s, "stop", argv[0]);
}

int command_restart(Session *s, int argc, char **argv) {
        (void) argc;
        return act(s, "restart", argv[0]);
}
