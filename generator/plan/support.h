/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stddef.h>

/* What becomes of each key of the Compose Specification, in each mode. docs/compose-support.md is printed
 * from these rows; those of services are one table with what writes them, in map-service.c. */
typedef enum Support {
        SUPPORT_MISSING, /* a forgotten cell, which a test finds */
        SUPPORT_MAPPED,
        SUPPORT_DIFFERENT, /* mapped, with a difference that `text` states */
        SUPPORT_HARMLESS,  /* left out, and `text` says why nothing is lost */
        SUPPORT_REFUSED,   /* by name and position; `text` says why and what to do instead */
        _SUPPORT_MAX,
} Support;

typedef struct Verdict {
        Support support;
        const char *text; /* for SUPPORT_MAPPED: by what, or NULL */
} Verdict;

/* In the words of docs/compose-support.md: units through quadlet; Docker Compose or podman-compose as engines
 * under units; services of the host without a container. The latter two have no writers yet. */
typedef struct Verdicts {
        Verdict unit, compatible, native;
} Verdicts;

typedef struct SupportRow {
        const char *key;
        Verdicts verdicts;
} SupportRow;

typedef struct SupportSection {
        const char *path; /* "services.*.build": where in a Compose file */
        const SupportRow *rows;
        size_t n_rows;
} SupportSection;

/* All but the keys of services themselves. */
extern const SupportSection support_sections[];
extern const size_t n_support_sections;

#define MAPPED                                                                                               \
        { SUPPORT_MAPPED, NULL }
#define BY(what)                                                                                             \
        { SUPPORT_MAPPED, what }
#define DIFFERENT(what)                                                                                      \
        { SUPPORT_DIFFERENT, what }
#define HARMLESS(why)                                                                                        \
        { SUPPORT_HARMLESS, why }
#define REFUSED(why)                                                                                         \
        { SUPPORT_REFUSED, why }
