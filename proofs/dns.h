/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The DNS proof in parts: dns-config.c reads a resolv.conf (pure), dns-look.c looks from the place of one
 * user of the client (from a child), dns-query.c asks, dns-judge.c says what all looks mean together (pure),
 * dns-evidence.c writes it down, kind-dns.c runs them. */

#include <jansson.h>

#include "proofs/address.h"
#include "proofs/helper-sockets.h"
#include "proofs/holders.h"
#include "proofs/place.h"
#include "proofs/route.h"
#include "proofs/verdict.h"

enum {
        DNS_NAMESERVERS_MAX = 8,
        DNS_NEIGHBOURS_MAX = 8,
        DNS_TARGETS_MAX = 2 * DNS_NAMESERVERS_MAX + 4 + 8 * DNS_NEIGHBOURS_MAX,
        DNS_SEATS_MAX = 8, /* users of the client, each with its view of the files */
        DNS_FILE_MAX = 4096,
        DNS_REASON_MAX = 400,
};

#define DNS_PORT 53

typedef struct DnsServer {
        Address address;
        char scope[IF_NAMESIZE]; /* "fe80::1%eth0"; empty: none */
} DnsServer;

typedef struct DnsConfig {
        DnsServer servers[DNS_NAMESERVERS_MAX];
        size_t n;
        bool odd; /* a nameserver line that is no address, or more of them than fit */
} DnsConfig;

/* resolv.conf(5). Without a nameserver it is the one at 127.0.0.1. */
void dns_config_parse(const char *text, DnsConfig *ret);
/* The "hosts" line of nsswitch.conf(5), white space folded; "" if there is none. */
void dns_hosts_line(const char *text, size_t size, char *ret);

typedef enum DnsRole {
        DNS_NAMESERVER, /* from the client's resolv.conf */
        DNS_LOCAL,      /* where engines and systemd-resolved put one: 127.0.0.11, 127.0.0.53 */
        DNS_NEIGHBOUR,  /* next hop of a link that is not the tunnel: the engine's resolver, a router */
} DnsRole;

typedef struct DnsTarget {
        DnsRole role;
        DnsServer server;
        uint16_t port;
        bool tcp;
} DnsTarget;

/* What came of one question. Links are indexes, 0: none. */
typedef struct DnsTry {
        RouteAnswer route;
        int error;          /* errno of sending or from the network; 0: none */
        bool sent;          /* the kernel took it */
        bool unresolved;    /* its next hop is sought, or was not found just now */
        bool answered;      /* a DNS answer, or a TCP connection */
        int beside;         /* link that is neither tunnel nor loopback and by which it was seen to leave */
        bool through, kept; /* seen to leave by the tunnel; on the loopback */
        uint32_t milliseconds;
} DnsTry;

/* One seat's look. No pointers: it comes through a pipe. */
typedef struct DnsLook {
        uint64_t cookie;
        uid_t uid; /* on the host */
        pid_t pid;
        LinkSet links;
        int config_error; /* errno of reading resolv.conf; ENOENT is none of an error */
        char config_text[DNS_FILE_MAX];
        char hosts_line[160];
        DnsConfig config;
        DnsTarget targets[DNS_TARGETS_MAX];
        DnsTry tries[DNS_TARGETS_MAX];
        size_t n_targets;
        bool control_before, control_after; /* the sniffer sees what leaves */
        bool neighbour_sought;              /* something waited for a next hop that may not be there */
        HelperTry helpers[HELPERS_MAX];
        SocketInodes sockets; /* of the namespace: who could answer on its loopback */
} DnsLook;

typedef struct DnsOrder {
        const Process *process; /* whose place is taken */
        uid_t uid;
        const char *interface; /* NULL: not named */
        uint64_t timeout_usec;
} DnsOrder;

/* A small file below the root of a process, such as "etc/resolv.conf"; -EBADF: it is no plain file. */
int dns_file_read(const Process *process, const char *path, char **ret);

/* ChildWork: userdata DnsOrder, result DnsLook. */
int dns_look(void *userdata, void *result);

/* Asks all targets of a look at once, watched by the sniffer. The links and targets of the look are filled.
 */
int dns_ask(const DnsOrder *order, int sniffer, DnsLook *look);

/* Notes which tries wait for a next hop; in the current network namespace. */
int dns_hops_look(DnsLook *look);

/* Next hops, and first addresses of the networks, of links that are neither tunnel nor loopback; in the
 * current network namespace. */
int dns_neighbours(const LinkSet *links, const char *interface, DnsServer *ret, size_t *ret_n);

typedef struct DnsCase {
        const DnsLook *looks;
        size_t n_looks;
        HelperState (*states)[HELPERS_MAX]; /* of each look's tries */
        const char *interface;
        const SocketHolders *holders; /* of the namespace's sockets; NULL: not looked for */
        bool same_as_tunnel;          /* its resolv.conf is that of the tunnel's first process */
} DnsCase;

typedef enum DnsWay {
        DNS_THROUGH, /* into the tunnel, and answered */
        DNS_KEPT,    /* on the loopback, and answered */
        DNS_SILENT,  /* into the tunnel or on the loopback, and no answer */
        DNS_CLOSED,  /* the kernel lets nothing out */
        DNS_BESIDE,  /* it left by another link, or was answered there */
        DNS_UNCLEAR,
        _DNS_WAY_MAX,
} DnsWay;

const char *dns_way_name(DnsWay way);
const char *dns_server_text(const DnsServer *server, char *buffer, size_t size);
DnsWay dns_way(const DnsCase *c, const DnsLook *look, size_t i);

typedef struct DnsFinding {
        Verdict verdict;
        bool leak;
        const char *code, *remedy;
        char reason[DNS_REASON_MAX];
} DnsFinding;

/* Whether an answer came from the namespace's own loopback, so that who gave it has to be found. */
bool dns_needs_holders(const DnsCase *c);
void dns_judge(const DnsCase *c, DnsFinding *ret);
json_t *dns_evidence(const DnsCase *c, const DnsFinding *finding);
