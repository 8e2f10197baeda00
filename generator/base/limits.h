/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Every loop over input has its limit here. */
enum {
        LIMIT_FILE_BYTES = 8 * 1024 * 1024, /* one input file */
        LIMIT_FILES = 256,                  /* files that one stack may read */
        LIMIT_DEPTH = 64,                   /* nesting of YAML collections */
        LIMIT_NODES = 500 * 1000,           /* nodes of one file, aliases expanded */
        LIMIT_SCALAR_BYTES = 64 * 1024,     /* one value; systemd refuses a line beyond 1 MiB */
        LIMIT_INTERPOLATION_DEPTH = 16,     /* ${A:-${B:-…}} */
        LIMIT_INTERPOLATED_BYTES = 256 * 1024,
        LIMIT_EXTENDS_DEPTH = 32,
        LIMIT_INCLUDE_DEPTH = 32,
        LIMIT_DIAGNOSTICS = 200,
        LIMIT_ARENA_BYTES = 1024 * 1024 * 1024,

        UNIT_NAME_LENGTH_MAX = 255,          /* UNIT_NAME_MAX - 1, systemd unit-def.h */
        UNIT_NAME_LENGTH_MAX_REQUIRES = 246, /* room for a ".requires" directory within NAME_MAX */
};
