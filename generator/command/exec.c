/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>
#include <unistd.h>

#include "generator/command/engines.h"
#include "generator/command/run.h"
#include "generator/command/session.h"

int command_exec(Session *s, int argc, char **argv) {
        Compiled *c = arena_new_object(s->arena, Compiled);
        const char **words = arena_new_array(s->arena, const char *, (size_t) argc + 4), *binary;
        const Service *service;
        size_t n = 0;
        int r;

        r = session_compile_quietly(s, argv[0], c);
        if (r != STATUS_GOOD)
                return r;
        service = stack_find(c->model, argv[1]);
        if (!service)
                return command_fail(s, STATUS_BAD_INPUT, "no-service", "the stack '%s' has no service '%s'",
                                    c->stack, argv[1]);
        if (!engines_with_containers(&binary))
                return command_fail(s, STATUS_FAILED, "no-engine",
                                    "there is no container engine on this host");

        words[n++] = binary;
        words[n++] = "exec";
        words[n++] = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) ? "-it" : "-i";
        words[n++] = service->container;
        for (int i = strcmp(argv[2], "--") == 0 ? 3 : 2; i < argc; i++)
                words[n++] = argv[i];
        if (n == 4)
                return command_fail(s, STATUS_BAD_INPUT, "usage", "say which command to run");
        return run_replace_path(s, binary, words);
}
