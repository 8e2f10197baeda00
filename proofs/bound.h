/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The binding seen before a client's first instruction: an OCI hook of stage createRuntime runs
 * `unitproof-prove bound`, and the container is not started unless it ends with 0. The record that it leaves
 * is what the binding proof asks for later, since an engine that does not run the hook says nothing about it.
 */

#include "engines/payload.h"
#include "proofs/proof.h"
#include "proofs/unit.h"

enum {
        BOUND_STATE_MAX = 512 * 1024, /* annotations may be many */
        BOUND_ID_SIZE = 130,
};

/* What the runtime says on standard input (OCI runtime specification, "State"), and our annotations in it. */
typedef struct BoundState {
        char id[BOUND_ID_SIZE];
        pid_t pid;
        char stack[NAME_LENGTH_MAX + 1], subject[NAME_LENGTH_MAX + 1], tunnel_unit[256];
        char engine[NAME_LENGTH_MAX + 1]; /* org.unitproof.engine; "": the one that is preferred */
        bool without_egress;              /* org.unitproof.egress=off */
        bool guarded;                     /* org.unitproof.guard=on */
} BoundState;

/* Parses length bytes; any input is allowed. 0 or -EBADMSG, with what is wrong in ret_why (static). */
int bound_state_parse(const char *text, size_t length, BoundState *ret, const char **ret_why);

/* Reads the state from fd until its end, for two seconds at most, and completes the request with it. The
 * request then points into state. Says what is wrong to stderr and the journal. */
int bound_request_read(int fd, BoundState *state, ProofRequest *request);

/* Start of a process in clock ticks since boot: together with its PID, which process it is. */
int bound_start_time(int proc_fd, uint64_t *ret);

/* For the binding proof: reads the record that the hook left and compares it with the client as it runs. 1: a
 * verdict was set in result; 0: all is well; negative errno. */
int bound_record_judge(const ProofRequest *request, const PidSet *client, uint64_t cookie,
                       ProofResult *result);
