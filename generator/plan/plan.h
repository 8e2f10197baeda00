/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <sys/types.h>

#include "generator/base/map.h"
#include "generator/facts/facts.h"
#include "generator/model/stack.h"

/* What a compile results in: files and links below the generator's output directory, as values. Nothing is
 * written until the whole plan stands and was checked. Sorted by phase, then path; the same input gives the
 * same bytes. */
typedef enum PlanPhase {
        PLAN_QUADLET, /* unitproof-STACK.quadlets/…: input of Podman's quadlet; systemd ignores the folder */
        PLAN_PRIVATE,  /* unitproof-STACK.env/…: mode 0600, environment of a service */
        PLAN_UNIT,     /* units and drop-ins that we write ourselves */
        PLAN_LINK,     /* wants links inside the stack's own target */
        PLAN_ACTIVATE, /* the one link that makes all of it start: multi-user.target.wants/STACK.target;
                          always last */
        _PLAN_PHASE_MAX,
} PlanPhase;

typedef struct PlanItem {
        PlanPhase phase;
        const char *path; /* relative, normalized, within the output directory */
        mode_t mode;      /* of a file: 0644 or 0600; a secret or config has what its service asks for */
        uid_t uid;        /* 0 unless a service asks for another */
        gid_t gid;
        const char *text;   /* bytes of a file; NULL for a link */
        const char *target; /* of a link; NULL for a file */
        Span origin;        /* the input that asked for it */
} PlanItem;

/* A unit that quadlet has to produce from one of our files; one that does not come out becomes a failed unit.
 */
typedef struct PlanExpected {
        const char *quadlet; /* "media-sonarr.container" */
        const char *unit;    /* "media-sonarr.service" */
        Span origin;
} PlanExpected;

/* The command line that brings a proof of the stack, as the units have it. */
typedef struct PlanProof {
        const Proof *proof;
        const char *const *words;
        size_t n;
} PlanProof;

typedef struct Plan {
        Arena *arena;
        const char *stack;
        PlanItem *items;
        size_t n_items, capacity;
        PlanExpected *expected;
        size_t n_expected, expected_capacity;
        PlanProof *proofs;
        size_t n_proofs, proofs_capacity;
} Plan;

/* Lowers a stack. Pure. Returns NULL after errors. */
Plan *plan_lower(Arena *a, Diag *d, const Stack *s, const Facts *f, const char *output_dir);

/* The plan for a stack that did not compile: STACK.target plus STACK-failed.service, which fails visibly with
 * the diagnostics as its message, and the activating link. */
Plan *plan_failed(Arena *a, const char *stack, const char *source_path, const Diag *why);

/* One unit of a stack that could not be made, such as a service that quadlet refused: a unit of that name
 * which fails visibly with the message (lines). position is "file:line:column" or "". */
Plan *plan_failed_unit(Arena *a, const char *stack, const char *unit, const char *position,
                       const char *message);

void plan_add(Plan *p, PlanItem item);
void plan_expect(Plan *p, PlanExpected expected);
void plan_add_proof(Plan *p, PlanProof proof);
/* The link that makes the target start at boot. */
void plan_add_activation(Plan *p, const char *target, Span origin);
void plan_sort(Plan *p);
/* Invariants: paths inside, no duplicates, valid unit names and lengths, lines within LONG_LINE_MAX, UTF-8.
 * Violations are diagnostics (code "plan"), since they are our bug or a name the operator has to change. */
void plan_check(const Plan *p, Diag *d);

/* Whether the source of a bind mount, if it is missing, is made before the start as a directory. */
bool plan_creates(const Stack *stack, const char *path);

/* NULL: no unit brings it. */
const PlanProof *plan_find_proof(const Plan *p, const Proof *proof);

const PlanItem *plan_find(const Plan *p, const char *path);

/* The one entry for everybody: files of a stack to a checked plan. stack_dir is absolute (below the reader's
 * root). On errors returns NULL with diagnostics (the caller takes plan_failed()). ret_stack and ret_model
 * may be NULL. */
typedef struct CompileInput {
        const char *stack;      /* name */
        const char *dir;        /* directory with the compose file */
        const char *file;       /* a single file instead of discovery in dir, or NULL */
        const char *output_dir; /* where the plan will live, e.g. /run/systemd/generator: units refer to the
                                   env files there */
        const Config *config;
        const char *const *profiles;
        size_t n_profiles;
} CompileInput;

/* A line of STACK.target, "NAME UNIT": a name in Podman and the unit that has it. systemd ignores "X-". */
#define TARGET_CONTAINER_KEY "X-Container"

/* Config.unit_of_container() and Config.find_name() for the stacks of the host below root. What has to be
 * read for them is read when they are asked first. */
typedef struct NeighbourStack {
        const char *name;
        const Node *model;
} NeighbourStack;

typedef struct Neighbours {
        Arena *arena;
        const char *root; /* "" for the running host */
        const char *own;  /* the stack that asks */
        const char *dir;  /* that of a running generator: the targets in it say which names are taken; NULL:
                             the models say it */
        SourceReader read;
        void *userdata;
        NeighbourStack *stacks; /* NULL: not read yet */
        size_t n_stacks;
        bool names_read;
        Map names; /* to ContainerName: of several that have one name, the first */
} Neighbours;

const char *neighbours_unit_of_container(void *neighbours, const char **container, bool *ret_in_pod);
const ContainerName *neighbours_find_name(void *neighbours, const char *name);

/* The resolved model alone; NULL after errors. */
Node *compile_model(Arena *a, Sources *s, Diag *d, const CompileInput *in);

Plan *compile_stack(Arena *a, Sources *s, Diag *d, const CompileInput *in, const Facts *f, Stack **ret_stack,
                    Node **ret_model);
