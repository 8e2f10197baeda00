/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A leak halts the stack. The halt unit asks "leaked" whether one was found that was not dealt with yet, and
 * "halted" stops the target, says why and fails, so that it stays visible. A leak that was announced
 * once does not halt the stack again after the operator has started it by hand: its record is marked by its
 * ID. Until then each further proof that fails starts the halt unit once more, and it must stay failed:
 * systemd.service(5), ExecCondition=: 1 to 254 skips the unit, which is then no longer failed; 255 fails it.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>

#include "proofs/bus.h"
#include "proofs/gate.h"
#include "proofs/handles.h"
#include "proofs/message-ids.h"

typedef struct Leaks {
        const GateRequest *request;
        char boot_id[ID128_TEXT_SIZE];
        int dir_fd;   /* RUN_DIR/STACK */
        bool running; /* a start and a look at what runs may both have found one, each has its mark */
        bool announce, mark;
        unsigned n, n_announced;
} Leaks;

static bool is_marked(const Leaks *leaks, const Record *record) {
        CLEANUP(handle_free) char *path = record_halted_path(leaks->running, record->proof, record->subject);
        CLEANUP(handle_free) char *text = NULL;

        return path && file_read_at(leaks->dir_fd, path, GATE_NOTE_MAX, &text, NULL) >= 0 &&
               strncmp(text, record->id, ID128_TEXT_SIZE - 1) == 0;
}

static void mark(const Leaks *leaks, const Record *record) {
        CLEANUP(handle_free) char *path = record_halted_path(leaks->running, record->proof, record->subject);
        CLEANUP(handle_close) int fd = -1;
        int r;

        r = gate_consumed_open(leaks->request, &fd);
        if (r >= 0)
                r = path ? file_replace_at(fd, strchr(path, '/') + 1, record->id, strlen(record->id))
                         : -ENOMEM;
        if (r < 0)
                gate_say(LOG_WARNING, "cannot mark the leak as announced, it will halt the stack again: %s",
                         strerror(-r));
}

static void leak_visit(const char *file_name, const Record *record, RecordFault fault, void *userdata) {
        Leaks *leaks = userdata;

        if (!record) {
                gate_say(LOG_WARNING, "the record %s %s", file_name, record_fault_text(fault));
                return;
        }
        if (!record->leak || strcmp(record->boot_id, leaks->boot_id) != 0)
                return;
        if (is_marked(leaks, record)) {
                leaks->n_announced++;
                return;
        }
        leaks->n++;
        if (!leaks->announce)
                return;
        gate_tell(leaks->request, LOG_CRIT, MESSAGE_ID_STACK_HALTED,
                  "stack %s is halted: proof %s of %s found a leak: %s. %s", record->stack, record->proof,
                  record->subject, record->reason, record->remedy);
        if (leaks->mark)
                mark(leaks, record);
}

/* Leaks whose records could not be written have left an empty file each. */
static int unrecorded_visit(Leaks *leaks) {
        CLEANUP(handle_closedir) DIR *dir = NULL;
        const struct dirent *e;
        int fd;

        fd = openat(leaks->dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        dir = fdopendir(fd);
        if (!dir) {
                close(fd);
                return -errno;
        }
        while ((e = readdir(dir))) {
                const char *what = e->d_name + strlen(RECORD_LEAK_PREFIX);

                if (strncmp(e->d_name, RECORD_LEAK_PREFIX, strlen(RECORD_LEAK_PREFIX)) != 0)
                        continue;
                leaks->n++;
                if (!leaks->announce)
                        continue;
                gate_tell(leaks->request, LOG_CRIT, MESSAGE_ID_STACK_HALTED,
                          "stack %s is halted: proof %s found a leak, and its record could not be written. "
                          "See the journal for what it found.",
                          leaks->request->stack, what);
                if (leaks->mark && unlinkat(leaks->dir_fd, e->d_name, 0) < 0)
                        gate_say(LOG_WARNING, "cannot remove %s, it will halt the stack again: %s", e->d_name,
                                 strerror(errno));
        }
        return 0;
}

static int leaks_visit(const GateRequest *request, bool announce, bool mark, unsigned *ret,
                       unsigned *ret_announced) {
        CLEANUP(handle_close) int dir_fd = -1, running_fd = -1;
        Leaks leaks = { .request = request, .announce = announce, .mark = mark };
        RecordFault fault;
        int r;

        r = id128_boot(leaks.boot_id);
        if (r < 0)
                return r;
        fault = record_dir_open(request->run_dir, request->stack, /* owner= */ 0, &dir_fd);
        if (fault == RECORD_FAULT_MISSING) {
                *ret = *ret_announced = 0;
                return 0;
        }
        if (fault != RECORD_FAULT_NONE) {
                gate_say(LOG_ERR, "the directory of records %s/%s %s", request->run_dir, request->stack,
                         record_fault_text(fault));
                return -EACCES;
        }
        leaks.dir_fd = dir_fd;
        r = record_each(dir_fd, /* owner= */ 0, request->stack, leak_visit, &leaks);
        if (r >= 0)
                r = unrecorded_visit(&leaks);
        if (r < 0)
                return r;
        fault = record_running_open(dir_fd, /* owner= */ 0, &running_fd);
        if (fault != RECORD_FAULT_NONE && fault != RECORD_FAULT_MISSING) {
                gate_say(LOG_ERR, "the directory of records %s/%s/" RECORD_RUNNING_DIR " %s",
                         request->run_dir, request->stack, record_fault_text(fault));
                return -EACCES;
        }
        leaks.running = true;
        if (fault == RECORD_FAULT_NONE)
                r = record_each(running_fd, /* owner= */ 0, request->stack, leak_visit, &leaks);
        if (r < 0)
                return r;
        *ret = leaks.n;
        *ret_announced = leaks.n_announced;
        return 0;
}

/* Nobody has started the stack again. If systemd does not answer, nobody knows of a start. */
static bool is_still_halted(const GateRequest *request) {
        CLEANUP(handle_free) char *target = text_format("%s.target", request->stack);
        CLEANUP(handle_bus) sd_bus *bus = NULL;
        UnitState state;

        if (!target || bus_open(&bus) < 0 || bus_unit_state(bus, target, &state) < 0)
                return true;
        return strcmp(state.active, "active") != 0 &&
               (state.job[0] == '\0' || strcmp(state.job, "stop") == 0);
}

int gate_leaked(const GateRequest *request) {
        unsigned n, n_announced;
        int r;

        r = leaks_visit(request, /* announce= */ false, /* mark= */ false, &n, &n_announced);
        /* Not knowing is no reason to let a leak go on: halt. */
        if (r < 0)
                gate_say(LOG_ERR, "cannot read the records of %s: %s; halting", request->stack, strerror(-r));
        if (r < 0 || n > 0)
                return 0;
        if (n_announced == 0 || !is_still_halted(request))
                return EXIT_STATUS_SKIP;
        gate_say(LOG_NOTICE, "stack %s is halted already", request->stack);
        return EXIT_STATUS_STAY_FAILED;
}

static int target_stop(sd_bus *bus, void *userdata) {
        return bus_unit_stop(bus, userdata);
}

int gate_halted(const GateRequest *request) {
        unsigned n = 0, n_announced;
        int r, stopped = 0;

        /* A leak goes on until that is done: systemd may be away for a moment, and is asked until it is back.
         */
        if (request->target)
                stopped = bus_ask(BUS_PATIENCE_USEC, target_stop, (void *) (uintptr_t) request->target);
        r = leaks_visit(request, /* announce= */ true, /* mark= */ stopped >= 0, &n, &n_announced);
        if (r < 0 || n == 0)
                gate_tell(request, LOG_CRIT, MESSAGE_ID_STACK_HALTED, "stack %s is halted", request->stack);
        if (stopped < 0)
                gate_say(LOG_CRIT, "stack %s cannot be stopped: %s. Stop it with: systemctl stop %s.target",
                         request->stack, strerror(-stopped), request->stack);
        else
                gate_say(LOG_CRIT, "Start it again with: systemctl start %s.target", request->stack);
        return 1;
}
