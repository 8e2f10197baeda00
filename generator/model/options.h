/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/model/stack.h"

/* What stands under x-unitproof, read and checked. docs/x-unitproof.md describes it to operators,
 * docs/schema/x-unitproof.json to editors; a test keeps the schema and the tables here in step. */

/* One entry of "proofs". */
typedef struct ProofOption {
        bool set; /* the operator said something about this kind */
        bool on;
        Span span;
        unsigned timeout_sec;  /* 0: not said */
        const char *interface; /* NULL: not said */
        const char *schedule;  /* of PROOF_KILLSWITCH; NULL: not said, "": off */
        Span schedule_span;
} ProofOption;

/* One entry of "data". Paths are absolute and normalized. */
typedef struct DataRoot {
        Span span;
        const char *path;      /* on the host */
        const char *downloads; /* where the downloader writes: path itself or below it */
        const char **library;  /* where importers link to; empty: the inference decides */
        Span *library_spans;
        size_t n_library;
        Service *downloader; /* NULL: the inference decides */
        Service **importers; /* empty: everybody else who mounts it read-write */
        Span *importer_spans;
        size_t n_importers;
        bool off;
        Span off_span;
        bool is_mount; /* path is a mount point, and nothing writes there when it is not */
        Span mount_span;
} DataRoot;

typedef enum TunnelChoice {
        TUNNEL_INFER,
        TUNNEL_YES,
        TUNNEL_NO,
} TunnelChoice;

/* "guard" of a tunnel. */
typedef struct GuardOption {
        bool set, on;
        Span span;
        const char **allow; /* as written */
        Span *allow_spans;
        size_t n_allow;
} GuardOption;

typedef struct ServiceOptions {
        TunnelChoice tunnel;
        Span tunnel_span;
        bool restart_on_change;
        Span on_change_span; /* line 0: nothing was said */
        GuardOption guard;
        ProofOption proofs[_PROOF_KIND_MAX];
} ServiceOptions;

typedef struct Options {
        ProofOption proofs[_PROOF_KIND_MAX];
        DataRoot *data;
        size_t n_data, data_capacity;
        const char **echo, **stun, **profiles;
        size_t n_echo, n_stun, n_profiles;
        bool has_echo, has_stun;
        unsigned reprove_sec;     /* 0: off */
        ServiceOptions *services; /* parallel to Stack.services */
} Options;

/* Where a key may stand. */
typedef enum OptionScope {
        SCOPE_STACK = 1 << 0,
        SCOPE_SERVICE = 1 << 1,
} OptionScope;

typedef struct Build Build;

typedef struct OptionRow {
        const char *key;
        unsigned scopes;
        /* service is NULL for the stack's own. */
        void (*read)(Build *b, const Node *value, Service *service);
} OptionRow;

/* The keys of x-unitproof, of an entry of "data" and of an entry of "proofs", each sorted. */
extern const OptionRow option_rows[];
extern const size_t n_option_rows;
extern const char *const data_root_keys[];
extern const size_t n_data_root_keys;
extern const char *const proof_option_keys[];
extern const size_t n_proof_option_keys;
extern const char *const guard_option_keys[];
extern const size_t n_guard_option_keys;

/* Fills b->options; needs b->stack->services. */
void options_read(Build *b);
/* The entries of their own files. */
void options_read_data(Build *b, const Node *value, Service *service);
void options_read_proofs(Build *b, const Node *value, Service *service);
void options_read_guard(Build *b, const Node *value, Service *service);

/* A calendar event of systemd.time(7) that systemd takes for sure. */
bool calendar_is_valid(const char *text);

/* "profiles" of x-unitproof, in the form that compose_load() takes; mistakes are left to stack_build(). Works
 * on any mapping that has x-unitproof on its top level, such as the tree of a file that is not resolved yet.
 */
size_t x_unitproof_profiles(Arena *a, const Node *root, const char *const **ret_profiles,
                            const Span **ret_spans);

/* What the operator says about a kind for a subject: the service's own words, else its tunnel's (egress,
 * binding and dns are about both), else the stack's. Never NULL. */
const ProofOption *options_proof(const Build *b, const Service *service, ProofKind kind);

/* Helpers of both files. */
bool option_is_true(const Node *n, bool *ret_value); /* true, false, on, off, yes, no */
void option_unknown(Build *b, const Node *key, const char *where, const char *const *known, size_t n_known);
/* A list of strings, or one string; anything else is an error and gives nothing. */
size_t option_strings(Build *b, const Node *n, const char *what, const char ***ret_strings, Span **ret_spans);
/* "90", "90s", "1m30s", "1h": whole seconds, at least one and at most a day; false after an error. */
bool option_seconds(Build *b, const Node *n, const char *what, unsigned least, unsigned *ret_seconds);
