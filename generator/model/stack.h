/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/base/diag.h"
#include "generator/front/node.h"

/* What the plan is made from: services, who owns which network namespace, tunnels and clients, data roots,
 * and the proofs that follow. Everything that is one key to one unit line stays in the resolved Compose node
 * and is mapped by the table in plan/map-service.c; only what has to do with the graph is here. */

typedef struct Service Service;

typedef enum NetworkKind {
        NETWORK_OWN, /* its own namespace on its networks */
        NETWORK_HOST,
        NETWORK_NONE,
        NETWORK_JOIN,    /* the namespace of `owner` */
        NETWORK_FOREIGN, /* that of the container `foreign`, which is none of this stack */
} NetworkKind;

typedef enum DependencyCondition {
        DEPENDS_STARTED,
        DEPENDS_HEALTHY,
        DEPENDS_COMPLETED,
        _DEPENDS_MAX,
} DependencyCondition;

typedef struct Dependency {
        Service *service;
        DependencyCondition condition;
        bool restart; /* an explicit restart of the dependency restarts this one */
        bool required;
        Span span;
} Dependency;

/* A bind mount of a host path. */
typedef struct Mount {
        const char *source; /* absolute, normalized host path */
        const char *target; /* absolute path inside */
        bool read_only;
        bool create_host_path;
        Span span;
} Mount;

/* Whether that is made before the start if it is missing: of an entry of "volumes" in its resolved form. */
bool bind_makes_source(const Node *mount);

/* A mount point on the host that services stand on, by the operator's word. */
/* What services stand on: they start with its unit and stop with it, and are brought back when it is. */
typedef struct MountPoint {
        const char *path; /* absolute, normalized; NULL: no mount, but the container of another stack whose
                             network is joined */
        const char *unit; /* "srv-data.mount", "media-gluetun.service" */
        const char *stem; /* "srv-data", "media-gluetun" */
        Span span;
} MountPoint;

typedef enum ProofKind {
        PROOF_ENGINE,
        PROOF_HEALTH,
        PROOF_KILLSWITCH,
        PROOF_EGRESS,
        PROOF_BINDING,
        PROOF_DNS,
        PROOF_HARDLINK,
        _PROOF_KIND_MAX,
} ProofKind;

typedef struct Proof {
        ProofKind kind;
        const char *subject; /* service name; stack name for PROOF_ENGINE */
        Service *service;    /* the subject, NULL for PROOF_ENGINE */
        Service *of;     /* what is looked at: the tunnel (kill switch, egress, binding, dns), the downloader
                            (hardlink), itself (health) */
        const char *why; /* the inference in words: "qbittorrent joins the network namespace of gluetun, which
                            holds NET_ADMIN" */
        Span span;       /* where that is written */
        bool off;        /* switched off by the operator; off_span says where */
        Span off_span;

        /* PROOF_HARDLINK: a path in the downloader, the same place in the importer, where to link it in the
         * importer. */
        const char *source_dir, *link_from;
        const char **link_to;
        size_t n_link_to;

        unsigned timeout_sec;  /* of the unit; 0: the kind's default */
        const char *interface; /* PROOF_EGRESS, PROOF_KILLSWITCH: the tunnel's interface if told */
        const char *schedule;  /* PROOF_KILLSWITCH: calendar event of its drill, or NULL */
} Proof;

/* Addresses that the clients of a tunnel may reach beside it. */
typedef struct GuardRange {
        const char *subnet; /* "192.168.1.0/24" */
        const char *why;    /* who says so: "FIREWALL_OUTBOUND_SUBNETS of gluetun" */
        Span span;
} GuardRange;

/* The kill rule in a tunnel's network namespace. */
typedef struct Guard {
        bool off; /* switched off by the operator; span says where */
        Span span;
        GuardRange *allow;
        size_t n_allow, capacity;
        const char **interfaces; /* the tunnel's links, if they are named */
        size_t n_interfaces;
} Guard;

struct Service {
        const char *name;
        const Node *node; /* the resolved Compose mapping of this service */
        Span span;        /* of its name */

        const char *unit;      /* "media-sonarr.service" */
        const char *container; /* container_name or "media-sonarr" */

        NetworkKind network;
        Service *owner;           /* NETWORK_JOIN */
        const char *foreign;      /* NETWORK_FOREIGN */
        const char *foreign_unit; /* … and the unit that runs it, if it is known */
        Span owner_span;
        bool is_owner;  /* others join it: its namespace lives in a pod */
        bool is_tunnel; /* an owner that can change routes (NET_ADMIN, privileged or the tun device) */
        bool restart_on_change; /* a tunnel, when a file that it reads has changed */
        Service *tunnel;        /* a client's tunnel (== owner), else NULL */
        bool hooked;            /* a client whose namespace is looked at before its first instruction */
        Guard *guard;           /* of a tunnel with clients, else NULL */
        const char *pod;        /* "media-gluetun" for owners and joiners, else NULL: file PODNAME.pod, unit
                                   PODNAME-pod.service */

        Dependency *depends; /* as written, without duplicates; the owner is added (started) if it was not
                                named */
        size_t n_depends;
        Mount *mounts;
        size_t n_mounts;
        const MountPoint **stands_on; /* mount points at, below or above its mounts' sources; foreign_unit */
        size_t n_stands_on;

        bool has_healthcheck; /* the file defines one */
        bool healthcheck_disabled;
        bool completes; /* someone waits for service_completed_successfully: Type=oneshot */

        Service **order_after; /* more ordering, without requirement: hardlink partners */
        size_t n_order_after;
        size_t rank; /* position in a topological order of all dependencies, owners and order_after */
};

typedef struct Stack {
        const char *name;    /* stack (directory) name: prefix of unit names */
        const char *project; /* Compose project name: prefix of networks and volumes */
        const char *project_dir;
        const char *source; /* path of the first compose file: SourcePath= */
        const Node *model;  /* the whole resolved model */
        Service *services;  /* in the model's order (sorted by name) */
        size_t n_services;
        Proof *proofs; /* sorted by kind, then subject */
        size_t n_proofs;
        const char **echo; /* http(s) URLs */
        size_t n_echo;
        const char **stun; /* host:port */
        size_t n_stun;
        MountPoint *mount_points;
        size_t n_mount_points;
        unsigned reprove_sec; /* how often what runs is proved anew; 0: not */
} Stack;

/* A name that a unit takes in Podman, where containers and pods share one set of names. */
typedef struct ContainerName {
        const char *name;  /* "gluetun", "media-gluetun-pod" */
        const char *unit;  /* "media-gluetun.service" */
        const char *stack; /* "media" */
} ContainerName;

/* Host-wide settings, from unitproof.conf. */
typedef struct Config {
        const char **echo, **stun;
        size_t n_echo, n_stun;
        unsigned proof_timeout_sec; /* 0: default */
        /* The unit of this host that runs a container of another stack, or NULL; NULL: nobody knows. The name
         * that Compose itself would give becomes the one that the container has. */
        const char *(*unit_of_container)(void *userdata, const char **container, bool *ret_in_pod);
        /* Who has that name already: a stack that comes before this one, or NULL; NULL: nobody knows. */
        const ContainerName *(*find_name)(void *userdata, const char *name);
        void *userdata;
} Config;

/* Returns NULL after errors (unknown service, cycles, two services that claim one host port, names that are
 * no unit names…). */
Stack *stack_build(Arena *a, Diag *d, const Node *model, const char *stack_name, const char *source_path,
                   const char *project_dir, const Config *config);

/* Config.unit_of_container() for one stack, by its resolved model. */
const char *stack_unit_of_container(Arena *a, const Node *model, const char *stack_name,
                                    const char **container, bool *ret_in_pod);
/* Every name that its containers and pods have, by its resolved model; returns how many. */
size_t stack_container_names(Arena *a, const Node *model, const char *stack_name, ContainerName **ret);
Service *stack_find(const Stack *s, const char *service);
/* Why the address of an echo server may not stand where everybody reads it, or NULL. */
const char *echo_url_problem(const char *url);
/* "media-gluetun-pod": of a service that is an owner. */
const char *service_pod_name(Arena *a, const Service *s);
/* None of it is to run: the count that says so, or NULL. */
const Node *service_without_replicas(const Node *service);
const char *proof_kind_name(ProofKind kind); /* "egress" */
bool proof_kind_is_pre_start(
        ProofKind kind); /* engine, health, egress: a unit of its own before the subject starts */
/* Egress, binding, dns, hardlink: may be repeated while the service runs, without disturbing it. */
bool proof_kind_is_repeatable(ProofKind kind);
/* Egress, binding, dns: about a client and its tunnel both. */
bool proof_kind_is_of_tunnel(ProofKind kind);
/* "media-proof-egress-qbittorrent.service" */
const char *proof_unit_name(Arena *a, const Stack *s, const Proof *p);
/* "media-drill-killswitch-gluetun.service": the same proof when an operator asks for it. */
const char *proof_drill_name(Arena *a, const Stack *s, const Proof *p);
/* "media-drill-killswitch-gluetun.timer": asks for that from time to time. */
const char *proof_drill_timer_name(Arena *a, const Stack *s, const Proof *p);
