/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The kill-switch proof in parts:
 *
 *   killswitch-probes.c    the table of probes
 *   killswitch-scene.c     what there is in the namespace: links, addresses, gateways, marks; its digest
 *   killswitch-plan.c      table and scene give shots: one packet or connection each
 *   killswitch-fire.c      sends them
 *   killswitch-packet.c    what they look like, and finds them again in what a link sends (pure)
 *   killswitch-sniff.c     what the links send
 *   killswitch-control.c   whether traffic goes through the tunnel
 *   killswitch-run.c       one run from beginning to end, in a child inside the namespace
 *   killswitch-judge.c     what it means (pure), and killswitch-evidence.c writes it down
 *   kind-killswitch.c      the unit, the record of an earlier run, the child
 */

#include <jansson.h>

#include "proofs/killswitch-restore.h"
#include "proofs/probe.h"
#include "proofs/route.h"
#include "proofs/verdict.h"

enum {
        KS_SHOTS_MAX = 480,
        KS_PLACES_MAX = 16, /* gateways, neighbours, resolvers, addresses of uplinks */
        KS_MARKS_MAX = 8,
        KS_RUN_SIZE = 8, /* random bytes that all packets of one run carry */
        KS_SEEN_MAX = 24,
        KS_TEXT_MAX = 400,
        KS_USER_NOBODY = 65534,
        KS_USERS_MAX = 2, /* of clients, beside root and nobody */
};

typedef enum KsPhase {
        KS_PHASE_UP,   /* the tunnel works: shows that the probes are found where they go */
        KS_PHASE_DOWN, /* the interface is down */
        KS_PHASE_DEAD, /* the interface is up, the peer does not answer */
        _KS_PHASE_MAX,
} KsPhase;

const char *ks_phase_name(KsPhase phase);

typedef enum KsMethod {
        KS_TCP,
        KS_UDP,
        KS_PING, /* ICMP echo by a ping socket */
        KS_ICMP, /* the same by a raw socket */
        KS_DNS_UDP,
        KS_DNS_TCP,
        KS_FRAME, /* handed to the link by a packet socket */
        KS_FLOW_TCP,
        KS_FLOW_UDP, /* made while the tunnel worked, and used again */
} KsMethod;

typedef enum KsTarget {
        KS_TO_EVERYWHERE, /* the echo servers, and samples of the address space */
        KS_TO_SERVER,     /* one echo server of each family, or one sample */
        KS_TO_ENDPOINT,   /* the address of the VPN server, another port */
        KS_TO_RESOLVERS,
        KS_TO_GATEWAYS,
        KS_TO_NEIGHBOURS,
        KS_TO_GROUPS, /* multicast */
} KsTarget;

typedef enum KsBy {
        KS_BY_ROUTE,
        KS_BY_DEVICE, /* SO_BINDTODEVICE, or the packet socket's link: each uplink */
        KS_BY_SOURCE, /* bound to each address of the uplinks */
        KS_BY_MARK,   /* SO_MARK: each mark that there may be a rule for */
} KsBy;

/* What it means if one is seen on an uplink or is answered. */
typedef enum KsReach {
        KS_REACH_WORLD,    /* seen or answered: a leak */
        KS_REACH_RESOLVER, /* a server on the uplink's own network: answered, names get out: a leak */
        KS_REACH_LAN,      /* the uplink's own network: noted */
} KsReach;

typedef struct KsProbe {
        const char *name;
        KsMethod method;
        KsTarget target;
        KsBy by;
        KsReach reach;
        bool as_nobody; /* also as an unprivileged user */
        bool needs_raw; /* nobody can do it without CAP_NET_RAW or CAP_NET_ADMIN */
        const char *help;
} KsProbe;

extern const KsProbe ks_probes[];
extern const size_t ks_n_probes;

typedef struct KsPlace {
        Address address;
        int link; /* index of the uplink; 0: any */
} KsPlace;

typedef struct KsPlaces {
        KsPlace places[KS_PLACES_MAX];
        size_t n;
} KsPlaces;

/* What there is. */
typedef struct KsScene {
        LinkSet links;
        int tunnel;
        KsPlaces addresses, gateways, neighbours; /* of uplinks */
        uint32_t marks[KS_MARKS_MAX];
        size_t n_marks;
        bool asking;        /* an uplink looks for a next hop that has not answered yet */
        bool near_physical; /* an uplink is a part of the host's own network (macvlan, ipvlan, a real card) */
        char digest[33];    /* of links, addresses, routes, rules and packet filter */
} KsScene;

/* The carrier: what the tunnel's packets travel in. */
typedef struct KsFlow {
        int family; /* AF_UNSPEC: none */
        uint8_t protocol;
        Address remote;
        uint16_t port;
        uint64_t sent, received; /* packets */
        uint64_t bytes;
} KsFlow;

typedef struct KsShot {
        uint16_t probe; /* index into ks_probes */
        uint16_t id;
        KsReach reach;
        Address to;
        uint16_t port, local_port; /* host order; local_port: TCP and flows */
        uint32_t user;
        uint32_t mark;
        int link;         /* bound to it, or 0 */
        Address from;     /* bound to it, or AF_UNSPEC */
        bool hop_limited; /* dies at the first hop: nobody there is asked anything */
        /* what became of it */
        uint8_t tries;
        int error[_KS_PHASE_MAX]; /* errno of sending, 0: sent */
        bool fired[_KS_PHASE_MAX], answered[_KS_PHASE_MAX];
        uint16_t seen_outside[_KS_PHASE_MAX], seen_inside[_KS_PHASE_MAX], seen_asking[_KS_PHASE_MAX];
        int seen_link[_KS_PHASE_MAX];
} KsShot;

/* One thing that was looked at: a transport and a family that answered by the tunnel. */
typedef struct KsControl {
        bool tried, held;
        uint32_t milliseconds;
} KsControl;

typedef enum KsStep {
        KS_STEP_SCENE,
        KS_STEP_CONTROL,
        KS_STEP_UP,
        KS_STEP_DOWN,
        KS_STEP_RESTORE,
        KS_STEP_CONTROL_BETWEEN,
        KS_STEP_DEAD,
        KS_STEP_CONTROL_AFTER,
        KS_STEP_DONE,
} KsStep;

typedef enum KsTrouble {
        KS_FINE,
        KS_NO_TUNNEL_LINK,
        KS_NO_CONTROL,
        KS_NO_SNIFFER,
        KS_DETECTOR_BLIND,
        KS_NO_CARRIER,
        KS_NOT_KEPT,
        KS_NOT_SET_DOWN,
        KS_NOT_RESTORED,
        KS_CANNOT_SEVER,
        KS_NOT_SEVERED,
        KS_CONTROL_LOST,
        KS_SNIFFER_LOST,
        KS_TOO_MANY,
        KS_SCENE_CHANGED,
        _KS_TROUBLE_MAX,
} KsTrouble;

/* No pointers: it comes through a pipe. */
typedef struct KsRun {
        KsStep step;
        KsTrouble trouble;
        int error; /* errno behind the trouble, or 0 */
        char detail[KS_TEXT_MAX];
        KsScene scene;
        KsFlow carrier;
        KsShot shots[KS_SHOTS_MAX];
        size_t n_shots;
        KsControl control[3][_TRANSPORT_MAX][_FAMILY_MAX]; /* before, between, after */
        bool way[_FAMILY_MAX];                             /* a way into the tunnel */
        KeptReport restored;
        unsigned n_kept;
        uint64_t others[_KS_PHASE_MAX]; /* packets on uplinks that are neither ours nor the carrier's */
        uint32_t phase_ms[_KS_PHASE_MAX];
        bool left_blocked, leftovers;
} KsRun;

typedef struct KsOrder {
        int netns_fd, dir_fd; /* dir_fd: the stack's run directory */
        KsFiles files;        /* there */
        const char *interface;
        KsOwner owner;
        bool unprivileged;   /* no client can use raw sockets or marks */
        const Probe *probes; /* echo sources, one for each family that they have */
        size_t n_probes;
        const Address *resolvers;
        size_t n_resolvers;
        uint32_t users[KS_USERS_MAX]; /* that clients run as */
        size_t n_users;
        uint64_t probe_timeout_usec, control_usec; /* one answer; until the control must work again */
} KsOrder;

/* ChildWork: userdata KsOrder, result KsRun. */
int ks_run(void *userdata, void *result);
/* ChildWork: result KsScene. */
int ks_look(void *userdata, void *result);

int ks_scene_read(const char *interface, KsScene *ret);
bool ks_scene_is_uplink(const KsScene *scene, int link);
/* Gateways, neighbours and addresses: is it on an uplink's own network? */
bool ks_scene_is_near(const KsScene *scene, const Address *address);

/* -E2BIG: more than KS_SHOTS_MAX. */
int ks_plan(const KsOrder *order, const KsScene *scene, const KsFlow *carrier, KsRun *run);

/* What every packet carries: these bytes, then the shot and the phase. */
typedef struct KsNonce {
        uint8_t run[KS_RUN_SIZE];
} KsNonce;

enum { KS_PAYLOAD_MAX = 160, KS_PACKET_MAX = 512 };

/* The payload of a shot. Returns its length. */
size_t ks_payload(const KsNonce *nonce, const KsShot *shot, KsPhase phase, uint8_t ret[KS_PAYLOAD_MAX]);
/* A whole IP packet, for raw and packet sockets. */
size_t ks_packet(const KsNonce *nonce, const KsShot *shot, KsPhase phase, const Address *from,
                 uint8_t ret[KS_PACKET_MAX]);
bool ks_dns_is_answer(const uint8_t *bytes, size_t length, const KsNonce *nonce, const KsShot *shot);

typedef struct KsSighting {
        int shot;      /* index, or -1: none of ours */
        bool asking;   /* not itself: the search for its next hop (ARP, neighbour discovery) */
        KsPhase phase; /* that it was sent in */
        KsFlow flow;   /* with shot -1: what it is part of, as seen from here */
} KsSighting;

/* protocol: ETH_P_*; packet begins with the network header. */
void ks_recognize(const KsNonce *nonce, const KsShot *shots, size_t n, KsPhase now, uint16_t protocol,
                  const uint8_t *packet, size_t length, KsSighting *ret);

typedef struct KsSniffer {
        int fd;
        KsNonce nonce;
        KsFlow flows[64]; /* of others, by remote address, protocol and port */
        size_t n_flows;
} KsSniffer;

int ks_sniffer_open(KsSniffer *ret);
/* Reads what has come; counts sightings in run->shots. */
int ks_sniffer_read(KsSniffer *sniffer, KsRun *run, KsPhase now);
/* Packets that the kernel had to drop for lack of room, since the last call. */
int ks_sniffer_dropped(KsSniffer *sniffer, unsigned *ret);
void ks_sniffer_close(KsSniffer *sniffer);

/* Open flows, an index for each shot; -1: none. */
typedef struct KsFlows {
        int fds[KS_SHOTS_MAX];
} KsFlows;

/* Opens the flows and waits until they stand, at most timeout_usec. */
void ks_flows_open(KsRun *run, const KsNonce *nonce, uint64_t timeout_usec, KsFlows *ret);
void ks_flows_close(KsFlows *flows);

/* All shots at once, then looks at answers and at the links for this long. */
int ks_fire(KsRun *run, KsSniffer *sniffer, const KsFlows *flows, KsPhase phase, uint64_t window_usec);

/* Asks all sources until each transport and family that must hold does, or until the deadline. */
int ks_control(const KsOrder *order, KsRun *run, unsigned which, uint64_t deadline_usec);

/* Between the tunnel's process and its peer: our own table in the packet filter. */
int ks_block(const KsFlow *carrier, char **ret_error);

typedef struct KsFinding {
        Verdict verdict;
        bool leak;
        const char *code;
        char reason[KS_TEXT_MAX], remedy[KS_TEXT_MAX];
} KsFinding;

typedef struct KsCase {
        const KsRun *run;
        const char *unit;
        bool unprivileged; /* no client can use raw sockets or marks */
        bool guarded;      /* our kill rule is loaded, which stops those too */
} KsCase;

typedef enum KsOutcome {
        KS_UNTRIED,
        KS_CLOSED,
        KS_LEAK,
        KS_NEAR,            /* reached the uplink's own network, and may */
        KS_NEEDS_RAW,       /* got out, but no client can do that */
        KS_ANSWERED_UNSEEN, /* answered without being seen: contradictory */
} KsOutcome;

KsOutcome ks_outcome(const KsRun *run, const KsShot *shot, KsPhase phase, bool unprivileged);

/* Whether something got out so far. */
bool ks_run_leaks(const KsRun *run, bool unprivileged);
void ks_judge(const KsCase *c, KsFinding *ret);
json_t *ks_evidence(const KsCase *c, const KsFinding *finding);
