/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "proofs/util.h"

enum { OPTION_ROWS_MAX = 48, OPTION_HELP = 256, OPTION_VERSION, OPTION_FIRST };

static void print_help(const OptionTable *table, int verb) {
        printf("Usage: %s %s [OPTION...]\n\n%s\n", table->program,
               verb >= 0 ? table->verbs[verb].name : "VERB",
               verb >= 0 ? table->verbs[verb].help : table->summary);
        if (verb < 0) {
                printf("\nVerbs:\n");
                for (size_t i = 0; i < table->n_verbs; i++)
                        printf("  %-10s %s\n", table->verbs[i].name, table->verbs[i].help);
                printf("\n%s VERB --help lists the options of a verb.\n", table->program);
                return;
        }
        printf("\nOptions (* must be given):\n");
        for (size_t i = 0; i < table->n_rows; i++) {
                const OptionRow *row = &table->rows[i];
                char left[64];

                if (!(row->verbs & (1u << verb)))
                        continue;
                (void) snprintf(left, sizeof(left), "--%s%s%s", row->name, row->argument ? " " : "",
                                row->argument ?: "");
                printf("  %-28s %s%s\n", left, row->required & (1u << verb) ? "* " : "", row->help);
        }
        printf("  %-28s this text\n  %-28s version\n", "--help", "--version");
}

static int complain(const OptionTable *table, const char *what, const char *detail) {
        fprintf(stderr, "%s: %s%s\n  %s --help lists verbs and options.\n", table->program, what, detail,
                table->program);
        return -EINVAL;
}

static int verb_find(const OptionTable *table, const char *name) {
        for (size_t i = 0; i < table->n_verbs; i++)
                if (strcmp(table->verbs[i].name, name) == 0)
                        return (int) i;
        return -1;
}

/* Stores one value; false if it does not fit the option. */
static bool row_store(const OptionRow *row, const char *value, void *target) {
        char *field = (char *) target + row->offset;
        OptionList *list = (OptionList *) (void *) field;

        if (row->type == OPTION_FLAG) {
                *(bool *) field = true;
                return true;
        }
        if (!value || value[0] == '\0' || (row->is_valid && !row->is_valid(value)))
                return false;
        switch (row->type) {
        case OPTION_TEXT:
                *(const char **) (void *) field = value;
                return true;
        case OPTION_SECONDS:
                return text_parse_seconds(value, (uint64_t *) (void *) field) >= 0;
        case OPTION_LIST:
        case OPTION_FEW:
                if (list->n == (row->type == OPTION_FEW ? OPTION_FEW_MAX : OPTION_LIST_MAX))
                        return false;
                list->items[list->n++] = value;
                return true;
        case OPTION_FLAG:
                break;
        }
        return false;
}

static int check_required(const OptionTable *table, int verb, const bool *seen) {
        for (size_t i = 0; i < table->n_rows; i++)
                if ((table->rows[i].required & (1u << verb)) && !seen[i])
                        return complain(table, "missing option --", table->rows[i].name);
        return 0;
}

static void build_long_options(const OptionTable *table, int verb, struct option *ret) {
        size_t n = 0;

        ret[n++] = (struct option){ "help", no_argument, NULL, OPTION_HELP };
        ret[n++] = (struct option){ "version", no_argument, NULL, OPTION_VERSION };
        for (size_t i = 0; i < table->n_rows && i < OPTION_ROWS_MAX; i++)
                if (table->rows[i].verbs & (1u << verb))
                        ret[n++] = (struct option){
                                table->rows[i].name,
                                table->rows[i].type == OPTION_FLAG ? no_argument : required_argument,
                                NULL,
                                OPTION_FIRST + (int) i,
                        };
        ret[n] = (struct option){ 0 };
}

static int parse_verb(const OptionTable *table, int verb, int argc, char **argv, void *target) {
        struct option options[OPTION_ROWS_MAX + 3];
        bool seen[OPTION_ROWS_MAX] = { false };
        int c;

        build_long_options(table, verb, options);
        optind = 1;
        while ((c = getopt_long(argc, argv, "+h", options, NULL)) != -1) {
                const OptionRow *row;

                if (c == OPTION_HELP || c == 'h') {
                        print_help(table, verb);
                        return -ECANCELED;
                }
                if (c == OPTION_VERSION) {
                        printf("%s %s\n", table->program, UNITPROOF_VERSION);
                        return -ECANCELED;
                }
                if (c < OPTION_FIRST) /* getopt_long() has told what it is */
                        return -EINVAL;
                row = &table->rows[c - OPTION_FIRST];
                if (!row_store(row, optarg, target))
                        return complain(table, "bad value for --", row->name);
                seen[c - OPTION_FIRST] = true;
        }
        if (optind < argc)
                return complain(table, "unexpected argument: ", argv[optind]);
        return check_required(table, verb, seen);
}

int options_parse(const OptionTable *table, int argc, char **argv, void *target) {
        int verb, r;

        if (argc < 2)
                return complain(table, "missing verb", "");
        if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
                print_help(table, -1);
                return -ECANCELED;
        }
        if (strcmp(argv[1], "--version") == 0) {
                printf("%s %s\n", table->program, UNITPROOF_VERSION);
                return -ECANCELED;
        }
        verb = verb_find(table, argv[1]);
        if (verb < 0)
                return complain(table, "unknown verb: ", argv[1]);
        r = parse_verb(table, verb, argc - 1, argv + 1, target);
        return r < 0 ? r : verb;
}
