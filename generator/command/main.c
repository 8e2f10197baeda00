/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "generator/base/limits.h"
#include "generator/base/no-core.h"
#include "generator/base/str.h"
#include "generator/command/command.h"
#include "generator/command/output.h"
#include "generator/facts/handles.h"

enum { GETOPT_FIRST = 256 };

/* getopt's own two forms of the option table. */
typedef struct OptionForms {
        struct option rows[_OPTION_MAX + 1];
        char letters[2 * _OPTION_MAX + 2];
} OptionForms;

static void make_forms(unsigned allowed, bool stop_early, OptionForms *ret) {
        size_t n = 0, used = 0;

        memset(ret, 0, sizeof(*ret));
        if (stop_early)
                ret->letters[used++] = '+';
        for (OptionId id = 0; id < _OPTION_MAX; id++) {
                const OptionRow *o = command_options + id;

                if (!(allowed & OPTION_BIT(id)))
                        continue;
                ret->rows[n++] = (struct option){
                        .name = o->name,
                        .has_arg = o->argument ? required_argument : no_argument,
                        .val = GETOPT_FIRST + (int) id,
                };
                if (o->letter == 0)
                        continue;
                ret->letters[used++] = o->letter;
                if (o->argument)
                        ret->letters[used++] = ':';
        }
}

static OptionId option_of(int value) {
        if (value >= GETOPT_FIRST)
                return (OptionId) (value - GETOPT_FIRST);
        for (OptionId id = 0; id < _OPTION_MAX; id++)
                if (command_options[id].letter == value)
                        return id;
        return _OPTION_MAX;
}

/* What getopt stumbled over, in a sentence. */
static const char *option_problem(Arena *a, char **argv, unsigned allowed) {
        OptionId id = option_of(optopt);
        const char *names[_OPTION_MAX], *word = argv[optind - 1], *near;
        size_t n = 0;

        if (optopt && id != _OPTION_MAX && (allowed & OPTION_BIT(id)))
                return arena_printf(a,
                                    command_options[id].argument ? "option '--%s' needs a value"
                                                                 : "option '--%s' takes no value",
                                    command_options[id].name);
        if (optopt)
                return arena_printf(a, "unknown option '-%c'", optopt);
        for (id = 0; id < _OPTION_MAX; id++)
                if (allowed & OPTION_BIT(id))
                        names[n++] = command_options[id].name;
        near = str_has_prefix(word, "--") ? str_nearest(word + 2, names, n) : NULL;
        return arena_printf(a, "unknown option '%s'%s%s%s", word, near ? ", did you mean '--" : "",
                            near ? near : "", near ? "'?" : "");
}

/* Parses from argv[optind]; STATUS_BAD_INPUT with what is wrong in *ret_problem. */
static int parse_options(Arena *a, int argc, char **argv, unsigned allowed, bool stop_early, Options *options,
                         const char **ret_problem) {
        OptionForms forms;
        int value;

        make_forms(allowed, stop_early, &forms);
        opterr = 0;
        while ((value = getopt_long(argc, argv, forms.letters, forms.rows, NULL)) != -1) {
                OptionId id = option_of(value);

                if (value == '?' || id == _OPTION_MAX) {
                        *ret_problem = option_problem(a, argv, allowed);
                        return STATUS_BAD_INPUT;
                }
                /* A script's variable that was never set. Of a root check_root() says more. */
                if (optarg && optarg[0] == '\0' && id != OPTION_ROOT) {
                        *ret_problem =
                                arena_printf(a, "the value of '--%s' is empty", command_options[id].name);
                        return STATUS_BAD_INPUT;
                }
                options->given[id] = true;
                options->text[id] = optarg;
                if (id == OPTION_PROFILE && options->n_profiles < PROFILES_MAX)
                        options->profiles[options->n_profiles++] = optarg;
        }
        return STATUS_GOOD;
}

static int usage(Session *s, const Command *c) {
        if (!s->json)
                fprintf(stderr, "usage: unitproof %s%s%s\n", c->name, c->usage[0] ? " " : "", c->usage);
        return command_fail(s, STATUS_BAD_INPUT, "usage", "see: unitproof help %s", c->name);
}

/* "/" in any spelling is the host itself. */
static bool is_host(const char *root) {
        _cleanup_free_ char *absolute = realpath(root, NULL);

        return str_equal(absolute, "/");
}

/* Paths below it are written behind it. */
static const char *without_slashes(Arena *a, const char *root) {
        size_t n = strlen(root);

        while (n > 1 && root[n - 1] == '/')
                n--;
        return arena_strndup(a, root, n);
}

static void begin_session(Session *s) {
        const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
        const bool color =
                !s->options.given[OPTION_NO_COLOR] && !(no_color && no_color[0]) && !str_equal(term, "dumb");

        s->json = s->options.given[OPTION_JSON];
        s->root = s->options.text[OPTION_ROOT] ? without_slashes(s->arena, s->options.text[OPTION_ROOT]) : "";
        if (is_host(s->root))
                s->root = "";
        s->color_out = color && !s->json && isatty(STDOUT_FILENO);
        s->color_err = color && isatty(STDERR_FILENO);
        s->answer = json_object();
        s->diagnostics = json_array();
        if (json_object_set_new(s->answer, "diagnostics", s->diagnostics) < 0)
                abort();
}

/* What cannot be printed was not said: a full disk behind standard output is a failure. */
static int end_session(Session *s, int status) {
        if (s->json) {
                (void) json_dumpf(s->answer, stdout, JSON_INDENT(2));
                (void) fputc('\n', stdout);
        }
        json_decref(s->answer);
        if (fflush(stdout) != 0 || ferror(stdout)) {
                fprintf(stderr, "unitproof: cannot write to standard output\n");
                return status == STATUS_GOOD ? STATUS_FAILED : status;
        }
        return status;
}

/* Beside a root that is not there everything else would look as if nothing had been set up. */
static int check_root(Session *s) {
        struct stat st;

        /* A script's variable that was never set must not mean this host. */
        if (s->options.text[OPTION_ROOT] && s->options.text[OPTION_ROOT][0] == '\0')
                return command_fail(s, STATUS_BAD_INPUT, "usage", "the root is empty; the host itself is /");
        if (!s->root[0])
                return STATUS_GOOD;
        if (stat(s->root, &st) < 0)
                return command_fail(s, STATUS_BAD_INPUT, "unreadable", "cannot use the root %s: %m", s->root);
        if (!S_ISDIR(st.st_mode))
                return command_fail(s, STATUS_BAD_INPUT, "unreadable", "the root %s is no directory",
                                    s->root);
        return STATUS_GOOD;
}

static int run_command(Session *s, const Command *c, int argc, char **argv) {
        if (s->options.given[OPTION_HELP]) {
                char *help[] = { (char *) (uintptr_t) c->name, NULL };

                return command_help(s, 1, help);
        }
        if (argc < c->min_args || (c->max_args >= 0 && argc > c->max_args))
                return usage(s, c);
        if (check_root(s) != STATUS_GOOD)
                return STATUS_BAD_INPUT;
        if (c->of_running && s->root[0] != '\0')
                return command_fail(s, STATUS_UNPROVEN, "systemd", NOTHING_RUNS_THERE);
        return c->run(s, argc, argv);
}

int main(int argc, char **argv) {
        _cleanup_arena_ Arena *arena = arena_new(LIMIT_ARENA_BYTES);
        Session s = { .arena = arena };
        const Command *c = NULL;
        const char *problem = NULL;
        int first, r;

        process_leave_no_core();
        r = parse_options(arena, argc, argv, OPTIONS_ALL, true, &s.options, &problem);
        first = optind;
        if (r == STATUS_GOOD && first < argc)
                c = command_find(argv[first]);
        if (c) {
                /* The command's name takes the place of the program's in getopt's messages and in what is
                 * left of argv. */
                optind = 0;
                r = parse_options(arena, argc - first, argv + first, OPTIONS_ALL | c->options, c->passes_on,
                                  &s.options, &problem);
        }

        /* Whoever reads JSON reads it of a mistake, too, wherever that stands. */
        for (int i = 1; (r != STATUS_GOOD || !c) && i < argc && !str_equal(argv[i], "--"); i++)
                s.options.given[OPTION_JSON] |= str_equal(argv[i], "--json");
        begin_session(&s);
        if (r != STATUS_GOOD)
                return end_session(&s, command_fail(&s, r, "usage", "%s; see: unitproof help%s%s", problem,
                                                    c ? " " : "", c ? c->name : ""));
        if (s.options.given[OPTION_VERSION]) {
                printf("unitproof " UNITPROOF_VERSION "\n");
                s.json = false;
                return end_session(&s, STATUS_GOOD);
        }
        if (!c && first < argc)
                return end_session(&s, command_unknown(&s, argv[first]));
        if (!c)
                return end_session(&s, command_help(&s, s.options.given[OPTION_HELP] ? 0 : -1, NULL));
        return end_session(&s, run_command(&s, c, argc - first - optind, argv + first + optind));
}
