/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/command/session.h"
#include "proofs/record-read.h"

/* What is known now about one proof of a stack. A record is evidence of the activation that it looked at, in
 * the boot that it was written in; of anything else it proves nothing. */
typedef enum ProofState {
        PROOF_STATE_PASSED,
        PROOF_STATE_FAILED,
        PROOF_STATE_UNPROVEN,
        PROOF_STATE_OFF,
        _PROOF_STATE_MAX,
} ProofState;

typedef struct ProofStatus {
        const Proof *proof;
        ProofState state;
        const char *text;   /* the evidence in a sentence, or why there is none */
        const char *remedy; /* "" if there is nothing to do */
        bool has_record;
        Record record;              /* valid if has_record; freed by proof_status_done() */
        unsigned long long age_sec; /* of the record; valid if it is of this boot */
        bool this_boot;
        bool running;               /* the record is of a look at what runs, not of the start */
        unsigned unproven_in_a_row; /* such looks; 0 if the last one was not */
} ProofStatus;

/* What a record is compared with. */
typedef struct ProofContext {
        const char *run_dir;     /* "/run/unitproof" */
        uid_t owner;             /* who has to have written the records */
        const char *boot_id;     /* of now; "" if unknown: then nothing is proved */
        uint64_t monotonic_usec; /* now */
        /* Invocation of a unit that is active now: 0, or a negative errno if it is not. */
        int (*invocation)(const char *unit, char ret[ID128_TEXT_SIZE]);
} ProofContext;

void proof_status_read(Arena *a, const ProofContext *x, const Compiled *c, const Proof *p, ProofStatus *ret);
void proof_status_done(ProofStatus *p);

const char *proof_state_name(ProofState state);
