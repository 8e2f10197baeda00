/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "generator/command/session.h"

/* What an import would do, as values: the files that are copied, with their modes, and an override file that
 * keeps what was relative where it is. */
typedef struct ImportFile {
        const char *name; /* below the stack's directory */
        const char *from; /* absolute; NULL for text */
        const char *text; /* of the override file */
        size_t length;
        mode_t mode;
        uid_t uid;    /* if mounted: owner of the original */
        bool mounted; /* a container reads it, by its owner and mode */
} ImportFile;

typedef struct ImportPlan {
        const char *to; /* the stack's directory then */
        ImportFile *files;
        size_t n_files, capacity;
        json_t *override; /* what the override file says; empty if none is needed */
        Node *before;     /* the model where it is, with the services of all profiles */
} ImportPlan;

/* All of them. */
extern const char *const import_profiles[1];

/* Plans the import of a stack that compiled; what stands in the way is said at its place, in c->diag. */
void import_plan(Session *s, Compiled *c, ImportPlan *ret);
/* A file whose name is planned already is not added. */
void import_plan_add(Session *s, ImportPlan *p, ImportFile file);
/* Plans a copy if it is a small file of the stack's directory; false if it has to stay where it is. */
bool import_plan_copy(Session *s, const Compiled *c, ImportPlan *p, const char *path);
const ImportFile *import_plan_find(const ImportPlan *p, const char *name);

/* Compares the model with the one that the planned files would give in p->to, and plans copies and the
 * override file until they are the same, apart from the copies. What cannot be kept is an error in c->diag.
 */
void import_move(Session *s, Compiled *c, ImportPlan *p);

/* What the operator should look at, as warnings in c->diag: clients that do not wait for their tunnel's
 * health. */
void import_advise(Session *s, Compiled *c);
bool import_client_waits(const Service *s);
