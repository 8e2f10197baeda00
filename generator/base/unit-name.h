/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

/* systemd.unit(5): at most 255 characters, a prefix of letters, digits and ":-_.\", perhaps an instance
 * behind "@", and the suffix of a unit type. A template without instance cannot be started and is not valid
 * here; nor is NULL. Compiler and proofs share this one rule. */
bool unit_name_is_valid(const char *name);

/* True for the names of targets that systemd itself brings, and for "systemd-…": a stack of such a name would
 * replace the host's own units, since a generator's directory counts more than /usr/lib (systemd.unit(5),
 * "UNIT FILE LOAD PATH"). */
bool unit_stem_is_reserved(const char *stem);
