/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Parts of the binding proof that look at more than one process: the record of the egress proof, and the ways
 * out as the client's own users have them. */

#include "generator/base/powers.h"
#include "proofs/address.h"
#include "proofs/process.h"
#include "proofs/proof.h"
#include "proofs/route.h"
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

/* A link of the tunnel's namespace as the egress proof found it. */
typedef struct BindingLink {
        char name[16], kind[16];
        int index;
        bool up, tunnel;
} BindingLink;

/* What the egress proof found: by which link each echo source is reached, and which links there were. */
typedef struct BindingEgress {
        Address destinations[BINDING_DESTINATIONS_MAX];
        char links[BINDING_DESTINATIONS_MAX][16];
        size_t n;
        bool has_links;
        BindingLink there[LINKS_MAX];
        size_t n_there;
} BindingEgress;

/* Reads the record of the same subject and compares it with the tunnel as it is now. 1: a verdict was set in
 * result; 0: all is well; negative errno. */
int binding_egress_read(const ProofRequest *request, const UnitFacts *tunnel, uint64_t cookie,
                        ProofResult *result, BindingEgress *ret);

/* Goes into the namespace: checks the cookie once more, lists the links as evidence, asks for each user of
 * the client by which link each destination is reached, and looks for links that egress was proved without.
 * Returns as above. */
int binding_routes_judge(int netns_fd, const BindingEgress *egress, const BindingUsers *users,
                         uint64_t cookie, bool without_egress, ProofResult *result);

/* ---- powers (generator/base/powers.h) that processes of the client hold, or can come to hold ---- */

enum { BINDING_OWNERS_MAX = 34 }; /* user namespaces nest 32 deep */

/* The user namespaces whose capabilities hold over a network namespace: its owner and all above. */
typedef struct BindingOwners {
        int fds[BINDING_OWNERS_MAX];
        size_t n;
        bool known; /* else every user namespace is taken for one of them */
} BindingOwners;

typedef struct BindingPowers {
        BindingOwners network, host;
        int host_pids, tunnel_pids; /* PID namespaces; -1: not known */
        uint64_t effective;         /* of all processes together */
        struct {
                pid_t pid; /* of the first process that holds it; 0: none does */
                char process[16];
        } held[POWERS_MAX];
} BindingPowers;

#define BINDING_POWERS_NONE ((BindingPowers){ .host_pids = -1, .tunnel_pids = -1 })

/* tunnel: one of its processes. */
int binding_powers_open(int host_fd, int tunnel_fd, const Process *tunnel, BindingPowers *powers);
void binding_powers_done(BindingPowers *powers);

/* A power that is not declared is looked for twice: until it runs its program, a process that a runtime has
 * just made holds what the runtime does. -ESRCH: the process ended. */
int binding_powers_add(BindingPowers *powers, const ProofRequest *request, const Process *process,
                       const ProcessStatus *status);

/* The verdict over those that the Compose file does not declare (request->declared). Returns as above. */
int binding_powers_judge(const BindingPowers *powers, const ProofRequest *request, ProofResult *result);

/* What is held, by name, whether declared or not. */
json_t *binding_powers_evidence(const BindingPowers *powers, const ProofRequest *request);
