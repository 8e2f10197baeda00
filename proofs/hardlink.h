/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Why a hard link cannot be made, told apart by what was seen. Pure. */

#include <jansson.h>
#include <stdbool.h>

#include "proofs/actor.h"
#include "proofs/verdict.h"

typedef enum HardlinkCause {
        HARDLINK_GOOD,
        HARDLINK_SOURCE_MISSING,   /* a directory is not there (yet) */
        HARDLINK_SOURCE_FORBIDDEN, /* the downloader may not write in its own directory */
        HARDLINK_NOT_SEEN,         /* the importer does not see the file: other directory */
        HARDLINK_SEPARATE_MOUNTS,  /* one file system, but two mounts of it */
        HARDLINK_OTHER_FILE_SYSTEM,
        HARDLINK_SUBVOLUME, /* one mount, but two subvolumes or datasets in it */
        HARDLINK_PROJECT,   /* one mount, one device, and two project IDs */
        HARDLINK_UNION,     /* one mount of a union, but two branches of it */
        HARDLINK_NETWORK,   /* the server does not make the link */
        HARDLINK_POLICY,    /* one mount, one device, and still EXDEV for none of these reasons */
        HARDLINK_PROTECTED, /* fs.protected_hardlinks: not the owner, and may not write the file */
        HARDLINK_FORBIDDEN, /* may not write in the library */
        HARDLINK_READ_ONLY,
        HARDLINK_NO_SPACE,
        HARDLINK_QUOTA,
        HARDLINK_LINK_LIMIT,   /* a file has as many names as the file system allows */
        HARDLINK_UNSUPPORTED,  /* the file system has no hard links */
        HARDLINK_REFUSED,      /* EPERM without a cause that can be seen: immutable, a security module */
        HARDLINK_NOT_ONE_FILE, /* the link was made but is another file, or the count is wrong */
        HARDLINK_UNEXPECTED,
        _HARDLINK_CAUSE_MAX,
} HardlinkCause;

const char *hardlink_cause_name(HardlinkCause cause);
const char *hardlink_cause_remedy(HardlinkCause cause);
Verdict hardlink_cause_verdict(HardlinkCause cause);

/* The mount that a directory is in, from /proc/PID/mountinfo (proc_pid_mountinfo(5)). */
typedef struct MountFacts {
        bool known;
        uint64_t device;               /* of the whole file system */
        char type[32];                 /* "ext4", "fuse.mergerfs" */
        char source[128];              /* device, share or pool */
        char point[ACTOR_PATH_SIZE];   /* mount point, as the service sees it */
        char on_host[ACTOR_PATH_SIZE]; /* mount point on the host of the file system that it is from; "": none
                                        */
} MountFacts;

/* Why creating the file failed. error: errno, not 0. */
HardlinkCause hardlink_judge_create(const DirFacts *directory, int error);

/* What one link attempt came to. */
typedef struct HardlinkAttempt {
        int error;         /* errno of link(), 0: made */
        DirFacts from, to; /* as the importer sees them */
        MountFacts from_mount, to_mount;
        FileFacts source;         /* as the downloader made it */
        FileFacts linked;         /* the link, as the importer sees it */
        FileFacts after;          /* the source again, as the downloader sees it after the link */
        uint32_t importer_uid;    /* in the same numbers as source.uid */
        bool same_user_namespace; /* else the two uids cannot be compared */
        bool protected_hardlinks; /* the sysctl */
} HardlinkAttempt;

HardlinkCause hardlink_judge(const HardlinkAttempt *attempt);

/* "/tv (ext4 of /dev/sdb1)": what a reason says of a directory beside its path; "" if that is not known. */
void hardlink_mount_text(const MountFacts *mount, size_t size, char *ret);

/* The mount of a directory that a process sees, as DirFacts.mount_id has it. Unknown is no failure. */
int hardlink_mount_read(const Process *process, uint64_t mount_id, MountFacts *ret);
json_t *hardlink_mount_json(const MountFacts *mount);
