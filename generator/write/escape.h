/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

#include "generator/base/buf.h"
#include "generator/base/unit-name.h"

/* The classes of quoting in unit and quadlet files. A writer call names the class, so no caller escapes by
 * hand; nothing outside write/ prints a unit line. Rules: systemd.syntax(7), systemd.unit(5) "SPECIFIERS",
 * systemd.service(5) "COMMAND LINES"; quadlet 5.4.2 source (parser/split.go, unitfile.go).
 *
 * Every function returns 0 or -EINVAL if the value cannot be carried by that class at all (control characters
 * in TEXT, an empty word or a lone ";" for quadlet argv, …); the caller turns that into a diagnostic at the
 * value's span. */
typedef enum EscapeClass {
        ESCAPE_TEXT,      /* Description=: whole line; "%%" */
        ESCAPE_PATH,      /* SourcePath=, EnvironmentFile=, WorkingDirectory=: whole line, "%%", absolute */
        ESCAPE_PATH_LIST, /* RequiresMountsFor=: quoted, no C unescape */
        ESCAPE_ARGV,      /* Exec*= word: quoted, "%%", "$$", C escapes */
        ESCAPE_ENV,       /* Environment= assignment in a unit: quoted, "%%", C escapes */
        ESCAPE_NAME,      /* After=, Wants=: a valid unit name, as it is */
        ESCAPE_WORD,      /* booleans, numbers, time spans: [A-Za-z0-9._:+-] */
        ESCAPE_QUADLET_SCALAR, /* Lookup() keys: Image=, ContainerName=, User=, …: whole line, one outer pair
                                  of quotes is stripped by the reader, "%%", "$$" */
        ESCAPE_QUADLET_LINE,   /* LookupAll() keys: Network=, Volume=, PublishPort=, AddHost=, Tmpfs=, …:
                                  verbatim line, "%%", "$$" */
        ESCAPE_QUADLET_STRV, /* LookupAllStrv() keys: AddDevice=, AddCapability=, Sysctl=, LogOpt=, …: split
                                on blanks, quotes removed */
        ESCAPE_QUADLET_ARGV, /* Exec=, PodmanArgs=, Mount=, Secret=: exec-style words, "%%", "$$" */
        ESCAPE_QUADLET_KEYVAL, /* Environment=, Label=, Annotation=, Options=: one quoted "K=V" a line, "%%",
                                  "$$" */
        ESCAPE_INPUT_TEXT,     /* StandardInputText=: whole line, "%%", C escapes without quotes */
        ESCAPE_COMMENT,        /* text of a "#" line: control characters are shown, never refused */
        _ESCAPE_CLASS_MAX,
} EscapeClass;

int escape_add(Buf *b, EscapeClass class, const char *value);
/* Why escape_add() would refuse the value, as the second half of a sentence, or NULL if it would not. */
const char *escape_refusal(EscapeClass class, const char *value);

/* A line NAME="VALUE" of a file for EnvironmentFile= (systemd.exec(5)): any text without control characters
 * but tab and newline. -EINVAL as above. */
int escape_add_assignment(Buf *b, const char *name, const char *value);

/* 'hello "x"' for messages: control characters as \xNN, cut at max characters. */
const char *escape_for_message(Arena *a, const char *s, size_t max);
