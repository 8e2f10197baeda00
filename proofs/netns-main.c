/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitproof-netns: looks after the network namespace of a pod, while no service is in it. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <syslog.h>

#include "engines/engine.h"
#include "proofs/bus.h"
#include "proofs/child.h"
#include "proofs/handles.h"
#include "proofs/netns.h"
#include "proofs/netns-sweep.h"
#include "proofs/options.h"
#include "proofs/process.h"
#include "proofs/say.h"
#include "proofs/util.h"
#include "proofs/verdict.h"

typedef struct NetnsRequest {
        const char *unit, *engine_name;
} NetnsRequest;

enum {
        VERB_SWEEP,
        _VERB_MAX,
};

static const OptionVerb verbs[_VERB_MAX] = {
        [VERB_SWEEP] = { "sweep", "Removes routing rules and tunnel links that a killed tunnel has left." },
};

static bool is_engine_name(const char *text) {
        return engine_find(text) != NULL;
}

#define FIELD(name) offsetof(NetnsRequest, name)

static const OptionRow rows[] = {
        { "unit", OPTION_TEXT, FIELD(unit), 1u << VERB_SWEEP, 1u << VERB_SWEEP, unit_name_is_valid, "UNIT",
          "unit of the pod" },
        { "engine", OPTION_TEXT, FIELD(engine_name), 1u << VERB_SWEEP, 1u << VERB_SWEEP, is_engine_name,
          "NAME", "name of the engine that runs it" },
};

static void say(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(int priority, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        say_with("unitproof-netns", priority, format, ap);
        va_end(ap);
}

/* The first process of the pod, found without asking the engine: systemd knows the unit's main process.
 * -ESRCH: the pod does not run. */
static int pod_process(const NetnsRequest *request, pid_t *ret) {
        CLEANUP(handle_bus) sd_bus *bus = NULL;
        const EngineRow *engine = engine_find(request->engine_name);
        ServiceState state;
        int r;

        r = bus_open(&bus);
        if (r >= 0)
                r = bus_service_state(bus, request->unit, &state);
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

static int report_say(const NetnsRequest *request, const SweepReport *report) {
        unsigned n = report->n_rules + report->n_links;

        for (unsigned i = 0; i < n && i < SWEEP_LISTED_MAX; i++)
                say(LOG_NOTICE, "%s: removed what a killed tunnel has left: %s", request->unit,
                    report->removed[i]);
        if (n > SWEEP_LISTED_MAX)
                say(LOG_NOTICE, "%s: and %u more", request->unit, n - SWEEP_LISTED_MAX);
        if (report->n_held > 0)
                say(LOG_NOTICE, "%s: kept %u tunnel link(s) that a process still holds, among them %s",
                    request->unit, report->n_held, report->held);
        if (report->n_left > 0)
                say(LOG_ERR,
                    "%s: %u routing rules or links could not be removed. Restart it: that makes a new "
                    "namespace.",
                    request->unit, report->n_left);
        return report->n_left > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int sweep(const NetnsRequest *request) {
        CLEANUP(handle_close) int fd = -1;
        SweepReport report = { .n_rules = 0 };
        pid_t pid;
        int r;

        r = pod_process(request, &pid);
        if (r >= 0)
                r = process_netns(pid, &fd);
        if (r == -ESRCH) {
                say(LOG_INFO, "%s does not run: nothing to sweep", request->unit);
                return EXIT_SUCCESS;
        }
        if (r >= 0)
                r = netns_is_foreign(fd);
        if (r == 0) {
                say(LOG_ERR,
                    "%s is in the host's network namespace, which is not swept. Give the tunnel a network of "
                    "its own: no network_mode: host.",
                    request->unit);
                return EXIT_FAILURE;
        }
        if (r >= 0)
                r = child_run(netns_sweep, &fd, sizeof(report), time_monotonic_usec() + 10 * USEC_PER_SEC,
                              &report);
        if (r < 0) {
                say(LOG_ERR, "cannot sweep the network namespace of %s: %s", request->unit, strerror(-r));
                return EXIT_FAILURE;
        }
        return report_say(request, &report);
}

int main(int argc, char **argv) {
        NetnsRequest request = { .unit = NULL };
        const OptionTable table = {
                .program = "unitproof-netns",
                .summary = "Looks after the network namespace of a pod.",
                .verbs = verbs,
                .n_verbs = _VERB_MAX,
                .rows = rows,
                .n_rows = ARRAY_LENGTH(rows),
        };
        int verb;

        verb = options_parse(&table, argc, argv, &request);
        if (verb == -ECANCELED)
                return EXIT_SUCCESS;
        return verb < 0 ? EXIT_STATUS_USAGE : sweep(&request);
}
