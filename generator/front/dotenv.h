/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/base/diag.h"
#include "generator/base/map.h"

/* Variables of a stack: from its .env (or the files that env_file of an include names), never from
 * the process environment. */
typedef struct EnvVar {
        const char *name, *value;
        Span span;
        bool no_value; /* "NAME" alone, without "=" */
        bool secret;   /* env_name_is_secret(name), or made from one that is */
        bool assumed;  /* nobody has set it: env_warn_assumed() where it is used */
} EnvVar;

typedef struct EnvTable {
        EnvVar *vars;
        size_t n, capacity;
        const struct EnvTable *parent; /* looked up after this one */
        Map index;                     /* name → position in vars plus 1; kept by env_set() */
} EnvTable;

/* The variable that is set, here or in a parent. A "NAME" without value sets nothing and is passed
 * over. */
const EnvVar *env_lookup(const EnvTable *t, const char *name);
/* A later definition replaces an earlier one in this table, at the earlier one's place. The strings
 * are kept by reference. */
void env_set(Arena *a, EnvTable *t, EnvVar var);

/* A home directory that nobody has named is used, by HOME or by "~": said once. */
void env_warn_assumed(Diag *d, Span span, const char *home);

/* The .env grammar of Docker Compose 2.40: comments, "export", "NAME: value", single quotes
 * literal, double quotes with escapes, both over several lines, unquoted values with inline " #"
 * comments, expansion of ${VAR} (see interpolate.h) in unquoted and double-quoted values: from the
 * parents of `t`, then from `t` itself, as filled so far. "NAME" alone takes its value from a
 * parent, or is added with no_value if there is none. Adds to t. After an error the rest of the
 * file is not read. No diagnostic shows a line or a value of the file. */
void env_parse(Arena *a, Diag *d, EnvTable *t, const Sources *s, uint32_t file);

/* The env_file of "format: raw": lines NAME=value, values taken as they are. */
void env_parse_raw(Arena *a, Diag *d, EnvTable *t, const Sources *s, uint32_t file);

/* Names that hold a secret by all convention: PASSWORD, PASSWD, PASS, SECRET, TOKEN, KEY (API_KEY,
 * PRIVATE_KEY,…), CREDENTIAL, AUTH… as a word of the name; not NAME_FILE and NAME_PATH, which
 * say where the secret is. */
bool env_name_is_secret(const char *name);
