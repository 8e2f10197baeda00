/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The evidence record of one proof: RUN_DIR/STACK/KIND-SUBJECT.json, one JSON object, mode 0644 in
 * directories of mode 0755. It is written by `unitproof-prove` and read by the gate, `unitproof status` and
 * monitors. This header is the format: version 1, all keys always there, no others. */

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "proofs/util.h"
#include "proofs/verdict.h"

#define RECORD_RUN_DIR "/run/unitproof"

enum {
        RECORD_VERSION = 1,
        RECORD_SIZE_MAX = 256 * 1024,
        RECORD_TEXT_MAX = 1024, /* reason, remedy: one sentence each */
};

typedef struct Record {
        char id[ID128_TEXT_SIZE]; /* random, new for each run of a proof */
        char stack[NAME_LENGTH_MAX + 1];
        char proof[NAME_LENGTH_MAX + 1]; /* kind: "egress", ... */
        char subject[NAME_LENGTH_MAX + 1];
        char engine[NAME_LENGTH_MAX + 1]; /* empty: none involved */
        Verdict verdict;
        bool pending; /* the proof runs, or died before its verdict; "unproven" */
        bool leak;    /* only with "failed": halts the stack */
        char *reason; /* one sentence, owned */
        char *remedy; /* one sentence or empty, owned */
        char boot_id[ID128_TEXT_SIZE];
        char unit[256];                      /* that was proved; empty: none */
        char invocation_id[ID128_TEXT_SIZE]; /* of that unit; empty if it had none */
        uint64_t netns_cookie;               /* SO_NETNS_COOKIE of its network namespace; 0: none */
        uint64_t monotonic_usec;             /* end of the proof */
        uint64_t realtime_usec;
        uint64_t duration_ms;
        json_t *evidence; /* object, differs by kind, owned */
} Record;

void record_done(Record *record);

/* RUN_DIR/STACK, created if need be (mode 0755), opened. */
int record_dir_create(const char *run_dir, const char *stack, int *ret_fd);

/* RUN_DIR/STACK/running: records of proofs about what runs already. No gate reads them, so that a look at
 * what runs never stands in the way of a start; the halt unit, status and monitors do. */
#define RECORD_RUNNING_DIR "running"
int record_running_create(const char *run_dir, const char *stack, int *ret_fd);

/* "KIND-SUBJECT.json" */
char *record_file_name(const char *proof, const char *subject);

/* "SUBJECT" was stopped by hand: RUN_DIR/STACK/held-SUBJECT. */
char *record_held_name(const char *subject);

/* Beside the records: a leak was found whose record could not be written. In ".consumed": the leak with the
 * ID that stands there has halted the stack (running: it was found in what ran). Owned by the caller. */
#define RECORD_LEAK_PREFIX ".leak-"
char *record_leak_name(const char *proof, const char *subject);
char *record_halted_path(bool running, const char *proof, const char *subject);

/* Text form, owned by the caller. NULL if out of memory or if a string is not UTF-8. */
char *record_format(const Record *record);

/* Writes beside and renames: a reader sees the old record or the new one, whole. */
int record_write(int dir_fd, const Record *record);
