/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <jansson.h>

#include "proofs/workload.h"

/* Picks the process whose user does the service's work. Many images start a supervisor as root and the
 * application as another user, so it is the first process of the user that most processes have beside root
 * (root as seen inside the user namespace), and the first process of all if there is no other user. note says
 * which and why. -ESRCH: none is left. */
int hardlink_pick(const Workload *workload, Process *ret, json_t **ret_note);

/* The pure part: index into uids (inside the user namespace), n > 0. */
size_t hardlink_pick_index(const uint32_t *uids, size_t n);

/* An ID of the host as it is called inside, by the text of /proc/PID/uid_map; UINT32_MAX: not mapped. */
uint32_t uid_map_inside(const char *map, uint32_t uid);
