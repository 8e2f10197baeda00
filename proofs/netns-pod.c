/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/netns-pod.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "engines/engine.h"
#include "proofs/bus.h"
#include "proofs/handles.h"
#include "proofs/netns.h"
#include "proofs/process.h"

static int pod_process(const char *unit, const EngineRow *engine, pid_t *ret) {
        CLEANUP(handle_bus) sd_bus *bus = NULL;
        ServiceState state;
        int r;

        r = bus_open(&bus);
        if (r >= 0)
                r = bus_service_state(bus, unit, &state);
        if (r < 0)
                return r;
        if (!state.loaded || state.main_pid == 0)
                return -ESRCH;
        if (!engine->watched) {
                *ret = (pid_t) state.main_pid;
                return 0;
        }
        return engine->watched((pid_t) state.main_pid, ret);
}

static int process_netns(pid_t pid, int *ret_fd) {
        CLEANUP(process_done) Process process = PROCESS_NONE;
        char path[32];
        int fd;

        (void) snprintf(path, sizeof(path), "/proc/%d", (int) pid);
        fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return errno == ENOENT ? -ESRCH : -errno;
        process = (Process){ .pid = pid, .proc_fd = fd };
        return process_namespace(&process, "net", ret_fd);
}

/* Not the host's, and not where this program is. 1: somebody else's namespace. */
static int netns_is_foreign(int fd) {
        CLEANUP(handle_close) int host = -1, own = -1;
        int r;

        r = netns_open_host(&host);
        if (r >= 0)
                r = process_netns(getpid(), &own);
        if (r >= 0)
                r = namespace_is_same(fd, host);
        if (r == 0)
                r = namespace_is_same(fd, own);
        return r < 0 ? r : r == 0;
}

int pod_netns(const char *unit, const char *engine_name, int *ret_fd) {
        CLEANUP(handle_close) int fd = -1;
        const EngineRow *engine = engine_find(engine_name);
        pid_t pid;
        int r;

        if (!engine)
                return -EINVAL;
        r = pod_process(unit, engine, &pid);
        if (r >= 0)
                r = process_netns(pid, &fd);
        if (r >= 0)
                r = netns_is_foreign(fd);
        if (r < 0)
                return r;
        if (r == 0)
                return -EXDEV;
        *ret_fd = handle_take_fd(&fd);
        return 0;
}
