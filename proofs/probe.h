/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Asks a batch of echo sources at the same time, from whatever network namespace the caller is in. */

#include "proofs/source.h"

enum {
        PROBES_MAX = 2 * SOURCES_MAX * _FAMILY_MAX,
        PROBE_DETAIL_MAX = 96,
};

typedef enum ProbeState {
        PROBE_UNTRIED,  /* not part of the batch */
        PROBE_ANSWERED, /* an address came back */
        PROBE_NO_ROUTE, /* the kernel has no way there (or no address of that family) */
        PROBE_BLOCKED,  /* the kernel refused to send: a local rule */
        PROBE_SILENT,   /* no answer, refused, reset */
        PROBE_ODD,      /* something answered, but not what an echo answers */
        _PROBE_STATE_MAX,
} ProbeState;

const char *probe_state_name(ProbeState state);

typedef struct Probe {
        const Source *source;
        Family family;
} Probe;

/* No pointers: it travels through a pipe. */
typedef struct ProbeAnswer {
        ProbeState state;
        int error;               /* errno, 0: none known */
        Address seen;            /* what the source sees of us */
        Address local;           /* our end of the socket */
        uint64_t sent, received; /* bytes of the request and of the answer, without headers below */
        uint32_t milliseconds;
        char detail[PROBE_DETAIL_MAX]; /* printable ASCII */
} ProbeAnswer;

/* Classes of errno after connect() or send(). */
ProbeState probe_state_from_errno(int error);

/* For each i with wanted[i]: asks probes[i], fills answers[i]; the others stay as they are. Takes at most
 * timeout_usec. Needs curl_global_init(). Returns 0 or a negative errno. */
int probes_run(const Probe *probes, size_t n, const bool *wanted, uint64_t timeout_usec,
               ProbeAnswer *answers);

/* The two halves of it. */
typedef struct StunProbe {
        int fd;
        uint8_t transaction[12];
        uint64_t started_usec, next_usec, pause_usec; /* when to send again */
} StunProbe;

void stun_probe_start(StunProbe *probe, const Probe *what, uint64_t now_usec, ProbeAnswer *answer);
/* Reads and sends again; closes fd when answer->state is settled. */
void stun_probe_step(StunProbe *probe, uint64_t now_usec, ProbeAnswer *answer);
void stun_probe_done(StunProbe *probe);

typedef struct EchoProbe {
        void *easy;    /* CURL */
        void *resolve; /* struct curl_slist */
        char body[512];
        size_t body_length;
        char error[256]; /* CURL_ERROR_SIZE */
} EchoProbe;

int echo_probe_start(EchoProbe *probe, const Probe *what, uint64_t timeout_usec);
/* Called once, when the transfer ended with this CURLcode. */
void echo_probe_finish(EchoProbe *probe, int code, Family family, ProbeAnswer *answer);
void echo_probe_done(EchoProbe *probe);

/* Finds the address in the body of an echo: alone on a line, or as string "ip" of a JSON object. */
int echo_body_parse(const char *body, size_t length, Address *ret);
