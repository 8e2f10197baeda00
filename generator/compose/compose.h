/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/base/diag.h"
#include "generator/front/node.h"

/* From the files of a stack to its resolved model: interpolation, include, extends, override files,
 * profiles, long forms, absolute paths, defaults. The model is a mapping shaped like the output of
 * `docker compose config
 * --format json`, with these differences, which are what a compiler needs more:
 *   - every node has the span of where it was written;
 *   - "environment" values that came from .env keep Node.secret;
 *   - what the variable of a secret or config holds stands beside its name, as SECRET_VALUE_KEY;
 *   - x-unitproof stays at its place (top level and service). */
#define SECRET_VALUE_KEY "x-unitproof-value"

typedef struct ComposeOptions {
        const char *project_dir;  /* absolute; the directory of the first file */
        const char *name;         /* project name if no file says "name:"; NULL: from project_dir */
        const char *const *files; /* paths; at least one */
        size_t n_files;
        const char *const
                *profiles; /* active profiles ("*" = all); none: those of COMPOSE_PROFILES in .env */
        size_t n_profiles;
        const Span *profile_spans; /* where they stand, or NULL */
        const char *home;          /* what "~" stands for; NULL: /root, since services of the system are
                                      root's */
} ComposeOptions;

/* Returns the model or NULL after errors. */
Node *compose_load(Arena *a, Sources *s, Diag *d, const ComposeOptions *o);

/* The model as `docker compose config --format json` prints it, byte for byte: two spaces of
 * indent, "$" doubled so that the output is a Compose file again, x- keys on the top level only. */
const char *compose_to_json(Arena *a, const Node *model);

/* Finds the files of a stack directory, in order (compose.yaml, compose.yml, docker-compose.yml,
 * docker-compose.yaml; then the first of compose.override.yml/.yaml,
 * docker-compose.override.yml/.yaml that fits); 0 if there is none. Existence is asked of the
 * reader. With d, those that are there and not taken get a warning, as in Compose. */
size_t compose_find_files(Arena *a, Sources *s, Diag *d, const char *dir, const char **ret_files /* [2] */);

/* Compose's rule for project names: lower-case letters, digits, "-" and "_", first a letter or
 * digit. */
bool compose_name_is_valid(const char *name);
const char *compose_name_normalize(Arena *a, const char *name);
