/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>

#include "generator/command/output.h"
#include "generator/command/session.h"
#include "generator/compose/compose.h"

/* The answer is JSON with and without --json, so that it compares with `docker compose config --format json`;
 * with it, the model stands beside the diagnostics. */
int command_config(Session *s, int argc, char **argv) {
        Compiled *c = arena_new_object(s->arena, Compiled);
        const char *text;
        json_t *model;
        int r;

        (void) argc;
        r = session_compile_report(s, argv[0], LOADED_DIR, c);
        /* A model that resolved is worth seeing although no units can be made from it. */
        if (!c->node)
                return r;
        text = compose_to_json(s->arena, c->node);
        if (!s->json) {
                puts(text);
                return r;
        }
        model = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
        if (!model)
                return command_fail(s, STATUS_FAILED, "json", "the resolved model is no valid JSON");
        json_put(s->answer, "config", model);
        return r;
}
