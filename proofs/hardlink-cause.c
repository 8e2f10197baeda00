/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What each cause is called, what it means for the verdict, and what to do: one row each. */

#include "proofs/hardlink.h"

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
        [HARDLINK_PROJECT] = { "project-quota", VERDICT_FAILED,
                               "Give both directories one project ID (chattr -p, xfs_quota), or set the "
                               "quota on "
                               "the directory above both." },
        [HARDLINK_UNION] = { "union", VERDICT_FAILED,
                             "Let the union file system create files where their link is to be (mergerfs: a "
                             "create policy that preserves no paths, such as mfs), or mount one branch." },
        [HARDLINK_NETWORK] = { "network-file-system", VERDICT_FAILED,
                               "Let the server offer one share or export with hard links (SMB: POSIX "
                               "extensions; "
                               "NFS: the parent of both), or keep the data on a local disk." },
        [HARDLINK_POLICY] = { "policy", VERDICT_FAILED,
                              "See the documentation of the file system for what keeps links apart within "
                              "one "
                              "mount." },
        [HARDLINK_PROTECTED] = { "protected-hardlinks", VERDICT_FAILED,
                                 "Run both services with one user, or with one group and UMASK=002, so that "
                                 "the importer may write the file." },
        [HARDLINK_FORBIDDEN] = { "forbidden", VERDICT_FAILED,
                                 "Give the importer's user (PUID and PGID, or user:) write permission in the "
                                 "library." },
        [HARDLINK_READ_ONLY] = { "read-only", VERDICT_FAILED,
                                 "Mount the directory writable (no :ro), and see whether the file system was "
                                 "remounted after an error." },
        [HARDLINK_NO_SPACE] = { "no-space", VERDICT_FAILED, "Free some space or inodes (df, df -i)." },
        [HARDLINK_QUOTA] = { "quota", VERDICT_FAILED,
                             "Raise the quota of the service's user, group or project (repquota), or free "
                             "what "
                             "counts for it." },
        [HARDLINK_LINK_LIMIT] = { "link-limit", VERDICT_FAILED,
                                  "Move the data to a file system that allows more links to a file (ext4, "
                                  "xfs, "
                                  "btrfs)." },
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
