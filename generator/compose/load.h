/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/base/map.h"
#include "generator/compose/compose.h"
#include "generator/front/dotenv.h"

/* What one compose_load() carries along. */
typedef struct Load {
        Arena *arena;
        Sources *sources;
        Diag *diag;
        const ComposeOptions *options;
        const char *home; /* what "~" stands for */
        bool assumed_home;
        const char *name; /* project name */
        Map parsed;       /* trees of the first files, parsed for their name, not used yet */
        Map extended;     /* services of files that were extended, by path */
        EnvTable *env;    /* variables of the project */
        size_t n_errors;  /* in diag before this load */
        bool merged;      /* the check is that of the merged files */
        bool unsettled;   /* a value passed that may not stand at the end */
} Load;

/* One model in the making: the files of the stack, or those of one include. */
typedef struct Scope {
        const char *dir; /* project directory, absolute: what relative paths refer to */
        const EnvTable *env;
        const struct Scope *parent; /* the scope that includes this one */
        const char *file;           /* first file, for the message about a cycle */
} Scope;

static inline bool load_failed(const Load *l) {
        return l->diag->n_errors > l->n_errors;
}

/* Resolves the files of one scope; NULL after an error. */
Node *scope_load(Load *l, const Scope *scope, const char *const *files, size_t n_files, Span origin);
/* Opens, parses and interpolates one file. NULL after an error. */
Node *file_parse(Load *l, const Scope *scope, const char *path, Span origin);

void extends_apply(Load *l, const Scope *scope, const char *path, Node *file);
void include_apply(Load *l, const Scope *scope, Node *file);

void cast_apply(Load *l, Node *file);
/* What may stand in the files so far. */
void check_file(Load *l, const Node *file);
/* What may stand when they are merged; nothing to do if check_file() never met anything else. */
void check_merged(Load *l, const Node *file);
Node *merge_files(Load *l, Node *base, Node *over);
Node *merge_services(Load *l, Node *base, Node *over);
/* Drops !reset nodes and forgets !override: after a merge they have done their work. */
void merge_clean(Node *n);
void unique_apply(Load *l, Node *file);
void expand_apply(Load *l, Node *file);
void paths_resolve(Load *l, Node *file, const char *dir);
void defaults_apply(Load *l, Node *file);
void validate_file(Load *l, const Node *file);
void environment_expand_names(Load *l, Node *file, const EnvTable *env);
/* Variables without a value take that of the project. */
void environment_expand_nulls(Load *l, Node *service);
void normalize_file(Load *l, Node *file);
Node *finish_file(Load *l, Node *file);
/* Services without an active profile leave; returns the names that left. */
Map profiles_apply(Load *l, Node *model);
/* written: the model before finish_file(), which drops what is empty. */
void consistency_check(Load *l, const Node *model, const Node *written, const Map *inactive);
void environment_resolve(Load *l, Node *model);
void resources_prune(Load *l, Node *model);
