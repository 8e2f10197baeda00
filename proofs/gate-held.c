/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The mark of a service that was stopped by hand: RUN_DIR/STACK/held-SUBJECT. That it is there is all that it
 * says. It is empty, so that it also finds a place where nothing else does any more. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>

#include "proofs/gate.h"
#include "proofs/handles.h"

static char *held_path(const GateRequest *request, const char *subject) {
        CLEANUP(handle_free) char *name = record_held_name(subject);

        return name ? text_format("%s/%s/%s", request->run_dir, request->stack, name) : NULL;
}

bool gate_held_exists(const GateRequest *request, const char *subject) {
        CLEANUP(handle_free) char *path = held_path(request, subject);
        struct stat st;

        return path && lstat(path, &st) == 0;
}

int gate_held_write(const GateRequest *request) {
        CLEANUP(handle_close) int dir_fd = -1, fd = -1;
        CLEANUP(handle_free) char *name = record_held_name(request->subject);
        int r;

        if (!name)
                return -ENOMEM;
        r = record_dir_create(request->run_dir, request->stack, &dir_fd);
        if (r < 0)
                return r;
        fd = openat(dir_fd, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644);
        return fd < 0 ? -errno : 0;
}

void gate_held_lift(const GateRequest *request) {
        CLEANUP(handle_free) char *path = held_path(request, request->subject);

        if (!path || (unlink(path) < 0 && errno != ENOENT))
                gate_say(LOG_WARNING, "%s stays marked as stopped by hand: %s", request->subject,
                         strerror(path ? errno : ENOMEM));
}
