/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Mounts by their ID, from /proc/PID/mountinfo: what a directory is mounted from, for people. */

#include <errno.h>
#include <libmount/libmount.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "proofs/handles.h"
#include "proofs/hardlink.h"
#include "proofs/util.h"

static void handle_table(struct libmnt_table **table) {
        mnt_unref_table(*table);
}

static int table_read(const char *path, struct libmnt_table **ret) {
        struct libmnt_table *table = mnt_new_table();
        int r;

        if (!table)
                return -ENOMEM;
        r = mnt_table_parse_file(table, path);
        if (r != 0) {
                mnt_unref_table(table);
                return r < 0 ? r : -EBADMSG;
        }
        *ret = table;
        return 0;
}

static bool path_holds(const char *parent, const char *path) {
        size_t n = strlen(parent);

        return strcmp(parent, "/") == 0 ||
               (strncmp(parent, path, n) == 0 && (path[n] == '/' || path[n] == '\0'));
}

/* Where the host has this file system mounted so that the root of that mount is in it: the nearest above. */
static int host_point(struct libmnt_fs *of, size_t size, char *ret) {
        CLEANUP(handle_table) struct libmnt_table *table = NULL;
        struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
        const char *root = mnt_fs_get_root(of) ?: "/";
        struct libmnt_fs *fs;
        size_t best = 0;
        int r = iter ? table_read("/proc/1/mountinfo", &table) : -ENOMEM;

        while (r == 0 && mnt_table_next_fs(table, iter, &fs) == 0) {
                const char *other = mnt_fs_get_root(fs);

                if (mnt_fs_get_devno(fs) != mnt_fs_get_devno(of) || !other || !path_holds(other, root) ||
                    strlen(other) < best)
                        continue;
                best = strlen(other);
                (void) snprintf(ret, size, "%s", mnt_fs_get_target(fs) ?: "");
        }
        mnt_free_iter(iter);
        return r;
}

static struct libmnt_fs *table_find(struct libmnt_table *table, uint64_t mount_id) {
        struct libmnt_iter *iter = mnt_new_iter(MNT_ITER_FORWARD);
        struct libmnt_fs *fs, *found = NULL;

        while (iter && !found && mnt_table_next_fs(table, iter, &fs) == 0)
                if ((uint64_t) mnt_fs_get_id(fs) == mount_id)
                        found = fs;
        mnt_free_iter(iter);
        return found;
}

int hardlink_mount_read(const Process *process, uint64_t mount_id, MountFacts *ret) {
        CLEANUP(handle_table) struct libmnt_table *table = NULL;
        MountFacts facts = { .known = true };
        struct libmnt_fs *fs;
        char path[48];
        dev_t device;
        int r;

        /* By the descriptor: a PID may be another process by now. */
        (void) snprintf(path, sizeof(path), "/proc/self/fd/%d/mountinfo", process->proc_fd);
        r = table_read(path, &table);
        if (r < 0)
                return r;
        fs = table_find(table, mount_id);
        if (!fs)
                return 0;
        device = mnt_fs_get_devno(fs);
        facts.device = (uint64_t) major(device) << 32 | minor(device);
        (void) snprintf(facts.type, sizeof(facts.type), "%s", mnt_fs_get_fstype(fs) ?: "");
        (void) snprintf(facts.source, sizeof(facts.source), "%s", mnt_fs_get_source(fs) ?: "");
        (void) snprintf(facts.point, sizeof(facts.point), "%s", mnt_fs_get_target(fs) ?: "");
        r = host_point(fs, sizeof(facts.on_host), facts.on_host);
        if (r < 0)
                return r;
        *ret = facts;
        return 0;
}

void hardlink_mount_text(const MountFacts *mount, size_t size, char *ret) {
        ret[0] = '\0';
        if (mount->known)
                (void) snprintf(ret, size, "%s (%s of %s)", mount->point, mount->type,
                                mount->source[0] ? mount->source : "nothing");
}

json_t *hardlink_mount_json(const MountFacts *mount) {
        if (!mount->known)
                return json_null();
        return json_pack("{s:s, s:s, s:s, s:s}", "point", mount->point, "type", mount->type, "source",
                         mount->source, "on_host", mount->on_host);
}
