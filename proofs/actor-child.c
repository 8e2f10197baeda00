/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/actor-child.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>

#include "proofs/handles.h"
#include "proofs/mutate.h"
#include "proofs/util.h"

typedef struct Stage {
        const ActorOrder *order;
        ProcessStatus status; /* IDs inside the user namespace */
        uint64_t own_capabilities;
        int self_fd; /* /proc/self/fd of where we came from */
        int directory;
        int targets[OPTION_LIST_MAX];
        bool has_file, has_link[OPTION_LIST_MAX]; /* made by us and still there */
} Stage;

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

/* Takes on what the kernel checks file access with. Only the file system IDs change: the real ones stay, and
 * with them the way back. */
static int ids_wear(const Stage *stage) {
        const ProcessStatus *status = &stage->status;

        if (setgroups(status->n_groups, status->groups) < 0)
                return -errno;
        if (mutation_is_on("hardlink-user"))
                return 0;
        (void) setfsgid(status->gid);
        (void) setfsuid(status->uid);
        if ((gid_t) setfsgid((gid_t) -1) != status->gid || (uid_t) setfsuid((uid_t) -1) != status->uid)
                return -EPERM;
        return capabilities_set(stage->own_capabilities, status->capabilities);
}

static void ids_shed(const Stage *stage) {
        (void) capabilities_set(stage->own_capabilities, stage->own_capabilities);
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

static int place_enter(Stage *stage) {
        CLEANUP(handle_close) int mounts = -1, root = -1;
        const Process *process = stage->order->process;
        int r;

        stage->self_fd = open("/proc/self/fd", O_PATH | O_DIRECTORY | O_CLOEXEC);
        root = openat(process->proc_fd, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (stage->self_fd < 0 || root < 0)
                return -errno;
        r = process_namespace(process, "mnt", &mounts);
        if (r >= 0)
                r = user_namespace_enter(process);
        /* From inside the user namespace the same file tells the IDs as they are called there. */
        if (r >= 0)
                r = process_status(process, &stage->status);
        if (r >= 0)
                r = capabilities_get(&stage->own_capabilities);
        if (r < 0)
                return r;
        if (mutation_is_on("hardlink-mount-namespace"))
                return 0;
        if (setns(mounts, CLONE_NEWNS) < 0 || fchdir(root) < 0 || chroot(".") < 0)
                return -errno;
        (void) umask(stage->status.umask);
        return 0;
}

static void directory_look(const Stage *stage, int fd, DirFacts *facts) {
        struct statx stx = { 0 };
        struct statfs fs = { 0 };
        char number[16];
        ssize_t n;

        if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_MNT_ID, &stx) < 0 ||
            fstatfs(fd, &fs) < 0) {
                facts->error = errno;
                return;
        }
        facts->device = (uint64_t) stx.stx_dev_major << 32 | stx.stx_dev_minor;
        facts->inode = stx.stx_ino;
        facts->mount_id = stx.stx_mask & STATX_MNT_ID ? stx.stx_mnt_id : 0;
        facts->fs_type = (uint64_t) (unsigned long) fs.f_type;
        facts->read_only = (fs.f_flags & ST_RDONLY) != 0;
        facts->may_write = faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) == 0;
        (void) snprintf(number, sizeof(number), "%d", fd);
        n = readlinkat(stage->self_fd, number, facts->path, sizeof(facts->path) - 1);
        facts->path[n > 0 ? n : 0] = '\0';
}

/* Symbolic links on the way to the directory are the operator's and are followed, once. From then on only the
 * descriptor is used. */
static int directory_open(const Stage *stage, const char *path, DirFacts *facts) {
        int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

        if (fd < 0)
                facts->error = errno;
        else
                directory_look(stage, fd, facts);
        return fd;
}

static int stage_enter(Stage *stage, ActorReply *reply) {
        const OptionList *targets = stage->order->targets;
        int r;

        r = place_enter(stage);
        if (r >= 0)
                r = ids_wear(stage);
        if (r < 0)
                return r;
        reply->uid = stage->status.uid;
        reply->gid = stage->status.gid;
        stage->directory = directory_open(stage, stage->order->directory, &reply->directory);
        for (size_t i = 0; targets && i < targets->n; i++)
                stage->targets[i] = directory_open(stage, targets->items[i], &reply->targets[i]);
        return 0;
}

static int file_look(int directory, const char *name, FileFacts *ret) {
        struct statx stx;

        if (statx(directory, name, AT_SYMLINK_NOFOLLOW, STATX_BASIC_STATS, &stx) < 0)
                return -errno;
        if (!S_ISREG(stx.stx_mode))
                return -ELOOP;
        *ret = (FileFacts){
                .device = (uint64_t) stx.stx_dev_major << 32 | stx.stx_dev_minor,
                .inode = stx.stx_ino,
                .links = stx.stx_nlink,
                .uid = stx.stx_uid,
                .gid = stx.stx_gid,
                .mode = stx.stx_mode,
        };
        return 0;
}

static int file_create(Stage *stage, ActorReply *reply) {
        static const char text[] =
                "Made by unitproof to see whether it can be hard-linked. Safe to remove.\n";
        CLEANUP(handle_close) int fd = -1;
        int r = 0;

        fd = openat(stage->directory, stage->order->file_name,
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0)
                return -errno;
        stage->has_file = true;
        errno = 0;
        if (write(fd, text, sizeof(text) - 1) != (ssize_t) sizeof(text) - 1)
                r = errno != 0 ? -errno : -ENOSPC;
        if (r >= 0)
                r = file_look(stage->directory, stage->order->file_name, &reply->file);
        return r;
}

static void link_name(const Stage *stage, size_t i, char ret[ACTOR_NAME_SIZE + 8]) {
        (void) snprintf(ret, ACTOR_NAME_SIZE + 8, "%s~%zu", stage->order->file_name, i);
}

static int file_link(Stage *stage, size_t i, ActorReply *reply) {
        char name[ACTOR_NAME_SIZE + 8];

        link_name(stage, i, name);
        if (linkat(stage->directory, stage->order->file_name, stage->targets[i], name, 0) < 0)
                return -errno;
        stage->has_link[i] = true;
        return file_look(stage->targets[i], name, &reply->file);
}

/* Removes what we made: as the service, and if that may not (a sticky directory) as root. */
static int file_remove(const Stage *stage, int directory, const char *name, ActorReply *reply) {
        int r = 0;

        if (unlinkat(directory, name, 0) == 0 || errno == ENOENT)
                return 0;
        ids_shed(stage);
        if (unlinkat(directory, name, 0) < 0)
                r = -errno;
        reply->by_force = true;
        (void) ids_wear(stage);
        return r;
}

static int link_remove(Stage *stage, size_t i, ActorReply *reply) {
        char name[ACTOR_NAME_SIZE + 8];
        int r;

        link_name(stage, i, name);
        r = file_remove(stage, stage->targets[i], name, reply);
        stage->has_link[i] &= r < 0;
        return r;
}

static int stage_act(Stage *stage, const ActorMessage *message, ActorReply *reply) {
        int r;

        if (message->index >= OPTION_LIST_MAX)
                return -EINVAL;
        switch (message->op) {
        case ACTOR_CREATE:
                return file_create(stage, reply);
        case ACTOR_LOOK:
                return file_look(stage->directory, stage->order->file_name, &reply->file);
        case ACTOR_LINK:
                return file_link(stage, message->index, reply);
        case ACTOR_UNLINK:
                return link_remove(stage, message->index, reply);
        case ACTOR_REMOVE:
                r = file_remove(stage, stage->directory, stage->order->file_name, reply);
                stage->has_file &= r < 0;
                return r;
        case ACTOR_ENTER:
                break;
        }
        return -EINVAL;
}

static void stage_clean(Stage *stage) {
        ActorReply reply;

        for (size_t i = 0; i < OPTION_LIST_MAX; i++)
                if (stage->has_link[i])
                        (void) link_remove(stage, i, &reply);
        if (stage->has_file)
                (void) file_remove(stage, stage->directory, stage->order->file_name, &reply);
}

_Noreturn void actor_child(const ActorOrder *order, int fd) {
        Stage stage = { .order = order, .self_fd = -1, .directory = -1 };
        ActorReply reply = { .error = 0 };
        ActorMessage message;

        /* Whatever stops the proof, the files go first: only the end of the conversation ends us. */
        (void) signal(SIGTERM, SIG_IGN);
        (void) signal(SIGINT, SIG_IGN);
        (void) signal(SIGHUP, SIG_IGN);
        (void) signal(SIGPIPE, SIG_IGN);
        reply.error = -stage_enter(&stage, &reply);
        while (send(fd, &reply, sizeof(reply), MSG_NOSIGNAL) == (ssize_t) sizeof(reply)) {
                if (recv(fd, &message, sizeof(message), 0) != (ssize_t) sizeof(message))
                        break;
                reply = (ActorReply){ .error = 0 };
                reply.error = -stage_act(&stage, &message, &reply);
        }
        stage_clean(&stage);
        _exit(EXIT_SUCCESS);
}
