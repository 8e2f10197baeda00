/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/base/diag.h"

/* Variables of a stack: from its .env (or the files that env_file of an include names), never from the process
 * environment. */
typedef struct EnvVar {
        const char *name, *value;
        Span span;
        bool no_value;     /* "NAME" alone, without "=" */
        bool secret;       /* env_name_is_secret(name), or made from one that is */
} EnvVar;

typedef struct EnvTable {
        EnvVar *vars;
        size_t n, capacity;
        const struct EnvTable *parent; /* looked up after this one */
} EnvTable;

const EnvVar *env_lookup(const EnvTable *t, const char *name);
/* A later definition replaces an earlier one in this table. */
void env_set(Arena *a, EnvTable *t, EnvVar var);

/* The .env grammar of Docker Compose 2.40: comments, "export", single quotes literal, double quotes with escapes and multiple
 * lines, unquoted values with inline " #" comments, expansion of ${VAR} (see interpolate.h) from `t` itself, as filled so far, in
 * unquoted and double-quoted values. Adds to t. */
void env_parse(Arena *a, Diag *d, EnvTable *t, const Sources *s, uint32_t file);

/* Names that hold a secret by all convention: PASSWORD, PASSWD, PASS, SECRET, TOKEN, KEY (API_KEY, PRIVATE_KEY,…), CREDENTIAL, AUTH…
 * as a word of the name. */
bool env_name_is_secret(const char *name);
