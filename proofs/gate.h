/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The gate: reads records of proofs and lets a service start, or not. It believes only what it can check, and
 * everything that is odd closes it. */

#include "proofs/bus.h"
#include "proofs/options.h"
#include "proofs/record-read.h"
#include "proofs/verdict.h"

typedef struct GateRequest {
        const char *stack, *subject, *unit, *tunnel_unit, *target;
        const char *run_dir;
        OptionList require;           /* KIND:SUBJECT:UNIT */
        OptionList stands_on;         /* mount units that the service stands on, and others that stop it */
        OptionList start, bring_back; /* SUBJECT:UNIT */
        uint64_t wait_usec;           /* for a proof that is still running */
        bool restart;
} GateRequest;

enum {
        EXIT_STATUS_SKIP = 1, /* ExecCondition=: skip the unit without failing it (systemd.service(5)) */
        EXIT_STATUS_STAY_FAILED = 255, /* ExecCondition=: skip the unit, which is then failed */
};

/* ExecStartPre= of a service. 0: go; 1: a proof failed; 3: something is unproven. */
int gate_start(const GateRequest *request);

/* ExecStopPost= of a client, of a service that stands on a mount, and of the unit that brings a client back.
 * Always 0. */
int gate_stopped(const GateRequest *request);

/* ExecStart= of the unit that brings a client back. 0: it is back, or is not to come back. */
int gate_return(const GateRequest *request);

/* The mark of a service that was stopped by hand (gate-held.c); request->subject unless it is named. */
bool gate_held_exists(const GateRequest *request, const char *subject);
int gate_held_write(const GateRequest *request);
void gate_held_lift(const GateRequest *request);

/* ExecCondition= and ExecStart= of the halt unit. */
int gate_leaked(const GateRequest *request);
int gate_halted(const GateRequest *request);

/* ExecStart= of the unit that a path unit starts. 0: told, or the tunnel is being restarted. */
int gate_changed(const GateRequest *request);

/* ExecStart= of the unit that goes with a mount. Always 0. */
int gate_mounted(const GateRequest *request);

/* "SUBJECT:UNIT": a service, and the unit that is started for it. */
typedef struct GateUnitOf {
        char subject[NAME_LENGTH_MAX + 1];
        const char *unit;
} GateUnitOf;
bool gate_unit_of_parse(const char *text, GateUnitOf *ret);

/* ExecStart= of a unit that stands for what could not be compiled: its message is on standard input.
 * Always 1. */
int gate_broken(const GateRequest *request);

/* One line to stderr, see say.h. */
void gate_say(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for what the catalog explains: with a MESSAGE_ID= and the stack and the service as fields. */
void gate_tell(const GateRequest *request, int priority, const char *message_id, const char *format, ...)
        __attribute__((format(printf, 4, 5)));

/* Small state files that belong to the gate: RUN_DIR/STACK/.consumed/, opened, made if need be. */
int gate_consumed_open(const GateRequest *request, int *ret_fd);
enum { GATE_NOTE_MAX = 256 };

/* A start that takes longer than this between proof and service is proved anew. */
#define GATE_AGE_MAX_USEC (3600 * USEC_PER_SEC)

/* The pure heart of gate_start(), one requirement. */
typedef struct GateView {
        RecordFault fault; /* of the record; if there is one, record is not looked at */
        const Record *record;
        const char *boot_id;        /* of now */
        const char *unit;           /* that must have been proved; "": any */
        const char *invocation_id;  /* of that unit now; "": it is not active */
        uint64_t netns_cookie;      /* of its service now; 0: not known */
        const char *consumer;       /* invocation that used this record before; "": none */
        const char *own_invocation; /* of the service that wants to start */
        uint64_t rested_usec;       /* CLOCK_MONOTONIC of its own last end; 0: none in this boot */
        uint64_t now_usec;          /* CLOCK_MONOTONIC */
} GateView;

typedef struct GateDecision {
        Verdict verdict;
        const char *why;  /* sentence fragment after "the record of ... " */
        const char *next; /* what to do, one sentence (gate_unit_decide(): up to the unit's name) */
} GateDecision;

GateDecision gate_decide(const GateView *view);

/* The kinds "started", "ran" and "completed" ask systemd for the unit's state; all others ask for a record.
 * rested_usec: as in GateView. */
bool gate_kind_is_unit(const char *kind);
GateDecision gate_unit_decide(const char *kind, const ServiceState *state, uint64_t rested_usec);
int gate_unit_read(const char *unit, ServiceState *ret);

/* Splits "KIND:SUBJECT:UNIT"; the unit may be empty or left out where a record is asked for. False: not of
 * that form. */
typedef struct GateRequirement {
        char kind[NAME_LENGTH_MAX + 1], subject[NAME_LENGTH_MAX + 1], unit[256];
} GateRequirement;

bool gate_requirement_parse(const char *text, GateRequirement *ret);
