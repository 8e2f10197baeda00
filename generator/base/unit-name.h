/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* systemd.unit(5): at most 255 characters, a prefix of letters, digits and ":-_.\", perhaps an instance
 * behind "@", and the suffix of a unit type. A template without instance cannot be started and is not valid
 * here; nor is NULL. Compiler and proofs share this one rule. */
bool unit_name_is_valid(const char *name);

/* Name of the unit that stands for something at an absolute, normalized path other than "/", such as
 * "srv-data.mount" (systemd.unit(5), "STRING ESCAPING"). False if it does not fit; ret is then of no use. */
bool unit_name_from_path(const char *path, const char *suffix, size_t size, char *ret);

/* True for the names of targets that systemd itself brings, and for "systemd-…": a stack of such a name would
 * replace the host's own units, since a generator's directory counts more than /usr/lib (systemd.unit(5),
 * "UNIT FILE LOAD PATH"). */
bool unit_stem_is_reserved(const char *stem);
