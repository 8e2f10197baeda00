/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A child that works with files exactly as a process of a service would: in its mount and user namespace,
 * below its root, with its user, groups, effective capabilities and umask. It does one small thing for each
 * message and removes everything it made when the conversation ends, also when that is because the parent
 * died. */

#include <limits.h>

#include "proofs/options.h"
#include "proofs/process.h"

enum {
        ACTOR_NAME_SIZE = 64,
        ACTOR_PATH_SIZE = 512,
};

/* And 32 hexadecimal digits. */
#define ACTOR_FILE_PREFIX ".unitproof-"

typedef struct DirFacts {
        int error; /* errno of opening it; 0: the rest holds */
        uint64_t device, inode, mount_id;
        uint64_t fs_type;           /* statfs magic */
        bool has_project;           /* project is known: the file system has project IDs and says so */
        uint32_t project;           /* ID that new files in it get, and links must have; 0: none */
        uint32_t uid, gid, mode;    /* as the actor's user namespace calls them */
        bool read_only, may_write;  /* may_write: by permission bits, for the actor */
        char path[ACTOR_PATH_SIZE]; /* after all symbolic links, as the service sees it */
} DirFacts;

typedef struct FileFacts {
        uint64_t device, inode, links;
        uint32_t uid, gid, mode;
} FileFacts;

typedef enum ActorOp {
        ACTOR_ENTER,  /* sent by the child itself, first */
        ACTOR_CREATE, /* the file, in the directory */
        ACTOR_LOOK,   /* at the file in the directory */
        ACTOR_LINK,   /* the file into target[index], and look at the link */
        ACTOR_UNLINK, /* that link */
        ACTOR_REMOVE, /* the file */
} ActorOp;

typedef struct ActorReply {
        int error;     /* errno, 0: done */
        bool by_force; /* removed with other IDs than the actor's */
        FileFacts file;
        uint32_t uid, gid;                           /* inside the user namespace; with ACTOR_ENTER */
        DirFacts directory, targets[OPTION_FEW_MAX]; /* the same */
} ActorReply;

typedef struct ActorOrder {
        const Process *process;    /* whose place is taken */
        const char *directory;     /* where the file is */
        const OptionList *targets; /* where links go; NULL: none */
        const char *file_name;     /* links are called the same with "~INDEX" behind */
} ActorOrder;

typedef struct Actor {
        pid_t pid;
        int fd;
} Actor;

#define ACTOR_NONE ((Actor){ .pid = 0, .fd = -1 })

/* sibling: another running actor, whose conversation the child must not keep open; or NULL. */
int actor_start(const ActorOrder *order, const Actor *sibling, Actor *ret);

/* One question, one answer. -ETIMEDOUT, -EPIPE: none came. For ACTOR_ENTER only the answer is awaited. */
int actor_call(Actor *actor, ActorOp op, size_t index, ActorReply *ret);

/* Ends the conversation and waits for the child to clean up. */
void actor_done(Actor *actor);
