/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/place.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "proofs/handles.h"
#include "proofs/mutate.h"

static int capabilities_get(uint64_t *ret_permitted) {
        struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
        struct __user_cap_data_struct data[2] = { { 0 } };

        if (syscall(SYS_capget, &header, data) < 0)
                return -errno;
        *ret_permitted = data[0].permitted | (uint64_t) data[1].permitted << 32;
        return 0;
}

/* Permitted ones stay, so that the effective ones can be taken back. */
static int capabilities_set(uint64_t permitted, uint64_t effective) {
        struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
        struct __user_cap_data_struct data[2];

        effective &= permitted;
        data[0] = (struct __user_cap_data_struct){ (uint32_t) effective, (uint32_t) permitted, 0 };
        data[1] = (struct __user_cap_data_struct){ (uint32_t) (effective >> 32), (uint32_t) (permitted >> 32),
                                                   0 };
        return syscall(SYS_capset, &header, data) < 0 ? -errno : 0;
}

/* Only the file system IDs change: the real ones stay, and with them the way back. */
int place_wear(const Place *place) {
        const ProcessStatus *status = &place->status;

        if (setgroups(status->n_groups, status->groups) < 0)
                return -errno;
        if (mutation_is_on("hardlink-user"))
                return 0;
        (void) setfsgid(status->gid);
        (void) setfsuid(status->uid);
        if ((gid_t) setfsgid((gid_t) -1) != status->gid || (uid_t) setfsuid((uid_t) -1) != status->uid)
                return -EPERM;
        return capabilities_set(place->own_capabilities, status->capabilities);
}

void place_shed(const Place *place) {
        (void) capabilities_set(place->own_capabilities, place->own_capabilities);
        (void) setfsuid(0);
        (void) setfsgid(0);
        (void) setgroups(0, NULL);
}

static int user_namespace_enter(const Process *process) {
        CLEANUP(handle_close) int theirs = -1, ours = -1;
        int r;

        r = process_namespace(process, "user", &theirs);
        if (r < 0)
                return r;
        ours = open("/proc/self/ns/user", O_RDONLY | O_CLOEXEC);
        if (ours < 0)
                return -errno;
        r = namespace_is_same(ours, theirs);
        if (r != 0)
                return r < 0 ? r : 0;
        return setns(theirs, CLONE_NEWUSER) < 0 ? -errno : 0;
}

int place_enter(const Process *process, Place *ret) {
        CLEANUP(handle_close) int mounts = -1, root = -1, self = -1;
        Place place = PLACE_NONE;
        int r;

        self = open("/proc/self/fd", O_PATH | O_DIRECTORY | O_CLOEXEC);
        root = openat(process->proc_fd, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (self < 0 || root < 0)
                return -errno;
        r = process_namespace(process, "mnt", &mounts);
        if (r >= 0)
                r = user_namespace_enter(process);
        /* From inside the user namespace the same file tells the IDs as they are called there. */
        if (r >= 0)
                r = process_status(process, &place.status);
        if (r >= 0)
                r = capabilities_get(&place.own_capabilities);
        if (r < 0)
                return r;
        place.self_fd = handle_take_fd(&self);
        *ret = place;
        if (mutation_is_on("hardlink-mount-namespace"))
                return 0;
        if (setns(mounts, CLONE_NEWNS) < 0 || fchdir(root) < 0 || chroot(".") < 0)
                return -errno;
        (void) umask(place.status.umask);
        return 0;
}
