/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/plan/plan.h"

/* The only place that writes. Items are written in plan order (inert files first, the activating link last);
 * each file beside its place with its final mode, then linked into it. A name that is taken is not
 * overwritten (-EEXIST: another generator's or stack's unit), unless `replace` says that the directory is
 * ours to renew. first_phase/last_phase select what is written, so that the caller can run quadlet between
 * the phases. On failure *ret_failed is the item; files of this plan that were written stay inert, the
 * activating link is not made. */
int plan_commit(const Plan *p, int dir_fd, PlanPhase first_phase, PlanPhase last_phase, bool replace,
                const PlanItem **ret_failed);
