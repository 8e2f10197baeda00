/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Parts of the binding proof that look at more than one process: the record of the egress proof, and the ways
 * out as the client's own users have them. */

#include "proofs/address.h"
#include "proofs/proof.h"
#include "proofs/unit.h"

enum {
        BINDING_USERS_MAX = 16,
        BINDING_DESTINATIONS_MAX = 32,
};

/* How long a running egress proof is waited for; below the hook's own timeout of 10 s. */
#define BINDING_EGRESS_WAIT_USEC (8 * USEC_PER_SEC)

typedef struct BindingUsers {
        uint32_t uids[BINDING_USERS_MAX];
        size_t n;
} BindingUsers;

/* Forgets users beyond BINDING_USERS_MAX; a stack of services has one or two. */
void binding_users_add(BindingUsers *users, uint32_t uid);

/* What the egress proof found: by which link each echo source is reached. */
typedef struct BindingEgress {
        Address destinations[BINDING_DESTINATIONS_MAX];
        char links[BINDING_DESTINATIONS_MAX][16];
        size_t n;
} BindingEgress;

/* Reads the record of the same subject and compares it with the tunnel as it is now. 1: a verdict was set in
 * result; 0: all is well; negative errno. */
int binding_egress_read(const ProofRequest *request, const UnitFacts *tunnel, uint64_t cookie,
                        ProofResult *result, BindingEgress *ret);

/* Goes into the namespace: checks the cookie once more, lists the links as evidence, and asks for each user
 * of the client by which link each destination is reached. Returns as above. */
int binding_routes_judge(int netns_fd, const BindingEgress *egress, const BindingUsers *users,
                         uint64_t cookie, ProofResult *result);

/* The set as hexadecimal number, and by name those that would let a process leave. */
json_t *binding_capabilities(uint64_t set);
