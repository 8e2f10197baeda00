/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <stdarg.h>

#include "generator/base/engine-name.h"
#include "generator/base/map.h"
#include "generator/plan/image.h"
#include "generator/plan/plan.h"
#include "generator/plan/support.h"
#include "generator/write/tokens.h"
#include "generator/write/unit-writer.h"
#include "templates/templates.h"

/* What the files of this folder share while plan_lower() runs; nothing outside the folder sees it. */

#define PROGRAM_PROVE "/usr/libexec/unitproof/unitproof-prove"
#define PROGRAM_PROBE "/usr/libexec/unitproof/unitproof-probe" /* the kinds that need more libraries */
#define PROGRAM_GATE "/usr/libexec/unitproof/unitproof-gate"
#define PROGRAM_NETNS "/usr/libexec/unitproof/unitproof-netns"
#define HOOKS_DIR "/usr/share/containers/oci/hooks.d"
#define PROGRAM_PODMAN "/usr/bin/podman"
#define PROGRAM_MKDIR "/usr/bin/mkdir"
#define PROGRAM_RM "/usr/bin/rm"
#define RUN_DIR "/run/unitproof"

/* ---- dependencies of one unit, each named once and in order ---- */

typedef enum DepKind {
        DEP_REQUIRES,
        DEP_WANTS,
        DEP_BINDS_TO,
        DEP_REQUISITE,
        DEP_PART_OF,
        DEP_AFTER,
        DEP_ON_FAILURE,
        DEP_ON_SUCCESS,
        _DEP_MAX,
} DepKind;

typedef struct Deps {
        struct {
                const char **names;
                size_t n, capacity;
        } kinds[_DEP_MAX];
} Deps;

void deps_add(Arena *a, Deps *d, DepKind kind, const char *unit);
bool deps_name(const Deps *d, DepKind kind, const char *unit);
void deps_write(Deps *d, UnitWriter *w);

/* ---- command lines ---- */

typedef struct Words {
        const char **items;
        size_t n, capacity;
} Words;

void words_add(Arena *a, Words *w, const char *word);
const char *const *words_copy(Arena *a, const Words *w);

/* Of 'scale' and 'deploy.replicas'. */
#define HINT_ONE_CONTAINER "write one service for each container, or leave a service out with a profile"

/* ---- the whole ---- */

/* The namespace that an owner and its joiners share. */
typedef struct PodDraft {
        bool used;
        UnitWriter lines;
        Deps deps;
        Map sysctls; /* name → Node of the value */
        Map hosts;   /* name → who gave it which address */
} PodDraft;

/* The names by which "links" of others call a service. */
typedef struct LinkNames {
        const Node **names; /* "SERVICE:NAME" */
        size_t n, capacity;
} LinkNames;

typedef struct Lower {
        Arena *arena;
        Diag *diag;
        const Stack *stack;
        const Facts *facts;
        Plan *plan;
        const char *target;       /* "media.target" */
        const char *private_dir;  /* relative: "unitproof-media.env" */
        const char *private_path; /* where that will be: "/run/systemd/generator/unitproof-media.env" */
        const char *quadlet_dir;  /* relative: "unitproof-media.quadlets" */
        PodDraft *pods;           /* parallel to stack->services; used for owners */
        Map networks, volumes;    /* names that some service uses */
        Node *anonymous;          /* volumes that the file gives no name, by ours; NULL: none */
        LinkNames *links;         /* parallel to stack->services */
        const Service **builders; /* parallel to stack->services: whose 'build' makes the image, or NULL */
        const bool *followed;     /* parallel to stack->services: a client stops and comes back with it */
        const bool *looked_at;    /* parallel to stack->services: some proof looks at it while it runs */
        const Proof *engine;      /* NULL if it is off */
        const Proof **
                first_proof; /* of a service, parallel to stack->services; proofs that are off are left out */
        const Proof **next_proof; /* the next one of the same service, parallel to stack->proofs */
} Lower;

typedef struct FileOwner {
        uid_t uid;
        gid_t gid;
        mode_t mode;
} FileOwner;

static inline size_t lower_index(const Lower *l, const Service *s) {
        return (size_t) (s - l->stack->services);
}

void lower_quadlet(Lower *l, const char *file, const char *unit, Span origin, const char *text);
void lower_unit(Lower *l, const char *unit, Span origin, const char *text);
void lower_private_of(Lower *l, const char *name, Span origin, FileOwner owner, const char *text);
void lower_private(Lower *l, const char *name, Span origin, mode_t mode, const char *text);
const char *lower_format(Arena *a, const char *format, va_list ap) __attribute__((format(printf, 2, 0)));
/* "What it is, from compose.yaml:12:3", for the first line of a file. */
const char *lower_note(Lower *l, Span span, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- one service ---- */

typedef struct Draft {
        Lower *lower;
        const Service *service;
        const char *key;         /* of the Compose file, whose lines are written */
        UnitWriter container;    /* lines of [Container] */
        UnitWriter unit;         /* lines of [Unit] beyond the dependencies */
        UnitWriter gate, proofs; /* ExecStartPre= and ExecStartPost=, ExecStopPost= of ours */
        UnitWriter commands;     /* preparations */
        UnitWriter lines;        /* the rest of [Service] */
        Deps deps;

        UnitWriter *network; /* where the keys of the namespace go: own container, pod of the owner; NULL for
                                a joiner */

        Buf environment;        /* for podman --env-file */
        Buf labels;             /* for podman --label-file: labels that hold a secret */
        Buf words;              /* for EnvironmentFile= of the unit: NAME="VALUE" */
        const char *words_name; /* of that file */
        size_t n_words;
        bool has_empty, has_semicolon;
        bool warned_visible;

        Map targets;              /* path in the container → Claim */
        Map own_files;            /* name of a secret's or config's file → how many uses it has */
        const char **directories; /* that Compose would make */
        size_t n_directories, directories_capacity;
        Map uses; /* names of services whose containers have to be there when this one starts */
        const char **external_volumes;
        size_t n_external_volumes, external_volumes_capacity;
} Draft;

/* Where text goes that must not stand in unit text, or that quadlet loses: returns the name of a variable of
 * the unit which systemd expands, decision 0010. NULL after an error. */
const char *draft_word(Draft *d, Span span, const char *value);
/* The operator's own choice of a place makes a secret visible in the process list: says so, once a value. */
void draft_warn_visible(Draft *d, const Node *n);

/* key=value in the class, or by way of draft_word() if the node is a secret. */
void draft_line(Draft *d, UnitWriter *w, const char *key, EscapeClass class, const Node *n,
                const char *value);
/* One word of a command line: also empty, ";" and secret ones. */
void draft_command_word(Draft *d, UnitWriter *w, const Node *n, const char *value);
/* PodmanArgs=--flag=value. */
void draft_podman_arg(Draft *d, UnitWriter *w, const char *flag, const Node *n, const char *value);

/* One thing is mounted at a place; false after saying that there are two. `what` says whether they are the
 * same, which does no harm. */
bool draft_claim(Draft *d, const Node *n, const char *target, const char *what);

/* The file of the words, and what else draft_word() has promised: lines of [Service]. */
void draft_write_words(Draft *d);

void draft_refuse(Draft *d, const Node *n, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* ---- the table of service keys ---- */

typedef struct ServiceKey ServiceKey;
typedef void (*ServiceEmit)(Draft *d, const ServiceKey *key, const Node *value);

struct ServiceKey {
        const char *key; /* of Compose */
        ServiceEmit emit;
        const char *name; /* of quadlet, or a flag of podman */
        EscapeClass class;
        Verdicts verdicts;
};

extern const ServiceKey service_keys[];
extern const size_t n_service_keys;
const ServiceKey *service_key_find(const char *key);

/* All keys of the service, in the order of the model. */
void draft_emit_keys(Draft *d);

void emit_refused(Draft *d, const ServiceKey *key, const Node *value);
void emit_elsewhere(Draft *d, const ServiceKey *key,
                    const Node *value); /* by the graph, or resolved before */
void emit_scalar(Draft *d, const ServiceKey *key, const Node *value);
void emit_list(Draft *d, const ServiceKey *key, const Node *value);
void emit_pairs(Draft *d, const ServiceKey *key, const Node *value); /* K=V of a mapping */
void emit_true(Draft *d, const ServiceKey *key, const Node *value);  /* name=true, nothing for false */
void emit_flag(Draft *d, const ServiceKey *key, const Node *value);  /* PodmanArgs=name=value */
void emit_flag_list(Draft *d, const ServiceKey *key, const Node *value);
void emit_flag_true(Draft *d, const ServiceKey *key, const Node *value);

void emit_command(Draft *d, const ServiceKey *key, const Node *value);
void emit_entrypoint(Draft *d, const ServiceKey *key, const Node *value);
void emit_environment(Draft *d, const ServiceKey *key, const Node *value);
void emit_labels(Draft *d, const ServiceKey *key, const Node *value);
void emit_healthcheck(Draft *d, const ServiceKey *key, const Node *value);
void emit_hooks(Draft *d, const ServiceKey *key, const Node *value); /* post_start, pre_stop */
void emit_image(Draft *d, const ServiceKey *key, const Node *value);
void emit_pull_policy(Draft *d, const ServiceKey *key, const Node *value);
void emit_working_dir(Draft *d, const ServiceKey *key, const Node *value);
void emit_user(Draft *d, const ServiceKey *key, const Node *value);
void emit_scale(Draft *d, const ServiceKey *key, const Node *value);
void emit_read_only(Draft *d, const ServiceKey *key, const Node *value);
void emit_restart(Draft *d, const ServiceKey *key, const Node *value);
void draft_restart_policy(Draft *d, const Node *policy); /* deploy.restart_policy */
bool lower_is_kept_up(const Service *s);                 /* also after it has ended well */
void emit_stop_grace_period(Draft *d, const ServiceKey *key, const Node *value);

void emit_capabilities(Draft *d, const ServiceKey *key, const Node *value);
/* -1 is no limit, which podman has no number for: says that it is left out. */
bool draft_is_unlimited(Draft *d, const char *key, const Node *value);
void emit_cpu_shares(Draft *d, const ServiceKey *key, const Node *value);
void emit_memory(Draft *d, const ServiceKey *key, const Node *value);
void emit_security_opt(Draft *d, const ServiceKey *key, const Node *value);
void emit_blkio(Draft *d, const ServiceKey *key, const Node *value);
void emit_cgroup_parent(Draft *d, const ServiceKey *key, const Node *value);
void emit_gpus(Draft *d, const ServiceKey *key, const Node *value);
void emit_runtime(Draft *d, const ServiceKey *key, const Node *value);
void emit_storage_opt(Draft *d, const ServiceKey *key, const Node *value);
void emit_logging(Draft *d, const ServiceKey *key, const Node *value);
void draft_build_ulimits(Draft *d, const Node *value);
void emit_ulimits(Draft *d, const ServiceKey *key, const Node *value);
void emit_deploy(Draft *d, const ServiceKey *key, const Node *value);
void emit_device_requests(Draft *d, const Node *value); /* deploy.resources.reservations.devices */
void emit_devices(Draft *d, const ServiceKey *key, const Node *value);
void emit_namespace(Draft *d, const ServiceKey *key,
                    const Node *value); /* ipc, pid, uts, userns_mode, cgroup */

/* Whether Podman will take it, as far as can be said beforehand; false after saying why not. `name` is the
 * flag of podman or key of quadlet, `key` what the operator wrote. */
bool judge_value(Draft *d, const char *name, const char *key, const Node *n);
bool judge_capability(Draft *d, const Node *n);
bool judge_ulimit(Draft *d, const Node *n, const char *name, const char *soft, const char *hard);
bool judge_sysctl(Draft *d, const NodePair *p);
/* `what` begins the message: "the address". */
bool judge_address(Draft *d, const char *what, const Node *n, const char *address);
bool judge_address_in_network(Draft *d, const Node *n, const Node *network);
bool judge_mac_address(Draft *d, const Node *n);
bool judge_interface_name(Draft *d, const Node *n);
/* What podman takes for a kind of network, not for the name of one. */
bool network_name_is_mode(const char *name);
/* Beside the other keys of the service; false as well if it is left out, which is said. */
bool judge_together(Draft *d, const NodePair *pair);

/* Where a joiner's ports, hosts and resolvers go: to the network that it joins, which is what its author
 * meant; no engine takes them from the joiner itself. */
UnitWriter *draft_shared_network(Draft *d, const ServiceKey *key, const Node *value);
void emit_networks(Draft *d, const ServiceKey *key, const Node *value);
void emit_network_mode(Draft *d, const ServiceKey *key, const Node *value);
void emit_ports(Draft *d, const ServiceKey *key, const Node *value);
void emit_expose(Draft *d, const ServiceKey *key, const Node *value);
void emit_dns(Draft *d, const ServiceKey *key, const Node *value);
void emit_extra_hosts(Draft *d, const ServiceKey *key, const Node *value);
void emit_external_links(Draft *d, const ServiceKey *key, const Node *value);
void emit_domainname(Draft *d, const ServiceKey *key, const Node *value);
void emit_hostname(Draft *d, const ServiceKey *key, const Node *value);
void emit_links(Draft *d, const ServiceKey *key, const Node *value);
void emit_mac_address(Draft *d, const ServiceKey *key, const Node *value);
void emit_sysctls(Draft *d, const ServiceKey *key, const Node *value);

void emit_volumes(Draft *d, const ServiceKey *key, const Node *value);
void emit_volumes_from(Draft *d, const ServiceKey *key, const Node *value);
void emit_tmpfs(Draft *d, const ServiceKey *key, const Node *value);
void emit_tmpfs_mount(Draft *d, const Node *mount, const char *target);
/* A path of the host, absolute and normalized, at a place in the container. */
enum { BIND_READ_ONLY = 1 << 0, BIND_EXEC = 1 << 1 };
void draft_bind(Draft *d, const Node *mount, const char *source, const char *target, unsigned flags);
/* The secret or config says nothing that could be written to a file. */
void draft_refuse_valueless(Draft *d, const Node *use, const char *name, const Node *definition);
void emit_files(Draft *d, const ServiceKey *key, const Node *value); /* secrets, configs */

/* ---- values ---- */

/* NAME=VALUE as a line of a file for podman's --env-file. */
bool env_file_fits(const char *name, const char *value);
/* What a secret or config holds, as far as the Compose files say it: 'content', or the variable of
 * 'environment'. */
const Node *lower_file_content(const Node *definition);

bool value_is_true(const Node *n);
/* "1m30s", Go's form with Compose's d and w: whole seconds, rounded up; false if it is none. */
bool value_seconds(const char *text, unsigned *ret_seconds);
/* For flags of podman that split their value at commas (pflag's StringSlice, read with encoding/csv): quoted
 * if need be. */
const char *value_csv(Arena *a, const char *value);
/* A JSON array of strings. */
const char *value_json_array(Arena *a, const Node *const *items, size_t n);

/* ---- the parts ---- */

void lower_read_links(Lower *l);
void lower_read_builds(Lower *l);
/* As Compose names it, and as Podman does when it is built here. */
const char *lower_image_name(Lower *l, const Service *s);
const char *lower_built_name(Lower *l, const Service *s);
const char *lower_build_unit(Lower *l, const Service *s);
void draft_built_image(Draft *d);
void lower_builds(Lower *l);
void lower_container(Lower *l, const Service *s);
/* The kill rule: what a tunnel does before it starts, and its clients. */
bool lower_is_guarded(const Service *tunnel);
void lower_guard_load(Draft *d);
void lower_guard_check(Draft *d);
void lower_pods(Lower *l);
void lower_networks(Lower *l);
void lower_volumes(Lower *l);
void lower_proofs(Lower *l);
void lower_returns(Lower *l);
void lower_target(Lower *l);
void lower_reprove(Lower *l);
/* Mount points that services stand on: their units, and what a service that stands on some says itself. */
void lower_mounts(Lower *l);
void draft_stand(Draft *d);
void lower_changed(Lower *l);
/* ExecStart= of a proof about what runs; returns the seconds that it may take. */
unsigned lower_write_again(Lower *l, const Proof *p, UnitWriter *w);
/* Path units: of the stack's own files, and of those that a tunnel reads, if there are any. */
const char *lower_changed_path(Lower *l);
bool lower_is_watched(Lower *l, const Service *s);
const char *lower_changed_tunnel_path(Lower *l, const Service *tunnel);
/* Whether something of the service is proved anew while it runs, and by which timer. */
bool lower_is_reproved(const Lower *l, const Service *s);
const char *lower_reprove_timer(Lower *l);

/* depends_on, owners, proofs and gates of a service: dependencies and ExecStart{Pre,Post}= lines. */
void draft_depend(Draft *d);
const Proof *lower_find_proof(const Lower *l, ProofKind kind, const Service *s); /* that is on, else NULL */
/* The secrets of a service, one a line ("" if it has none), and the private file that holds them. */
const char *lower_secrets(Lower *l, const Service *s);
const char *lower_secrets_name(Lower *l, const Service *s);
/* unitproof-prove with all that the proof needs; timeout_sec is how long the program itself may take. */
void lower_prove_words(Lower *l, const Proof *p, unsigned timeout_sec, Words *ret);
/* How long the program of a proof may take, and some more. */
unsigned lower_patience(const Proof *p);
/* Seconds after which a health check has ended again, if it does not hang. */
unsigned lower_health_age(const Service *s);
/* Has the binding proof of a client bring the client's dns proof at the same time. */
void lower_prove_and_dns(Lower *l, const Proof *dns, Words *binding);
/* Pauses between tries that grow from first to a minute, where systemd has that (254); else all are `fixed`.
 */
void lower_write_pauses(const Lower *l, UnitWriter *w, const char *first, const char *fixed);
const char *lower_return_unit(Lower *l, const Service *client);
/* There while an operator\'s own stop of the client stands. */
const char *lower_held_path(Lower *l, const Service *client);

/* A stop and a restart of the dependency are ones of the service (restart: true). */
bool lower_follows(const Service *s, const Dependency *dep);

/* What else may have stopped the service than an operator, in the gate's words. needs: without which it is
 * not to run. */
typedef enum Ground {
        GROUND_STOPS,
        GROUND_NEEDS,
} Ground;
void lower_ground_words(Lower *l, const Service *s, Ground ground, Words *words);
