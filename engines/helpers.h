/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Sockets in the file system at which somebody works for whoever connects: by what name they go. */

typedef enum HelperKind {
        HELPER_RESOLVER, /* resolves names for the caller */
        HELPER_BUS,      /* the system's message bus: resolvers, and the service manager */
        HELPER_ENGINE,   /* starts containers, or services */
} HelperKind;

typedef struct HelperRow {
        const char *path, *name;
        HelperKind kind;
} HelperRow;

enum { HELPERS_MAX = 16 };
extern const HelperRow helper_rows[HELPERS_MAX];
