/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/write/escape.h"

/* The tokens that templates/ and quadlets/ may hold, each with its class; templates/embed.py reads this list.
 * A BLOCK is whole lines that a UnitWriter made: it stands alone on its line and may be empty. */
/* clang-format off */
#define TOKEN_BLOCK _ESCAPE_CLASS_MAX
#define TOKENS(X)                               \
        X(NOTE, ESCAPE_COMMENT)                 \
        X(DESCRIPTION, ESCAPE_TEXT)             \
        X(SOURCE, ESCAPE_PATH)                  \
        X(TARGET, ESCAPE_NAME)                  \
        X(SUBJECT_UNIT, ESCAPE_NAME)            \
        X(TUNNEL_UNIT, ESCAPE_NAME)             \
        X(MOUNT_UNIT, ESCAPE_NAME)              \
        X(STACK_ARG, ESCAPE_ARGV)               \
        X(TIMEOUT, ESCAPE_WORD)                 \
        X(INTERVAL, ESCAPE_WORD)                \
        X(SPREAD, ESCAPE_WORD)                  \
        X(SCHEDULE, ESCAPE_TEXT)                \
        X(NAME, ESCAPE_QUADLET_SCALAR)          \
        X(UNIT_LINES, TOKEN_BLOCK)              \
        X(LINES, TOKEN_BLOCK)                   \
        X(SERVICE_LINES, TOKEN_BLOCK)
/* clang-format on */

typedef enum Token {
#define TOKEN_NAME(name, class) TOKEN_##name,
        TOKENS(TOKEN_NAME)
#undef TOKEN_NAME
                _TOKEN_MAX,
} Token;
