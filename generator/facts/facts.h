/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

#include "generator/base/diag.h"

/* What the compiler may know about the host. Plain data: `unitproof facts` prints it, `--facts FILE` reads it
 * back, so that a stack can be compiled for another host. "unknown" stays empty or 0 and is treated as the
 * oldest supported. */
typedef struct Facts {
        const char *os_id, *os_version; /* os-release(5) ID, VERSION_ID */
        unsigned systemd_version;       /* 257; 0 unknown */
        const char *podman_version;     /* "5.4.2", "" unknown or absent */
        const char *quadlet_path;       /* "" if there is none */
        const char *kernel;             /* "6.12.0" */
} Facts;

enum {
        SYSTEMD_VERSION_NEEDED = 249, /* Upholds=, OnSuccess= */
        SYSTEMD_VERSION_STEPS = 254,  /* RestartSteps=, RestartMaxDelaySec= */
};

/* A warning ("old-systemd") if units would lack keys that they need, and nothing for an unknown version. It
 * is no error: most of what the units do works, and a stack that does not start proves nothing. */
void facts_check_systemd(Diag *d, Span span, const Facts *f);

/* One field of Facts for those who print or read them. */
typedef struct FactRow {
        const char *name; /* as in the struct and in the file */
        const char *meaning;
        const char **text; /* of this Facts, or NULL for a number */
        unsigned *number;
} FactRow;

enum { FACTS_N_ROWS = 6 };

void facts_rows(Facts *f, FactRow ret_rows[FACTS_N_ROWS]);

/* INI, as `unitproof facts` prints it (section [facts], the names above). 0 or negative errno; mistakes go to
 * diag. */
int facts_parse(Arena *a, Diag *d, const Sources *s, uint32_t file, Facts *ret);
const char *facts_print(Arena *a, const Facts *f);

/* The host below root ("" for /). Runs nothing: file reads only, cheap enough for the boot path
 * (podman_version stays "", it takes a run of the host's quadlet; the command adds it with
 * quadlet_version()). The kernel is known only for the running host. */
void facts_read_host(Arena *a, const char *root, Facts *ret);
