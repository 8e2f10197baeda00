/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/compose/load.h"

/* Values as Compose reads and prints them. */

/* The text that Compose makes of a scalar where it wants a string. */
const char *value_text(Arena *a, const Node *n);
/* The shortest text of a float with the given precision that reads back the same; as "%v" prints it
 * in Go, or as its JSON encoder does. */
const char *value_float_text(Arena *a, double value, bool single, bool json);
/* True, false; also y, yes, on, n, no, off. */
bool value_parse_bool(const char *text, bool *ret);
bool value_parse_float(const char *text, double *ret);
/* "512m", "1.5 GiB", "1024": units are powers of 1024. */
bool value_parse_bytes(const char *text, long long *ret_bytes);
/* "1m30s", "1.5h", "1d", "2w"; nanoseconds. */
bool value_parse_duration(const char *text, long long *ret_ns);
const char *value_duration_text(Arena *a, long long ns);
/* Splits a command line as Compose does: quotes and backslashes, nothing else of a shell; an
 * unquoted one of ";&|<>" ends it, which *ret_rest then points to (NULL otherwise). NULL if a quote
 * is left open. */
Node *value_split_words(Arena *a, const Node *text, const char **ret_rest);

/* "'TEXT' is not WHAT", with a hint if there is one; gives NULL. */
Node *value_refuse(Load *l, const Node *n, const char *what, const char *hint);
/* A string node with the span and secrecy of another. */
Node *value_string(Load *l, const Node *from, const char *text);
/* "KEY=VALUE" of a list entry, split; *ret_value is NULL without "=". */
const char *value_cut(Load *l, const Node *entry, char separator, const char **ret_value);
Node *mapping_new(Load *l, Span span);
Node *sequence_new(Load *l, Span span);
/* Appends without looking for the key: for mappings that are built from distinct keys. */
void mapping_add(Load *l, Node *mapping, Node *key, Node *value);
void mapping_sort(Node *mapping);
/* Binary search in a sorted mapping. */
Node *mapping_find(const Node *sorted, const char *key);
Node *key_new(Load *l, Span span, const char *text);
bool is_extension(const char *key);
