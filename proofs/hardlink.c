/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/hardlink.h"

#include <errno.h>
#include <linux/magic.h>
#include <stddef.h>

#include "proofs/handles.h"
#include "proofs/mutate.h"

#ifndef EXFAT_SUPER_MAGIC
#define EXFAT_SUPER_MAGIC 0x2011BAB0
#endif
#ifndef CIFS_SUPER_MAGIC
#define CIFS_SUPER_MAGIC 0xFF534D42
#endif
#ifndef SMB2_SUPER_MAGIC
#define SMB2_SUPER_MAGIC 0xFE534D42
#endif

static const struct CauseRow {
        const char *name;
        Verdict verdict;
        const char *remedy;
} causes[_HARDLINK_CAUSE_MAX] = {
        [HARDLINK_GOOD] = { "good", VERDICT_PASSED, "" },
        [HARDLINK_SOURCE_MISSING] = { "missing-directory", VERDICT_UNPROVEN,
                                      "Create the directory, or correct the path; nothing can be tried in a "
                                      "directory that is not there." },
        [HARDLINK_SOURCE_FORBIDDEN] = { "source-forbidden", VERDICT_FAILED,
                                        "Give the downloader's user (PUID and PGID, or user:) write "
                                        "permission there." },
        [HARDLINK_NOT_SEEN] = { "not-seen", VERDICT_FAILED,
                                "Mount the same host directory in both services, best the common data root "
                                "at the same path." },
        [HARDLINK_SEPARATE_MOUNTS] = { "separate-mounts", VERDICT_FAILED,
                                       "Mount the common parent directory once (such as /data) instead of "
                                       "its children separately." },
        [HARDLINK_OTHER_FILE_SYSTEM] = { "other-file-system", VERDICT_FAILED,
                                         "Keep downloads and library on one file system; a hard link cannot "
                                         "cross over." },
        [HARDLINK_SUBVOLUME] = { "subvolume", VERDICT_FAILED,
                                 "Keep downloads and library in one subvolume or dataset; a hard link cannot "
                                 "cross over." },
        [HARDLINK_POLICY] = { "policy", VERDICT_FAILED,
                              "Give both directories one project quota ID, or look at the union file "
                              "system's create policy." },
        [HARDLINK_PROTECTED] = { "protected-hardlinks", VERDICT_FAILED,
                                 "Run both services with one user, or with one group and UMASK=002, so that "
                                 "the importer may write the file." },
        [HARDLINK_FORBIDDEN] = { "forbidden", VERDICT_FAILED,
                                 "Give the importer's user (PUID and PGID, or user:) write permission in the "
                                 "library." },
        [HARDLINK_READ_ONLY] = { "read-only", VERDICT_FAILED,
                                 "Mount the directory writable (no :ro), and see whether the file system was "
                                 "remounted after an error." },
        [HARDLINK_NO_SPACE] = { "no-space", VERDICT_FAILED,
                                "Free some space or inodes, or raise the quota." },
        [HARDLINK_UNSUPPORTED] = { "unsupported", VERDICT_FAILED,
                                   "Move the data to a file system with hard links (ext4, xfs, btrfs)." },
        [HARDLINK_REFUSED] = { "refused", VERDICT_FAILED,
                               "Look for immutable or append-only flags (lsattr) and for a security module's "
                               "message." },
        [HARDLINK_NOT_ONE_FILE] = { "not-one-file", VERDICT_FAILED,
                                    "The file system copies instead of linking; use another for the data "
                                    "root." },
        [HARDLINK_UNEXPECTED] = { "unexpected", VERDICT_UNPROVEN, "See the journal of this unit." },
};

const char *hardlink_cause_name(HardlinkCause cause) {
        return causes[cause].name;
}

const char *hardlink_cause_remedy(HardlinkCause cause) {
        return causes[cause].remedy;
}

Verdict hardlink_cause_verdict(HardlinkCause cause) {
        return causes[cause].verdict;
}

/* What an errno means whatever was tried. */
static HardlinkCause cause_from_errno(int error) {
        static const struct {
                int error;
                HardlinkCause cause;
        } rows[] = {
                { ENOENT, HARDLINK_SOURCE_MISSING }, { ENOTDIR, HARDLINK_SOURCE_MISSING },
                { EROFS, HARDLINK_READ_ONLY },       { ENOSPC, HARDLINK_NO_SPACE },
                { EDQUOT, HARDLINK_NO_SPACE },       { EOPNOTSUPP, HARDLINK_UNSUPPORTED },
                { ENOSYS, HARDLINK_UNSUPPORTED },    { EACCES, HARDLINK_FORBIDDEN },
        };

        for (size_t i = 0; i < ARRAY_LENGTH(rows); i++)
                if (rows[i].error == error)
                        return rows[i].cause;
        return HARDLINK_UNEXPECTED;
}

HardlinkCause hardlink_judge_create(const DirFacts *directory, int error) {
        HardlinkCause cause = cause_from_errno(directory->error != 0 ? directory->error : error);

        return cause == HARDLINK_FORBIDDEN || error == EPERM ? HARDLINK_SOURCE_FORBIDDEN : cause;
}

/* EXDEV: the kernel compares mounts first and file systems then (do_linkat() in fs/namei.c). */
static HardlinkCause judge_exdev(const DirFacts *from, const DirFacts *to) {
        if (mutation_is_on("hardlink-mounts") || from->mount_id == 0 || to->mount_id == 0)
                return from->device == to->device ? HARDLINK_UNEXPECTED : HARDLINK_OTHER_FILE_SYSTEM;
        if (from->mount_id == to->mount_id)
                return from->device == to->device ? HARDLINK_POLICY : HARDLINK_SUBVOLUME;
        return from->device == to->device ? HARDLINK_SEPARATE_MOUNTS : HARDLINK_OTHER_FILE_SYSTEM;
}

static bool fs_lacks_links(uint64_t type) {
        static const uint64_t types[] = {
                MSDOS_SUPER_MAGIC,
                EXFAT_SUPER_MAGIC,
                CIFS_SUPER_MAGIC,
                SMB2_SUPER_MAGIC,
        };

        for (size_t i = 0; i < ARRAY_LENGTH(types); i++)
                if (types[i] == (type & UINT32_MAX))
                        return true;
        return false;
}

/* may_linkat() in fs/namei.c gives EPERM, and so does a file system without the operation. */
static HardlinkCause judge_eperm(const HardlinkAttempt *a) {
        bool owner = a->same_user_namespace && a->importer_uid == a->source.uid;

        if (fs_lacks_links(a->to.fs_type))
                return HARDLINK_UNSUPPORTED;
        if (a->protected_hardlinks && !owner)
                return HARDLINK_PROTECTED;
        return HARDLINK_REFUSED;
}

HardlinkCause hardlink_judge(const HardlinkAttempt *a) {
        if (a->from.error != 0 || a->to.error != 0)
                return cause_from_errno(a->from.error != 0 ? a->from.error : a->to.error);
        if (mutation_is_on("hardlink-error"))
                return HARDLINK_GOOD;
        switch (a->error) {
        case 0:
                break;
        case EXDEV:
                return judge_exdev(&a->from, &a->to);
        case EPERM:
                return judge_eperm(a);
        default:
                /* What is missing now was there a moment ago: somebody else works in that directory. */
                return a->error == ENOENT ? HARDLINK_UNEXPECTED : cause_from_errno(a->error);
        }
        if (a->linked.device != a->source.device || a->linked.inode != a->source.inode ||
            a->after.device != a->source.device || a->after.inode != a->source.inode)
                return HARDLINK_NOT_ONE_FILE;
        return a->linked.links == 2 && a->after.links == 2 ? HARDLINK_GOOD : HARDLINK_NOT_ONE_FILE;
}
