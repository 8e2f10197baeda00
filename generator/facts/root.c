/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/facts/root.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "generator/facts/handles.h"

int root_open(const char *root, const char *path, int flags) {
        _cleanup_close_ int dir = -1;
        struct open_how how = {
                .flags = (unsigned) (flags | O_CLOEXEC), /* with O_PATH openat2() refuses O_NOCTTY */
                .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
        };
        int fd;

        if (!root || root[0] == '\0') {
                fd = open(path, flags | O_CLOEXEC | O_NOCTTY);
                return fd < 0 ? -errno : fd;
        }

        dir = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (dir < 0)
                return -errno;
        fd = (int) syscall(SYS_openat2, dir, path, &how, sizeof(how));
        return fd < 0 ? -errno : fd;
}

static bool entry_fits(const char *root, const char *dir_path, int dir_fd, const struct dirent *e,
                       RootEntry kind) {
        const mode_t wanted = kind == ROOT_DIRECTORIES ? S_IFDIR : S_IFREG;
        struct stat st;

        switch (e->d_type) {
        case DT_DIR:
                return kind == ROOT_DIRECTORIES;
        case DT_REG:
                return kind == ROOT_FILES;
        case DT_LNK:
                break;
        default:
                return fstatat(dir_fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
                       (st.st_mode & S_IFMT) == wanted;
        }

        /* A link is followed by the rule of root_open(): fstatat() would leave the root. */
        char path[PATH_MAX];
        _cleanup_close_ int fd = -1;

        if ((size_t) snprintf(path, sizeof(path), "%s/%s", dir_path, e->d_name) >= sizeof(path))
                return false;
        fd = root_open(root, path, O_PATH);
        /* A link that leads nowhere, to a disk that is not mounted yet perhaps, is one to what should be
         * there: whoever opens it says what is wrong, where leaving it out would say nothing. */
        if (fd < 0)
                return true;
        return fstat(fd, &st) == 0 && (st.st_mode & S_IFMT) == wanted;
}

static int compare_names(const void *a, const void *b) {
        return strcmp(*(const char *const *) a, *(const char *const *) b);
}

static bool is_link(const char *root, const char *path) {
        _cleanup_close_ int fd = root_open(root, path, O_PATH | O_NOFOLLOW);
        struct stat st;

        return fd >= 0 && fstat(fd, &st) == 0 && S_ISLNK(st.st_mode);
}

int root_list(Arena *a, const char *root, const char *path, RootEntry kind, const char ***ret_names,
              size_t *ret_n) {
        _cleanup_closedir_ DIR *dir = NULL;
        const char **names = NULL;
        size_t n = 0, capacity = 0;
        int fd;

        fd = root_open(root, path, O_RDONLY | O_DIRECTORY);
        if (fd == -ENOENT && is_link(root, path))
                return -ENOLINK;
        if (fd < 0)
                return fd;
        dir = fdopendir(fd);
        if (!dir) {
                int r = -errno;

                (void) close(fd);
                return r;
        }

        for (;;) {
                struct dirent *e;

                errno = 0;
                e = readdir(dir);
                if (!e && errno != 0)
                        return -errno;
                if (!e)
                        break;
                if (e->d_name[0] == '.' || !entry_fits(root, path, fd, e, kind))
                        continue;
                if (n == LIMIT_DIRECTORY_ENTRIES)
                        return -E2BIG;
                names = arena_grow(a, names, sizeof(*names), &capacity, n + 2);
                names[n++] = arena_strdup(a, e->d_name);
        }

        if (!names)
                names = arena_new_array(a, const char *, 1);
        names[n] = NULL;
        qsort(names, n, sizeof(*names), compare_names);
        *ret_names = names;
        *ret_n = n;
        return 0;
}

const char *root_list_error(int error) {
        return error == -ENOLINK ? "it is a link that leads to nothing" : strerror(-error);
}

bool root_is_program(const char *root, const char *path) {
        _cleanup_close_ int fd = root_open(root, path, O_PATH);
        struct stat st;

        return fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & S_IXUSR);
}
