/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/base/engine-name.h"
#include "generator/base/map.h"
#include "generator/base/str.h"
#include "generator/model/options.h"

/* What the files of this folder share while stack_build() runs; nothing outside the folder sees it. */

/* What a service does with a data root, as far as its image tells. */
typedef enum Role {
        ROLE_PLAIN,
        ROLE_SEEDER,     /* a download client that goes on using its files, so that a copy is no help */
        ROLE_DOWNLOADER, /* another download client */
        ROLE_READER,     /* plays, lists or copies what others put there, and makes no links */
        ROLE_OVERLAY,    /* an overlay network: may be a way in, not a way out */
} Role;

/* What is known about a service beyond what the plan needs; parallel to Stack.services. */
typedef struct Extra {
        Role role;
        const char *joins; /* the service that network_mode names, before chains are followed */
        const char *power; /* "holds NET_ADMIN", …: why it can change routes, or NULL */
        unsigned score;    /* how much it looks like the one that creates files: higher first */
} Extra;

struct Build {
        Arena *arena;
        Diag *diag;
        Stack *stack;
        const Config *config;
        Options options;
        Extra *extras;
        Map by_name;      /* service name → Service */
        Map by_container; /* container name → Service */
        Proof *proofs;
        size_t n_proofs, proofs_capacity;
};

static inline size_t service_index(const Build *b, const Service *s) {
        return (size_t) (s - b->stack->services);
}

static inline Extra *extra_of(const Build *b, const Service *s) {
        return &b->extras[service_index(b, s)];
}

/* " (compose.yaml:12:5)", for the second position of a diagnostic; "" if there is none. */
const char *other_position(const Build *b, Span span);
/* Finds a service or says who asked for one that is not there. */
Service *service_by_name(Build *b, const char *name, Span span, const char *code, const char *who);

/* owners.c: Service.network, owner, is_owner, pod. */
void owners_resolve(Build *b);
/* tunnels.c: is_tunnel, tunnel. */
void tunnels_infer(Build *b);
/* depends.c: Service.depends, completes, healthchecks. */
void depends_read(Build *b);
/* order.c: Service.rank; a cycle is an error that names the chain. */
void order_compute(Build *b);
/* mounts.c: Service.mounts. */
void mounts_read(Build *b);
bool mount_is_data(const Build *b, const Mount *m);
/* mount-points.c: Stack.mount_points, Service.stands_on. */
void mount_points_build(Build *b);
/* names.c */
void names_assign(Build *b);
void names_check(Build *b);
/* ports.c */
void ports_check(Build *b);
/* roles.c */
Role role_of_service(const Service *s);
bool name_says_vpn(const Service *s);
static inline bool role_downloads(Role role) {
        return role == ROLE_SEEDER || role == ROLE_DOWNLOADER;
}
bool path_says_downloads(const char *path);
bool path_says_library(const char *path);    /* something where finished files are kept */
bool path_says_collection(const char *path); /* one kind of such files alone, so no downloads among them */
/* Configuration, caches, logs: kept by one application for itself. */
bool mount_says_state(const Mount *m);
/* guard.c: Service.guard */
void guards_build(Build *b);
/* proofs.c, hardlinks.c, data-roots.c */
void proofs_build(Build *b);
Proof *proof_add(Build *b, ProofKind kind, Service *service);
void hardlinks_infer(Build *b);
