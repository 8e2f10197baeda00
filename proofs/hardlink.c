/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/hardlink.h"

#include <errno.h>
#include <linux/magic.h>
#include <stddef.h>
#include <string.h>

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

/* What an errno means whatever was tried. */
static HardlinkCause cause_from_errno(int error) {
        static const struct {
                int error;
                HardlinkCause cause;
        } rows[] = {
                { ENOENT, HARDLINK_SOURCE_MISSING }, { ENOTDIR, HARDLINK_SOURCE_MISSING },
                { EROFS, HARDLINK_READ_ONLY },       { ENOSPC, HARDLINK_NO_SPACE },
                { EDQUOT, HARDLINK_QUOTA },          { EOPNOTSUPP, HARDLINK_UNSUPPORTED },
                { ENOSYS, HARDLINK_UNSUPPORTED },    { EACCES, HARDLINK_FORBIDDEN },
                { EMLINK, HARDLINK_LINK_LIMIT },
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

/* By name, as mountinfo has it: a type behind FUSE says more there than its magic number. */
static bool type_is_one_of(const char *type, const char *const *types, size_t n) {
        for (size_t i = 0; i < n; i++)
                if (strcmp(type, types[i]) == 0)
                        return true;
        return false;
}

static bool fs_is_union(const HardlinkAttempt *a) {
        static const char *const types[] = {
                "overlay",     "aufs",      "fuse.mergerfs", "fuse.unionfs",       "fuse.unionfs-fuse",
                "fuse.mhddfs", "fuse.shfs", "fuse.rclone",   "fuse.fuse-overlayfs"
        };

        return type_is_one_of(a->to_mount.type, types, ARRAY_LENGTH(types));
}

static bool fs_is_network(const HardlinkAttempt *a) {
        static const char *const types[] = { "nfs", "nfs4", "cifs",       "smb3",          "smbfs",
                                             "9p",  "afs",  "fuse.sshfs", "fuse.glusterfs" };

        return type_is_one_of(a->to_mount.type, types, ARRAY_LENGTH(types)) ||
               (uint32_t) a->to.fs_type == (uint32_t) CIFS_SUPER_MAGIC ||
               (uint32_t) a->to.fs_type == (uint32_t) SMB2_SUPER_MAGIC || a->to.fs_type == NFS_SUPER_MAGIC;
}

/* ZFS has a file system for each dataset, all of one pool: "pool/dataset". */
static bool is_one_pool(const MountFacts *from, const MountFacts *to) {
        size_t n = strcspn(from->source, "/");

        return strcmp(from->type, "zfs") == 0 && strcmp(to->type, "zfs") == 0 &&
               n == strcspn(to->source, "/") && strncmp(from->source, to->source, n) == 0;
}

/* EXDEV: the kernel compares mounts first and file systems then (do_linkat() in fs/namei.c). mountinfo tells
 * the device of the whole file system, stat() that of a btrfs subvolume. */
static HardlinkCause judge_exdev(const HardlinkAttempt *a) {
        const DirFacts *from = &a->from, *to = &a->to;
        bool one_device = from->device == to->device;

        if (mutation_is_on("hardlink-mounts") || from->mount_id == 0 || to->mount_id == 0)
                return one_device ? HARDLINK_UNEXPECTED : HARDLINK_OTHER_FILE_SYSTEM;
        if (from->mount_id != to->mount_id && one_device)
                return HARDLINK_SEPARATE_MOUNTS;
        if (from->mount_id != to->mount_id) {
                bool one_whole = a->from_mount.known && a->to_mount.known &&
                                 (a->from_mount.device == a->to_mount.device ||
                                  is_one_pool(&a->from_mount, &a->to_mount));

                return one_whole ? HARDLINK_SUBVOLUME : HARDLINK_OTHER_FILE_SYSTEM;
        }
        if (fs_is_union(a))
                return HARDLINK_UNION;
        if (!one_device)
                return HARDLINK_SUBVOLUME;
        if (from->has_project && to->has_project && from->project != to->project)
                return HARDLINK_PROJECT;
        return fs_is_network(a) ? HARDLINK_NETWORK : HARDLINK_POLICY;
}

static bool fs_lacks_links(const HardlinkAttempt *a) {
        static const char *const types[] = {
                "vfat", "msdos", "exfat", "fuse.exfat", "fuse.exfat-fuse", "hfs"
        };
        static const uint32_t magics[] = { MSDOS_SUPER_MAGIC, EXFAT_SUPER_MAGIC };

        for (size_t i = 0; i < ARRAY_LENGTH(magics); i++)
                if (magics[i] == (uint32_t) a->to.fs_type)
                        return true;
        return type_is_one_of(a->to_mount.type, types, ARRAY_LENGTH(types));
}

/* may_linkat() in fs/namei.c gives EPERM, and so does a file system without the operation. */
static HardlinkCause judge_eperm(const HardlinkAttempt *a) {
        bool owner = a->same_user_namespace && a->importer_uid == a->source.uid;

        if (fs_lacks_links(a))
                return HARDLINK_UNSUPPORTED;
        if (fs_is_network(a) && (owner || !a->protected_hardlinks))
                return HARDLINK_NETWORK;
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
                return judge_exdev(a);
        case EPERM:
                return judge_eperm(a);
        case EOPNOTSUPP:
                return fs_is_network(a) ? HARDLINK_NETWORK : HARDLINK_UNSUPPORTED;
        default:
                /* What is missing now was there a moment ago: somebody else works in that directory. */
                return a->error == ENOENT ? HARDLINK_UNEXPECTED : cause_from_errno(a->error);
        }
        if (a->linked.device != a->source.device || a->linked.inode != a->source.inode ||
            a->after.device != a->source.device || a->after.inode != a->source.inode)
                return HARDLINK_NOT_ONE_FILE;
        return a->linked.links == 2 && a->after.links == 2 ? HARDLINK_GOOD : HARDLINK_NOT_ONE_FILE;
}
