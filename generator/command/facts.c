/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>

#include "generator/command/output.h"
#include "generator/command/session.h"

int command_facts(Session *s, int argc, char **argv) {
        FactRow rows[FACTS_N_ROWS];
        json_t *o;
        Facts f;
        int r;

        (void) argc;
        (void) argv;
        r = session_facts(s, &f);
        if (r != STATUS_GOOD)
                return r;
        if (!s->json) {
                fputs(facts_print(s->arena, &f), stdout);
                return STATUS_GOOD;
        }

        o = json_object();
        facts_rows(&f, rows);
        for (size_t i = 0; i < FACTS_N_ROWS; i++)
                json_put(o, rows[i].name,
                         rows[i].text ? json_text(s, *rows[i].text) : json_integer(*rows[i].number));
        json_put(s->answer, "facts", o);
        return STATUS_GOOD;
}
