/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/actor-child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

#include "proofs/handles.h"
#include "proofs/place.h"
#include "proofs/util.h"

typedef struct Stage {
        const ActorOrder *order;
        Place place;
        int directory;
        int targets[OPTION_FEW_MAX];
        bool has_file, has_link[OPTION_FEW_MAX]; /* made by us and still there */
} Stage;

/* FS_IOC_FSGETXATTR; on ext4 and xfs a directory that hands its ID on takes no links of files with another
 * one. */
static void project_look(int fd, DirFacts *facts) {
        CLEANUP(handle_close) int readable = -1;
        struct fsxattr attributes;

        readable = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (readable < 0 || ioctl(readable, FS_IOC_FSGETXATTR, &attributes) < 0)
                return;
        facts->has_project = true;
        facts->project = attributes.fsx_xflags & FS_XFLAG_PROJINHERIT ? attributes.fsx_projid : 0;
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
        facts->uid = stx.stx_uid;
        facts->gid = stx.stx_gid;
        facts->mode = stx.stx_mode & 07777;
        project_look(fd, facts);
        facts->may_write = faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) == 0;
        (void) snprintf(number, sizeof(number), "%d", fd);
        n = readlinkat(stage->place.self_fd, number, facts->path, sizeof(facts->path) - 1);
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

        r = place_enter(stage->order->process, &stage->place);
        if (r >= 0)
                r = place_wear(&stage->place);
        if (r < 0)
                return r;
        reply->uid = stage->place.status.uid;
        reply->gid = stage->place.status.gid;
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

enum { LEFTOVERS_LOOKED_AT = 20000 };
#define LEFTOVER_AGE (1 * USEC_PER_SEC) /* since a file is there for a moment before it is locked */

static bool name_is_ours(const char *name) {
        const char *end;
        size_t n;

        if (strncmp(name, ACTOR_FILE_PREFIX, strlen(ACTOR_FILE_PREFIX)) != 0)
                return false;
        end = name + strlen(ACTOR_FILE_PREFIX);
        n = strspn(end, "0123456789abcdef");
        end += n;
        if (*end == '~')
                end += 1 + strspn(end + 1, "0123456789");
        return n == 32 && *end == '\0';
}

static void leftover_remove(int directory, const char *name) {
        CLEANUP(handle_close)
        int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        struct stat st;
        uint64_t made;

        if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
                return;
        made = (uint64_t) st.st_mtim.tv_sec * USEC_PER_SEC + (uint64_t) st.st_mtim.tv_nsec / 1000;
        if (made + LEFTOVER_AGE <= time_realtime_usec() && flock(fd, LOCK_EX | LOCK_NB) == 0)
                (void) unlinkat(directory, name, 0);
}

/* Of proofs that were killed with all their children: nobody was left to remove it. Whoever still works holds
 * a lock on the file, which is one for all its names. */
static void leftovers_remove(int directory) {
        int fd = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        DIR *dir = fd < 0 ? NULL : fdopendir(fd);
        const struct dirent *entry;

        if (!dir) {
                handle_close(&fd);
                return;
        }
        for (unsigned n = 0; n < LEFTOVERS_LOOKED_AT && (entry = readdir(dir)); n++)
                if (name_is_ours(entry->d_name))
                        leftover_remove(directory, entry->d_name);
        (void) closedir(dir);
}

static int file_create(Stage *stage, ActorReply *reply) {
        static const char text[] =
                "Made by unitproof to see whether it can be hard-linked. Safe to remove.\n";
        int fd, r = 0;

        leftovers_remove(stage->directory);
        fd = openat(stage->directory, stage->order->file_name,
                    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (fd < 0)
                return -errno;
        stage->has_file = true;
        /* Held, and open, as long as this child lives. A file system without locks keeps what is left. */
        (void) flock(fd, LOCK_EX);
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

        leftovers_remove(stage->targets[i]);
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
        place_shed(&stage->place);
        if (unlinkat(directory, name, 0) < 0)
                r = -errno;
        reply->by_force = true;
        (void) place_wear(&stage->place);
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

        if (message->index >= OPTION_FEW_MAX)
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

        for (size_t i = 0; i < OPTION_FEW_MAX; i++)
                if (stage->has_link[i])
                        (void) link_remove(stage, i, &reply);
        if (stage->has_file)
                (void) file_remove(stage, stage->directory, stage->order->file_name, &reply);
}

_Noreturn void actor_child(const ActorOrder *order, int fd) {
        Stage stage = { .order = order, .place = PLACE_NONE, .directory = -1 };
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
