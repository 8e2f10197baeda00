/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Why a hard link cannot be made, told apart by what was seen. Pure. */

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
        HARDLINK_POLICY,    /* one mount, one device, and still EXDEV: project quota, union */
        HARDLINK_PROTECTED, /* fs.protected_hardlinks: not the owner, and may not write the file */
        HARDLINK_FORBIDDEN, /* may not write in the library */
        HARDLINK_READ_ONLY,
        HARDLINK_NO_SPACE,
        HARDLINK_UNSUPPORTED,  /* the file system has no hard links */
        HARDLINK_REFUSED,      /* EPERM without a cause that can be seen: immutable, a security module */
        HARDLINK_NOT_ONE_FILE, /* the link was made but is another file, or the count is wrong */
        HARDLINK_UNEXPECTED,
        _HARDLINK_CAUSE_MAX,
} HardlinkCause;

const char *hardlink_cause_name(HardlinkCause cause);
const char *hardlink_cause_remedy(HardlinkCause cause);
Verdict hardlink_cause_verdict(HardlinkCause cause);

/* Why creating the file failed. error: errno, not 0. */
HardlinkCause hardlink_judge_create(const DirFacts *directory, int error);

/* What one link attempt came to. */
typedef struct HardlinkAttempt {
        int error;                /* errno of link(), 0: made */
        DirFacts from, to;        /* as the importer sees them */
        FileFacts source;         /* as the downloader made it */
        FileFacts linked;         /* the link, as the importer sees it */
        FileFacts after;          /* the source again, as the downloader sees it after the link */
        uint32_t importer_uid;    /* in the same numbers as source.uid */
        bool same_user_namespace; /* else the two uids cannot be compared */
        bool protected_hardlinks; /* the sysctl */
} HardlinkAttempt;

HardlinkCause hardlink_judge(const HardlinkAttempt *attempt);
