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
        bool mounted; /* a container reads it, by its owner and mode */
} ImportFile;

typedef struct ImportPlan {
        ImportFile *files;
        size_t n_files, capacity;
        json_t *override; /* {services, volumes, name}: what the override file says; empty if none is needed
                           */
} ImportPlan;

/* Plans the import of a stack that compiled; what stands in the way is said at its place, in c->diag. */
void import_plan(Session *s, Compiled *c, ImportPlan *ret);
/* What the operator should look at, as warnings and notes in c->diag: clients that do not wait for their
 * tunnel's health, places that are kept by the override file. */
void import_advise(Session *s, Compiled *c);
bool import_client_waits(const Service *s);
