/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Command lines of the form PROGRAM VERB --option..., described by tables. */

#include <stdbool.h>
#include <stddef.h>

enum {
        OPTION_LIST_MAX = 128,
        OPTION_FEW_MAX = 16, /* where each costs a probe */
};

/* Pointers into argv. */
typedef struct OptionList {
        const char *items[OPTION_LIST_MAX];
        size_t n;
} OptionList;

typedef enum OptionType {
        OPTION_FLAG,    /* bool */
        OPTION_TEXT,    /* const char *, from argv */
        OPTION_SECONDS, /* uint64_t microseconds */
        OPTION_LIST,    /* OptionList, may be repeated */
        OPTION_FEW,     /* OptionList, up to OPTION_FEW_MAX times */
} OptionType;

typedef struct OptionRow {
        const char *name;
        OptionType type;
        size_t offset;                  /* of the field in the target struct */
        unsigned verbs;                 /* bit set: verbs that know it */
        unsigned required;              /* bit set: verbs that need it */
        bool (*is_valid)(const char *); /* NULL: any text that is not empty */
        const char *argument;
        const char *help;
} OptionRow;

typedef struct OptionVerb {
        const char *name;
        const char *help;
} OptionVerb;

typedef struct OptionTable {
        const char *program;
        const char *summary;
        const OptionVerb *verbs; /* bit i of the sets above is verb i */
        size_t n_verbs;
        const OptionRow *rows;
        size_t n_rows;
} OptionTable;

/* Fills target. Returns the verb's index; -ECANCELED after --help or --version (answered on stdout);
 * -EINVAL after a mistake (told on stderr). */
int options_parse(const OptionTable *table, int argc, char **argv, void *target);
