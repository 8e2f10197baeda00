/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/placed.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "proofs/handles.h"
#include "proofs/mutate.h"
#include "proofs/util.h"

#define PAUSE_USEC (10 * USEC_PER_MSEC)
#define SECOND_LOOK_USEC (200 * USEC_PER_MSEC)

/* Since version 255 systemd's child runs a program of systemd's own until it becomes the service; before, it
 * is still the manager itself. */
#define EXECUTOR "/systemd-executor"

static bool runs_manager(const Process *process) {
        struct stat program, manager;
        char target[PATH_MAX];
        const char *name;
        ssize_t n;

        if (mutation_is_on("placed"))
                return false;
        if (fstatat(process->proc_fd, "exe", &program, 0) == 0 && stat("/proc/1/exe", &manager) == 0 &&
            program.st_dev == manager.st_dev && program.st_ino == manager.st_ino)
                return true;
        n = readlinkat(process->proc_fd, "exe", target, sizeof(target) - 1);
        target[n > 0 ? n : 0] = '\0';
        name = strrchr(target, '/');
        return name && strncmp(name, EXECUTOR, strlen(EXECUTOR)) == 0 &&
               (name[strlen(EXECUTOR)] == '\0' || name[strlen(EXECUTOR)] == ' ' /* " (deleted)" */);
}

/* A runtime's child has yet to enter the container's namespaces, all of them. */
static int has_host_mounts(const Process *process) {
        CLEANUP(handle_close) int fd = -1, host = -1;
        int r;

        host = open("/proc/1/ns/mnt", O_RDONLY | O_CLOEXEC);
        if (host < 0)
                return -errno;
        r = process_namespace(process, "mnt", &fd);
        return r < 0 ? r : namespace_is_same(fd, host);
}

int placed_netns(const Process *process, int host_fd, uint64_t deadline_usec, int *ret_fd) {
        for (bool again = false;; again = true) {
                CLEANUP(handle_close) int fd = -1;
                int r;

                /* Before anything else is read: whoever runs a program of its own by now is where it will be.
                 */
                while (runs_manager(process)) {
                        if (time_left_msec(deadline_usec) == 0)
                                return -EBUSY;
                        time_sleep_usec(PAUSE_USEC);
                }
                r = process_namespace(process, "net", &fd);
                if (r >= 0)
                        r = namespace_is_same(fd, host_fd);
                if (r > 0 && !again && !mutation_is_on("placed"))
                        r = has_host_mounts(process);
                else if (r > 0)
                        r = 0;
                if (r < 0)
                        return r;
                if (r == 0) {
                        *ret_fd = handle_take_fd(&fd);
                        return 0;
                }
                time_sleep_usec(SECOND_LOOK_USEC);
        }
}
