/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/resolvers.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/syscall.h>

#include "proofs/handles.h"
#include "proofs/util.h"

/* Below the process's own root: a link to an absolute path must not lead to the host's file. */
static int resolv_conf_open(const Process *process) {
        const struct open_how how = {
                .flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY,
                .resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS,
        };
        CLEANUP(handle_close) int root = openat(process->proc_fd, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
        int fd;

        if (root < 0)
                return errno == ENOENT ? -ESRCH : -errno;
        fd = (int) syscall(SYS_openat2, root, "etc/resolv.conf", &how, sizeof(how));
        return fd < 0 ? -errno : fd;
}

int resolvers_read(const Process *process, Address ret[RESOLVERS_MAX], size_t *ret_n) {
        CLEANUP(handle_close) int fd = resolv_conf_open(process);
        CLEANUP(handle_free) char *text = NULL;
        size_t n = 0;
        int r;

        *ret_n = 0;
        if (fd < 0)
                return fd == -ENOENT ? 0 : fd;
        r = file_read_fd(fd, SMALL_FILE_MAX, &text, NULL);
        if (r < 0)
                return r;
        for (const char *line = text; *line && n < RESOLVERS_MAX;) {
                const char *end = strchrnul(line, '\n');
                char word[64];

                if (sscanf(line, "nameserver%*[ \t]%63[^ \t\r\n%%]", word) == 1 &&
                    address_parse(word, &ret[n]) >= 0)
                        n++;
                line = *end ? end + 1 : end;
        }
        *ret_n = n;
        return 0;
}
