/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/facts/facts.h"
#include "generator/quadlet/program.h"

/* The host's quadlet, podman-systemd.unit(5). One run turns one folder of .container, .pod, .network,
 * .volume, .build files into units in another folder. Seen with 5.4.2: a file that does not parse costs its
 * whole folder, one that does not convert costs only itself; either ends with status 1. Messages go to
 * standard error with -no-kmsg-log. */

/* The first version that has every key which the compiler writes. */
#define QUADLET_VERSION_NEEDED "5.4"

typedef struct QuadletResult {
        ProgramResult run;
        const char *outcome; /* program_outcome_text() */
} QuadletResult;

/* Both folders are absolute and exist. */
void quadlet_run(Arena *a, const char *program, const char *input_dir, const char *output_dir, int timeout_ms,
                 QuadletResult *ret);

/* What quadlet said about one of its input files ("media-sonarr.container"), without its own prefix and our
 * folder's path; if it named the file nowhere, how it ended and the last that it said. One line. */
const char *quadlet_message(Arena *a, const QuadletResult *r, const char *input_dir, const char *file);

/* "5.4.2", or "" if it cannot be asked. */
const char *quadlet_version(Arena *a, const char *program, int timeout_ms);
/* An unknown version ("") is not called old. */
bool quadlet_version_is_old(const char *version);

/* Why there is no quadlet, in words that say what was looked for and found below root. */
const char *quadlet_absence(Arena *a, const char *root);
