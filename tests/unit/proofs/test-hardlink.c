/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>

#include "case.h"
#include "proofs/handles.h"
#include "proofs/hardlink.h"

static HardlinkAttempt honest(void) {
        return (HardlinkAttempt){
                .from = { .device = 1, .mount_id = 10, .fs_type = EXT4_SUPER_MAGIC },
                .to = { .device = 1, .mount_id = 10, .fs_type = EXT4_SUPER_MAGIC },
                .source = { .device = 1, .inode = 5, .links = 1, .uid = 1000 },
                .linked = { .device = 1, .inode = 5, .links = 2 },
                .after = { .device = 1, .inode = 5, .links = 2 },
                .importer_uid = 1000,
                .same_user_namespace = true,
                .protected_hardlinks = true,
        };
}

static void nothing(HardlinkAttempt *a) {
        (void) a;
}
static void mounts(HardlinkAttempt *a) {
        a->error = EXDEV;
        a->to.mount_id = 11;
}
static void other_fs(HardlinkAttempt *a) {
        a->error = EXDEV;
        a->to.mount_id = 11;
        a->to.device = 2;
}
static void subvolume(HardlinkAttempt *a) {
        a->error = EXDEV;
        a->to.device = 2;
}
static void policy(HardlinkAttempt *a) {
        a->error = EXDEV;
}
static void project(HardlinkAttempt *a) {
        a->error = EXDEV;
        a->from.has_project = a->to.has_project = true;
        a->to.project = 42;
}
static void one_project(HardlinkAttempt *a) {
        project(a);
        a->from.project = 42;
}
static void project_unknown(HardlinkAttempt *a) {
        project(a);
        a->from.has_project = false;
}
static void name_type(HardlinkAttempt *a, const char *type) {
        a->from_mount.known = a->to_mount.known = true;
        (void) snprintf(a->from_mount.type, sizeof(a->from_mount.type), "%s", type);
        (void) snprintf(a->to_mount.type, sizeof(a->to_mount.type), "%s", type);
}
static void mergerfs(HardlinkAttempt *a) {
        a->error = EXDEV;
        name_type(a, "fuse.mergerfs");
}
static void mergerfs_devices(HardlinkAttempt *a) {
        mergerfs(a);
        a->to.device = 2;
}
static void nfs_crossing(HardlinkAttempt *a) {
        a->error = EXDEV;
        name_type(a, "nfs4");
}
static void smb(HardlinkAttempt *a) {
        a->error = EOPNOTSUPP;
        name_type(a, "cifs");
}
static void smb_refused(HardlinkAttempt *a) {
        a->error = EPERM;
        name_type(a, "smb3");
}
static void nfs_protected(HardlinkAttempt *a) {
        smb_refused(a);
        a->importer_uid = 1001;
}
static void exfat_fuse(HardlinkAttempt *a) {
        a->error = EPERM;
        name_type(a, "fuse.exfat");
}
static void subvolume_mounts(HardlinkAttempt *a) {
        a->error = EXDEV;
        a->to.mount_id = 11;
        a->to.device = 2;
        name_type(a, "btrfs");
        a->from_mount.device = a->to_mount.device = 30;
}
static void datasets(HardlinkAttempt *a) {
        subvolume_mounts(a);
        name_type(a, "zfs");
        a->to_mount.device = 31;
        strcpy(a->from_mount.source, "tank/torrents");
        strcpy(a->to_mount.source, "tank/movies");
}
static void pools(HardlinkAttempt *a) {
        datasets(a);
        strcpy(a->to_mount.source, "tanker/movies");
}
static void links(HardlinkAttempt *a) {
        a->error = EMLINK;
}
static void no_mount_id(HardlinkAttempt *a) {
        a->error = EXDEV;
        a->from.mount_id = 0;
}
static void no_mount_id_other(HardlinkAttempt *a) {
        a->error = EXDEV;
        a->from.mount_id = 0;
        a->to.device = 2;
}
static void protected(HardlinkAttempt *a) {
        a->error = EPERM;
        a->importer_uid = 1001;
}
static void shifted(HardlinkAttempt *a) {
        a->error = EPERM;
        a->same_user_namespace = false;
}
static void refused(HardlinkAttempt *a) {
        a->error = EPERM;
}
static void unprotected(HardlinkAttempt *a) {
        a->error = EPERM;
        a->importer_uid = 1;
        a->protected_hardlinks = false;
}
static void fat(HardlinkAttempt *a) {
        a->error = EPERM;
        a->to.fs_type = MSDOS_SUPER_MAGIC;
}
static void forbidden(HardlinkAttempt *a) {
        a->error = EACCES;
}
static void read_only(HardlinkAttempt *a) {
        a->error = EROFS;
}
static void full(HardlinkAttempt *a) {
        a->error = ENOSPC;
}
static void over_quota(HardlinkAttempt *a) {
        a->error = EDQUOT;
}
static void unsupported(HardlinkAttempt *a) {
        a->error = EOPNOTSUPP;
}
static void stale(HardlinkAttempt *a) {
        a->error = ESTALE;
}
static void vanished(HardlinkAttempt *a) {
        a->error = ENOENT;
}
static void missing(HardlinkAttempt *a) {
        a->to.error = ENOENT;
}
static void copied(HardlinkAttempt *a) {
        a->linked.inode = 6;
        a->linked.links = 1;
}
static void other_device(HardlinkAttempt *a) {
        a->linked.device = 7;
}
static void uncounted(HardlinkAttempt *a) {
        a->after.links = 1;
}
static void replaced(HardlinkAttempt *a) {
        a->after.inode = 9;
}

static void test_judge(void **state) {
        static const struct {
                void (*change)(HardlinkAttempt *);
                HardlinkCause cause;
        } rows[] = {
                { nothing, HARDLINK_GOOD },
                { mounts, HARDLINK_SEPARATE_MOUNTS },
                { other_fs, HARDLINK_OTHER_FILE_SYSTEM },
                { subvolume, HARDLINK_SUBVOLUME },
                { policy, HARDLINK_POLICY },
                { project, HARDLINK_PROJECT },
                { one_project, HARDLINK_POLICY },
                { project_unknown, HARDLINK_POLICY },
                { mergerfs, HARDLINK_UNION },
                { mergerfs_devices, HARDLINK_UNION },
                { nfs_crossing, HARDLINK_NETWORK },
                { smb, HARDLINK_NETWORK },
                { smb_refused, HARDLINK_NETWORK },
                { nfs_protected, HARDLINK_PROTECTED },
                { exfat_fuse, HARDLINK_UNSUPPORTED },
                { subvolume_mounts, HARDLINK_SUBVOLUME },
                { datasets, HARDLINK_SUBVOLUME },
                { pools, HARDLINK_OTHER_FILE_SYSTEM },
                { links, HARDLINK_LINK_LIMIT },
                { no_mount_id, HARDLINK_UNEXPECTED },
                { no_mount_id_other, HARDLINK_OTHER_FILE_SYSTEM },
                { protected, HARDLINK_PROTECTED },
                { shifted, HARDLINK_PROTECTED },
                { refused, HARDLINK_REFUSED },
                { unprotected, HARDLINK_REFUSED },
                { fat, HARDLINK_UNSUPPORTED },
                { forbidden, HARDLINK_FORBIDDEN },
                { read_only, HARDLINK_READ_ONLY },
                { full, HARDLINK_NO_SPACE },
                { over_quota, HARDLINK_QUOTA },
                { unsupported, HARDLINK_UNSUPPORTED },
                { stale, HARDLINK_UNEXPECTED },
                { vanished, HARDLINK_UNEXPECTED },
                { missing, HARDLINK_SOURCE_MISSING },
                { copied, HARDLINK_NOT_ONE_FILE },
                { other_device, HARDLINK_NOT_ONE_FILE },
                { uncounted, HARDLINK_NOT_ONE_FILE },
                { replaced, HARDLINK_NOT_ONE_FILE },
        };

        (void) state;
        for (size_t i = 0; i < ARRAY_LENGTH(rows); i++) {
                HardlinkAttempt attempt = honest();
                HardlinkCause cause;

                rows[i].change(&attempt);
                cause = hardlink_judge(&attempt);
                if (cause != rows[i].cause)
                        fail_msg("row %zu: %s instead of %s", i, hardlink_cause_name(cause),
                                 hardlink_cause_name(rows[i].cause));
        }
}

static void test_create(void **state) {
        const DirFacts good = { .error = 0 }, gone = { .error = ENOENT };

        (void) state;
        assert_int_equal(hardlink_judge_create(&good, EACCES), HARDLINK_SOURCE_FORBIDDEN);
        assert_int_equal(hardlink_judge_create(&good, EPERM), HARDLINK_SOURCE_FORBIDDEN);
        assert_int_equal(hardlink_judge_create(&good, EROFS), HARDLINK_READ_ONLY);
        assert_int_equal(hardlink_judge_create(&good, ENOSPC), HARDLINK_NO_SPACE);
        assert_int_equal(hardlink_judge_create(&good, EIO), HARDLINK_UNEXPECTED);
        assert_int_equal(hardlink_judge_create(&gone, 0), HARDLINK_SOURCE_MISSING);
}

static void test_causes(void **state) {
        (void) state;
        for (HardlinkCause c = 0; c < _HARDLINK_CAUSE_MAX; c++) {
                assert_non_null(hardlink_cause_name(c));
                assert_true((hardlink_cause_verdict(c) == VERDICT_PASSED) == (c == HARDLINK_GOOD));
                assert_true(c == HARDLINK_GOOD || hardlink_cause_remedy(c)[0] != '\0');
        }
        assert_int_equal(hardlink_cause_verdict(HARDLINK_UNEXPECTED), VERDICT_UNPROVEN);
}

int main(void) {
        const struct CMUnitTest tests[] = {
                cmocka_unit_test(test_judge),
                cmocka_unit_test(test_create),
                cmocka_unit_test(test_causes),
        };

        return cmocka_run_group_tests(tests, NULL, NULL);
}
