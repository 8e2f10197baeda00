/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "generator/base/arena.h"

/* `unitproof`: a table of subcommands, a file each. */

/* Exit statuses, the same for all subcommands. */
enum {
        STATUS_GOOD = 0,
        STATUS_FAILED = 1, /* it was done and the answer is no: a proof failed, something differs, a unit did
                              not come out */
        STATUS_BAD_INPUT = 2, /* wrong command line, or a file with errors */
        STATUS_UNPROVEN = 3,  /* a proof could not be decided, or never ran */
};

typedef enum OptionId {
        OPTION_DOT,
        OPTION_DRY_RUN,
        OPTION_FACTS,
        OPTION_FOLLOW,
        OPTION_HELP,
        OPTION_JSON,
        OPTION_LINES,
        OPTION_NAME,
        OPTION_NO_COLOR,
        OPTION_OUTPUT,
        OPTION_PROFILE,
        OPTION_PROMETHEUS,
        OPTION_ROOT,
        OPTION_VERSION,
        OPTION_YES,
        _OPTION_MAX,
} OptionId;

#define OPTION_BIT(id) (1u << (id))

typedef struct OptionRow {
        const char *name;
        char letter;          /* 0 if it has none */
        const char *argument; /* "DIR", or NULL */
        const char *meaning;
} OptionRow;

/* Indexed by OptionId, which is sorted by name. */
extern const OptionRow command_options[_OPTION_MAX];

/* Those that every subcommand takes. */
#define OPTIONS_ALL                                                                                          \
        (OPTION_BIT(OPTION_FACTS) | OPTION_BIT(OPTION_HELP) | OPTION_BIT(OPTION_JSON) |                      \
         OPTION_BIT(OPTION_NO_COLOR) | OPTION_BIT(OPTION_ROOT) | OPTION_BIT(OPTION_VERSION))

enum { PROFILES_MAX = 32 };

typedef struct Options {
        bool given[_OPTION_MAX];
        const char *text[_OPTION_MAX]; /* of those with an argument */
        const char *profiles[PROFILES_MAX];
        size_t n_profiles;
} Options;

/* What session.c reads once. */
typedef struct SessionHost SessionHost;

/* One run of the command. */
typedef struct Session {
        Arena *arena;
        Options options;
        const char *root; /* "" or --root */
        bool json;
        json_t *answer;      /* with --json: what main prints; always has "diagnostics" */
        json_t *diagnostics; /* borrowed from answer */
        bool color_out, color_err;
        SessionHost *host;
} Session;

typedef struct Command {
        const char *name;
        int (*run)(Session *s, int argc,
                   char **argv); /* argv without the command's name; returns an exit status */
        const char *usage;       /* arguments */
        const char *summary;     /* one line */
        unsigned options;        /* OPTION_BITs beyond OPTIONS_ALL */
        int min_args, max_args;  /* max -1: no limit */
        bool of_running;         /* asks or changes what runs, which is not there below another root */
        bool passes_on; /* the first argument ends the options: the rest may be for another program */
} Command;

/* What is said of such a command, and of the states that `status` cannot ask for. */
#define NOTHING_RUNS_THERE "another root has no running systemd"

extern const Command commands[];
extern const size_t n_commands;

const Command *command_find(const char *name);

/* Says so, with the nearest that there is; returns STATUS_BAD_INPUT. */
int command_unknown(Session *s, const char *word);

int command_check(Session *s, int argc, char **argv);
int command_config(Session *s, int argc, char **argv);
int command_diff(Session *s, int argc, char **argv);
int command_down(Session *s, int argc, char **argv);
int command_drill(Session *s, int argc, char **argv);
int command_engines(Session *s, int argc, char **argv);
int command_exec(Session *s, int argc, char **argv);
int command_explain(Session *s, int argc, char **argv);
int command_facts(Session *s, int argc, char **argv);
int command_generate(Session *s, int argc, char **argv);
int command_graph(Session *s, int argc, char **argv);
int command_help(Session *s, int argc, char **argv);
int command_import(Session *s, int argc, char **argv);
int command_logs(Session *s, int argc, char **argv);
int command_prove(Session *s, int argc, char **argv);
int command_restart(Session *s, int argc, char **argv);
int command_status(Session *s, int argc, char **argv);
int command_up(Session *s, int argc, char **argv);

/* "unitproof: TEXT" on standard error (with --json a diagnostic as well); returns STATUS_BAD_INPUT or the
 * status given. */
int command_fail(Session *s, int status, const char *code, const char *format, ...)
        __attribute__((format(printf, 4, 5)));
