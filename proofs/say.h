/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* One line to stderr for an operator: with its journal priority (sd-daemon(3)) where stderr is the journal,
 * with the program's name elsewhere. */

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* True if stderr is the journal's stream. */
bool say_is_journal(void);
/* The unit that this program runs in, for the field OBJECT_SYSTEMD_UNIT= of an entry: journald finds the
 * sender's own only as long as it lives, and `journalctl -u` takes either (systemd.journal-fields(7)). Owned
 * by the caller; NULL: none. */
char *say_unit(void);

void say_with(const char *program, int priority, const char *format, va_list ap)
        __attribute__((format(printf, 3, 0)));

/* The same as an entry that the catalog explains: with a MESSAGE_ID= of message-ids.h and fields. */
typedef struct SayField {
        const char *name, *value; /* "UNITPROOF_STACK"; without a value it is left out */
} SayField;

void say_entry(const char *program, int priority, const char *message_id, const SayField *fields, size_t n,
               const char *format, va_list ap) __attribute__((format(printf, 6, 0)));
