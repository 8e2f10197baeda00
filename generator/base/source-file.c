/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_PATH */
#endif
#include "generator/base/source-file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "generator/base/limits.h"
#include "generator/base/source.h"
#include "generator/base/str.h"

/* Never wait for a FIFO, never become a terminal's session leader. */
#define OPEN_FLAGS (O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
#define SYMLINKS_MAX 40
#define ATTEMPTS_MAX 8

static void close_fd(int *fd) {
        if (*fd >= 0)
                (void) close(*fd);
}
#define _cleanup_fd_ __attribute__((cleanup(close_fd)))

static int openat2_in_root(int root_fd, const char *path, uint64_t flags) {
        struct open_how how = { .flags = flags, .resolve = RESOLVE_IN_ROOT };

        for (int i = 0; i < ATTEMPTS_MAX; i++) {
                long fd = syscall(SYS_openat2, root_fd, path, &how, sizeof how);

                if (fd >= 0)
                        return (int) fd;
                /* EAGAIN: something was renamed while the kernel looked at "..". */
                if (errno != EAGAIN && errno != EINTR)
                        return -errno;
        }
        return -EAGAIN;
}

int open_in_root(int root_fd, const char *path) {
        _cleanup_fd_ int link_fd = -1;
        int fd = openat2_in_root(root_fd, path, OPEN_FLAGS);
        struct stat st;

        if (fd != -ENOENT)
                return fd;
        link_fd = openat2_in_root(root_fd, path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        return link_fd >= 0 && fstat(link_fd, &st) == 0 && S_ISLNK(st.st_mode) ? -ENOLINK : -ENOENT;
}

/* What is left of the path, with the link's target put before it. */
static int path_splice(char *rest, size_t n_skip, const char *target, size_t n_target) {
        size_t n_rest = strlen(rest + n_skip);

        if (n_target + n_rest + 1 > PATH_MAX)
                return -ENAMETOOLONG;
        memmove(rest + n_target, rest + n_skip, n_rest + 1);
        memcpy(rest, target, n_target);
        return 0;
}

/* A step must not follow a link by itself, so each component is first looked at with O_PATH. */
static int step_into(int dir_fd, const char *name, bool last, char *ret_target, size_t *ret_n) {
        _cleanup_fd_ int fd = openat(dir_fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        struct stat st;
        ssize_t n;
        int taken;

        if (fd < 0 || fstat(fd, &st) < 0)
                return -errno;
        if (S_ISLNK(st.st_mode)) {
                n = readlinkat(fd, "", ret_target, PATH_MAX);
                if (n < 0)
                        return -errno;
                *ret_n = (size_t) n;
                return 0;
        }
        *ret_n = 0;
        if (last)
                return openat(dir_fd, name, OPEN_FLAGS | O_NOFOLLOW);
        if (!S_ISDIR(st.st_mode))
                return -ENOTDIR;
        taken = fd;
        fd = -1;
        return taken;
}

static bool is_same_directory(int a, int b) {
        struct stat sa, sb;

        return fstat(a, &sa) == 0 && fstat(b, &sb) == 0 && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

int open_in_root_by_steps(int root_fd, const char *path) {
        _cleanup_fd_ int dir_fd = openat(root_fd, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
        char rest[PATH_MAX] = "", target[PATH_MAX], name[NAME_MAX + 1];
        bool from_link = false; /* the last component was a link: what is left is where it leads */
        int n_links = 0, r;

        if (dir_fd < 0)
                return -errno;
        r = path_splice(rest, 0, path, strlen(path));
        if (r < 0)
                return r;
        for (;;) {
                size_t n_slashes = strspn(rest, "/");
                size_t n = strcspn(rest + n_slashes, "/"), n_target = 0;
                int fd;

                if (n > NAME_MAX)
                        return -ENAMETOOLONG;
                memcpy(name, rest + n_slashes, n);
                name[n] = '\0';
                if (n == 0 || (str_equal(name, "..") && is_same_directory(dir_fd, root_fd)))
                        memcpy(name, ".", 2);

                fd = step_into(dir_fd, name, rest[n_slashes + n] == '\0', target, &n_target);
                if (fd < 0)
                        return fd == -ENOENT && from_link ? -ENOLINK : fd;
                if (n_target > 0) {
                        from_link = from_link || rest[n_slashes + n] == '\0';
                        if (++n_links > SYMLINKS_MAX)
                                return -ELOOP;
                        r = path_splice(rest, n_slashes + n, target, n_target);
                        if (r < 0)
                                return r;
                        if (target[0] != '/')
                                continue;
                        fd = openat(root_fd, ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
                        if (fd < 0)
                                return -errno;
                } else if (rest[n_slashes + n] == '\0')
                        return fd;
                else
                        memmove(rest, rest + n_slashes + n, strlen(rest + n_slashes + n) + 1);
                (void) close(dir_fd);
                dir_fd = fd;
        }
}

static int source_open_file(const char *root, const char *path) {
        _cleanup_fd_ int root_fd = -1;
        int fd;

        if (!root || root[strspn(root, "/")] == '\0') {
                struct stat st;

                fd = open(path, OPEN_FLAGS);
                if (fd < 0 && errno == ENOENT)
                        return lstat(path, &st) == 0 && S_ISLNK(st.st_mode) ? -ENOLINK : -ENOENT;
                return fd < 0 ? -errno : fd;
        }
        root_fd = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (root_fd < 0)
                return -errno;
        fd = open_in_root(root_fd, path);
        /* Sandboxes that do not know the call answer with EPERM. */
        if (fd == -ENOSYS || fd == -EPERM || fd == -EAGAIN)
                fd = open_in_root_by_steps(root_fd, path);
        return fd;
}

/* Reads to the end rather than to st_size, which is 0 for files that a kernel makes up. */
static int read_all(int fd, Arena *a, size_t size_hint, char **ret_bytes, size_t *ret_length) {
        size_t capacity = size_hint + 1, length = 0;
        char *bytes = arena_alloc(a, capacity + 1);

        for (;;) {
                ssize_t n = read(fd, bytes + length, capacity - length);

                if (n < 0 && errno == EINTR)
                        continue;
                if (n < 0)
                        return -errno;
                if (n == 0)
                        break;
                length += (size_t) n;
                if (length > LIMIT_FILE_BYTES)
                        return -EFBIG;
                if (length == capacity) {
                        size_t allocated = capacity + 1;

                        bytes = arena_grow(a, bytes, 1, &allocated, allocated + 1);
                        capacity = allocated - 1;
                }
        }
        bytes[length] = '\0';
        *ret_bytes = bytes;
        *ret_length = length;
        return 0;
}

int source_read_fd(int fd, Arena *arena, char **ret_bytes, size_t *ret_length) {
        return read_all(fd, arena, /* size_hint= */ 4096, ret_bytes, ret_length);
}

int source_read_file(void *userdata, Arena *arena, const char *path, char **ret_bytes, size_t *ret_length) {
        _cleanup_fd_ int fd = source_open_file(userdata, path);
        struct stat st;

        if (fd == -EPERM)
                return -EACCES;
        if (fd == -ENXIO || fd == -ENODEV) /* sockets and devices without a driver */
                return -EINVAL;
        if (fd < 0)
                return fd;
        if (fstat(fd, &st) < 0)
                return -errno;
        if (S_ISDIR(st.st_mode))
                return -EISDIR;
        if (!S_ISREG(st.st_mode))
                return -EINVAL;
        if (st.st_size > LIMIT_FILE_BYTES)
                return -EFBIG;
        return read_all(fd, arena, (size_t) st.st_size, ret_bytes, ret_length);
}
