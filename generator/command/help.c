/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>

#include "generator/base/str.h"
#include "generator/command/command.h"
#include "generator/command/output.h"

static void print_option(FILE *f, const OptionRow *o) {
        char left[64];

        (void) snprintf(left, sizeof(left), "%s%c%s--%s%s%s", o->letter ? "-" : "",
                        o->letter ? o->letter : ' ', o->letter ? ", " : "   ", o->name,
                        o->argument ? " " : "", o->argument ? o->argument : "");
        fprintf(f, "  %-24s %s\n", left, o->meaning);
}

static void print_options(FILE *f, unsigned mask) {
        for (OptionId id = 0; id < _OPTION_MAX; id++)
                if (mask & OPTION_BIT(id))
                        print_option(f, command_options + id);
}

static void print_overview(FILE *f) {
        fprintf(f, "usage: unitproof [OPTION]... COMMAND [ARGUMENT]...\n\n"
                   "Compose files as proven systemd units.\n\nCommands:\n");
        for (size_t i = 0; i < n_commands; i++)
                fprintf(f, "  %-10s %s\n", commands[i].name, commands[i].summary);
        fprintf(f, "\nOptions:\n");
        print_options(f, OPTIONS_ALL);
        fprintf(f, "\nFILE-OR-STACK is a path, \"-\" for standard input, or the name of a directory in "
                   "/etc/unitproof.\n"
                   "Exit status: 0 good, 1 no, 2 wrong use or wrong input, 3 unproven. See unitproof(1).\n");
}

static json_t *options_json(Session *s, unsigned mask) {
        json_t *list = json_array();

        for (OptionId id = 0; id < _OPTION_MAX; id++) {
                const OptionRow *o = command_options + id;
                json_t *row;

                if (!(mask & OPTION_BIT(id)))
                        continue;
                row = json_object();
                json_put(row, "name", json_text(s, o->name));
                json_put(row, "letter", o->letter ? json_stringn(&o->letter, 1) : json_null());
                json_put(row, "argument", json_text(s, o->argument));
                json_put(row, "meaning", json_text(s, o->meaning));
                (void) json_array_append_new(list, row);
        }
        return list;
}

static void answer_table(Session *s) {
        json_t *list = json_array();

        for (size_t i = 0; i < n_commands; i++) {
                json_t *row = json_object();

                json_put(row, "name", json_text(s, commands[i].name));
                json_put(row, "usage", json_text(s, commands[i].usage));
                json_put(row, "summary", json_text(s, commands[i].summary));
                json_put(row, "options", options_json(s, commands[i].options));
                (void) json_array_append_new(list, row);
        }
        json_put(s->answer, "commands", list);
        json_put(s->answer, "options", options_json(s, OPTIONS_ALL));
}

int command_unknown(Session *s, const char *word) {
        const char **names = arena_new_array(s->arena, const char *, n_commands), *near;

        for (size_t i = 0; i < n_commands; i++)
                names[i] = commands[i].name;
        near = str_nearest(word, names, n_commands);
        return command_fail(s, STATUS_BAD_INPUT, "usage", "unknown command '%s'%s%s%s; see: unitproof help",
                            word, near ? ", did you mean '" : "", near ? near : "", near ? "'?" : "");
}

/* argc -1: nothing was asked for, so the help goes to standard error and the status says "wrong use". */
int command_help(Session *s, int argc, char **argv) {
        const Command *c;

        if (s->json)
                answer_table(s);
        else if (argc <= 0)
                print_overview(argc < 0 ? stderr : stdout);
        if (argc < 0)
                return STATUS_BAD_INPUT;
        if (argc == 0)
                return STATUS_GOOD;

        c = command_find(argv[0]);
        if (!c)
                return command_unknown(s, argv[0]);
        if (s->json)
                return STATUS_GOOD;
        printf("usage: unitproof %s [OPTION]...%s%s\n\n%s.\n\nOptions:\n", c->name, c->usage[0] ? " " : "",
               c->usage, c->summary);
        print_options(stdout, c->options | OPTIONS_ALL);
        return STATUS_GOOD;
}
