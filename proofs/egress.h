/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The egress proof in parts: egress-look.c looks at one side (from a child), egress-judge.c says what the two
 * sides mean together (pure), egress-evidence.c writes it down, kind-egress.c does it again until it is
 * clear. */

#include <jansson.h>

#include "proofs/hostaddrs.h"
#include "proofs/probe.h"
#include "proofs/route.h"
#include "proofs/verdict.h"

enum {
        EGRESS_SAMPLES = 4, /* addresses a family whose route is looked up beside the sources' */
        EGRESS_REASON_MAX = 400,
        EGRESS_REMEDY_MAX = 300,
};

/* Where a packet to one address would go, and whether it may leave. */
typedef struct EgressWay {
        RouteAnswer route;
        int connect_error; /* errno of connect() on a UDP socket: asks the kernel for real */
        int push_error;    /* errno of sending a datagram with TTL 1 there; 0: it left */
        bool pushed;       /* only where the way is not the tunnel's */
} EgressWay;

/* One side. No pointers: it comes through a pipe. */
typedef struct EgressLook {
        uint64_t cookie;
        LinkSet before, after;
        ProbeAnswer answers[PROBES_MAX];
        EgressWay ways[PROBES_MAX];
        EgressWay samples[_FAMILY_MAX][EGRESS_SAMPLES]; /* of UDP */
        EgressWay samples_tcp[_FAMILY_MAX][EGRESS_SAMPLES];
} EgressLook;

typedef struct EgressOrder {
        int netns_fd; /* -1: stay in the host's */
        const Probe *probes;
        size_t n_probes;
        const bool *wanted;    /* probes to run; NULL: all */
        const char *interface; /* NULL: not named */
        uint64_t timeout_usec;
} EgressOrder;

/* ChildWork: userdata EgressOrder, result EgressLook. */
int egress_look(void *userdata, void *result);

/* The sample addresses, four quarters of each family's unicast space. */
Address egress_sample(Family family, size_t i);

typedef struct EgressCase {
        const Probe *probes;
        size_t n_probes;
        const EgressLook *host, *inside;
        const EgressLook *host_again, *inside_again; /* second run of what was negative; NULL: none */
        const HostAddresses *host_addresses;         /* of interfaces and as seen by the sources */
        const char *interface;
} EgressCase;

/* What one source says about one family, both sides together. */
typedef enum EgressPair {
        PAIR_BOTH,       /* both sides got an answer */
        PAIR_INSIDE_NEW, /* inside answered, the host has no way to that family at all */
        PAIR_NO_PATH,    /* no way inside: by attempt and by route lookup */
        PAIR_BLOCKED,    /* a way beside the tunnel that the namespace's own rules refuse */
        PAIR_DEAD_END,   /* into the tunnel and no answer, but the host has no such family either */
        PAIR_NEITHER,    /* no side: the source is down */
        PAIR_HOST_ONLY,
        PAIR_INSIDE_ONLY, /* the host's own address is unknown */
        PAIR_UNSTEADY,    /* the control did not work again */
        PAIR_ODD,         /* something else answered */
        _PAIR_MAX,
} EgressPair;

const char *egress_pair_name(EgressPair pair);

typedef enum EgressOutcome {
        OUTCOME_THROUGH, /* answers came through the tunnel */
        OUTCOME_NO_PATH, /* this family has no way out */
        OUTCOME_UNKNOWN,
        _OUTCOME_MAX,
} EgressOutcome;

const char *egress_outcome_name(EgressOutcome outcome);

typedef struct EgressFinding {
        Verdict verdict;
        bool leak;
        bool failed_if_lasting; /* unproven for as long as the tunnel may still be coming up, then failed */
        const char *code; /* one word for programs: "same-address", ... */
        char reason[EGRESS_REASON_MAX];
        char remedy[EGRESS_REMEDY_MAX];
        EgressPair pairs[PROBES_MAX];
        EgressOutcome outcomes[_FAMILY_MAX];
} EgressFinding;

/* Which probes were negative in a way that counts only if the control works again. */
bool egress_needs_again(const EgressCase *c, bool ret_wanted[PROBES_MAX]);

void egress_judge(const EgressCase *c, EgressFinding *ret);

/* Writes everything that was seen into an object; NULL if out of memory. */
json_t *egress_evidence(const EgressCase *c, const EgressFinding *finding);
