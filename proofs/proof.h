/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* One run of one proof: what was asked, what was found. A kind is a row of the table in proof.c and a file
 * kind-NAME.c. */

#include <jansson.h>

#include "engines/engine.h"
#include "proofs/options.h"
#include "proofs/record.h"

typedef struct ProofRequest {
        const char *stack, *subject, *unit;
        const char *engine_name, *container;
        const char *tunnel_unit;
        const char *source_unit, *source, *link_from;
        const char *interface;
        const char *run_dir, *roundtrip_dir;
        const char *redact;           /* file with secrets, one a line, that are not to be repeated */
        const char *after_killswitch; /* tunnel whose kill-switch proof comes first, see outage.h */
        const char *killswitch_unit;
        const char *halt_unit; /* is started if there is a leak, see halt.h */
        const char *again;     /* the service's unit, if that runs already; see again.h */
        OptionList link_to, echo, stun, client_users;
        OptionList declared;      /* binding: powers that the Compose file gives to the client; "ALL": each */
        const char *client_units; /* killswitch: with commas between them */
        uint64_t timeout_usec, retry_for_usec, probe_timeout_usec;
        uint64_t max_age_usec; /* health: how old the last check may be; 0: does not matter */
        pid_t pid; /* "bound": first process of the container */
        bool json, without_egress, guarded;
        bool disrupt, unprivileged_clients; /* killswitch */
        bool and_dns;                       /* binding: bring the dns proof of the client at the same time */
        const EngineRow *engine;            /* found by engine_name, never NULL in a kind */
} ProofRequest;

typedef struct ProofResult {
        Verdict verdict; /* starts as unproven */
        bool leak;
        char *reason, *remedy; /* owned */
        char invocation_id[ID128_TEXT_SIZE];
        uint64_t netns_cookie;
        json_t *evidence; /* object, never NULL */
        json_t *fields;   /* object of strings: more fields for the journal */
} ProofResult;

typedef struct ProofKind {
        const char *name;
        const char *help;
        /* Sets a verdict with proof_conclude(). A negative errno means that the system failed in some way
         * that the kind does not know: unproven. NULL: PROBE_PROGRAM runs it, see kinds.c. */
        int (*run)(const ProofRequest *request, ProofResult *result);
} ProofKind;

typedef enum ProofKindIndex {
        PROOF_ENGINE,
        PROOF_HEALTH,
        PROOF_EGRESS,
        PROOF_KILLSWITCH,
        PROOF_BINDING,
        PROOF_DNS,
        PROOF_BOUND,
        PROOF_HARDLINK,
        _PROOF_KIND_MAX,
} ProofKindIndex;

/* Beside unitproof-prove; takes the same command line. */
#define PROBE_PROGRAM "unitproof-probe"

extern const ProofKind proof_kinds[_PROOF_KIND_MAX];

int proof_engine(const ProofRequest *request, ProofResult *result);
int proof_health(const ProofRequest *request, ProofResult *result);
int proof_egress(const ProofRequest *request, ProofResult *result);
int proof_killswitch(const ProofRequest *request, ProofResult *result);
int proof_binding(const ProofRequest *request, ProofResult *result);
int proof_dns(const ProofRequest *request, ProofResult *result);
int proof_bound(const ProofRequest *request, ProofResult *result);
int proof_hardlink(const ProofRequest *request, ProofResult *result);

/* Sets verdict, remedy ("" for none) and the reason; the last call counts. Returns 0. */
int proof_conclude(ProofResult *result, Verdict verdict, const char *remedy, const char *format, ...)
        __attribute__((format(printf, 4, 5)));

/* The same for a leak: failed, and the stack is halted. */
int proof_conclude_leak(ProofResult *result, const char *remedy, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

/* Adds evidence (takes the reference of value, NULL is dropped) or a journal field. */
void proof_note(ProofResult *result, const char *key, json_t *value);
void proof_field(ProofResult *result, const char *key, const char *value);

/* Runs the kind from beginning to end: pending record, proof, record, journal, terminal. Returns the verdict
 * that the exit status must show. */
Verdict proof_run(ProofKindIndex kind, const ProofRequest *request);

/* The same about what runs already, request->again. Returns an exit status: 0 also if there was nothing to
 * prove, since the unit does not run or was started anew meanwhile. */
int proof_run_again(ProofKindIndex kind, const ProofRequest *request);
