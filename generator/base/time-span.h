/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdbool.h>

/* "90", "90s", "2min", "2m30s", "1h 30min": seconds, by the units of systemd.time(7) "PARSING TIME SPANS"
 * from seconds to hours. False if it is none, or more than max. */
bool time_span_parse(const char *text, unsigned max, unsigned *ret_seconds);
