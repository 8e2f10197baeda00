/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "proofs/guard.h"
#include "proofs/proof.h"

/* What the kill rule's state means for a client. It is looked at three times: with egress, before the
 * client's first instruction, and while it runs, since minutes may lie between two of them (the pull of an
 * image). A rule that something in the tunnel has removed protects nobody, whatever the routes are like now.
 */

/* 1: a verdict was set; 0: the rule is there. */
int rule_conclude(const char *tunnel_unit, GuardState state, ProofResult *result);

/* Looks, if the request says that there is one. 1: a verdict was set; 0: nothing is wrong; negative errno. */
int rule_judge(const ProofRequest *request, const char *tunnel_unit, int netns_fd, ProofResult *result);
