/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitproof-netns: looks after the network namespace of a pod, while no service is in it. */

#include <errno.h>
#include <string.h>
#include <syslog.h>

#include "engines/engine.h"
#include "generator/base/unit-name.h"
#include "proofs/child.h"
#include "proofs/guard.h"
#include "proofs/guard-load.h"
#include "proofs/handles.h"
#include "proofs/killswitch-restore.h"
#include "proofs/netns.h"
#include "proofs/netns-pod.h"
#include "proofs/netns-sweep.h"
#include "proofs/options.h"
#include "proofs/outage.h"
#include "proofs/record.h"
#include "proofs/say.h"
#include "proofs/unit.h"
#include "proofs/util.h"
#include "proofs/verdict.h"

typedef struct NetnsRequest {
        const char *unit, *engine_name, *tunnel_unit, *run_dir, *stack, *subject;
        OptionList interfaces, allow;
} NetnsRequest;

enum {
        VERB_SWEEP,
        VERB_GUARD,
        VERB_GUARDED,
        VERB_RESTORE,
        _VERB_MAX,
};

enum {
        OF_ALL = (1u << _VERB_MAX) - 1,
        OF_GUARD = 1u << VERB_GUARD,
        OF_RESTORE = 1u << VERB_RESTORE,
        OF_RULE = OF_GUARD | 1u << VERB_GUARDED,
};

static const OptionVerb verbs[_VERB_MAX] = {
        [VERB_SWEEP] = { "sweep", "Removes routing rules and tunnel links that a killed tunnel has left." },
        [VERB_GUARD] = { "guard", "Loads the kill rule: only the tunnel itself may send beside the tunnel." },
        [VERB_GUARDED] = { "guarded", "Says whether the kill rule is there as it was loaded." },
        [VERB_RESTORE] = { "restore", "Gives back what a kill-switch proof that was killed took away." },
};

#define RESTORE_WAIT_USEC (10 * USEC_PER_SEC)

static bool is_engine_name(const char *text) {
        return engine_find(text) != NULL;
}

static bool is_interface_name(const char *text) {
        return guard_name_is_valid(text) && strlen(text) < IF_NAMESIZE;
}

#define FIELD(name) offsetof(NetnsRequest, name)

static const OptionRow rows[] = {
        { "unit", OPTION_TEXT, FIELD(unit), OF_ALL, OF_ALL, unit_name_is_valid, "UNIT", "unit of the pod" },
        { "engine", OPTION_TEXT, FIELD(engine_name), OF_ALL, OF_ALL, is_engine_name, "NAME",
          "name of the engine that runs it" },
        { "stack", OPTION_TEXT, FIELD(stack), OF_RESTORE, OF_RESTORE, name_is_valid, "NAME",
          "stack of the tunnel" },
        { "subject", OPTION_TEXT, FIELD(subject), OF_RESTORE, OF_RESTORE, name_is_valid, "NAME",
          "service that is the tunnel" },
        { "tunnel-unit", OPTION_TEXT, FIELD(tunnel_unit), OF_RULE | OF_RESTORE, OF_RULE | OF_RESTORE,
          unit_name_is_valid, "UNIT", "unit of the tunnel" },
        { "interface", OPTION_FEW, FIELD(interfaces), OF_GUARD, 0, is_interface_name, "NAME",
          "the tunnel's link, if its kind does not tell" },
        { "allow", OPTION_LIST, FIELD(allow), OF_GUARD, 0, subnet_text_is_private, "SUBNET",
          "private addresses that clients may reach beside the tunnel" },
        { "run-dir", OPTION_TEXT, FIELD(run_dir), OF_RULE | OF_RESTORE, 0, NULL, "DIRECTORY",
          "where it is kept what was loaded (/run/unitproof)" },
};

static void say(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(int priority, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        say_with("unitproof-netns", priority, format, ap);
        va_end(ap);
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
        int r;

        r = pod_netns(request->unit, request->engine_name, &fd);
        if (r == -ESRCH) {
                say(LOG_INFO, "%s does not run: nothing to sweep", request->unit);
                return EXIT_SUCCESS;
        }
        if (r == -EXDEV) {
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

/* "system.slice/x.service": nft looks for control groups below /sys/fs/cgroup. */
static int tunnel_cgroup(const char *unit, char **ret) {
        static const char root[] = "/sys/fs/cgroup/";
        CLEANUP(handle_free) char *path = NULL;
        char *relative;
        int r;

        r = unit_cgroup(unit, &path);
        if (r < 0)
                return r;
        if (strncmp(path, root, sizeof(root) - 1) != 0)
                return -EOPNOTSUPP;
        relative = strdup(path + sizeof(root) - 1);
        if (!relative)
                return -ENOMEM;
        *ret = relative;
        return 0;
}

static int guard_say(const NetnsRequest *request, const GuardReport *report, size_t n_allow) {
        if (report->error[0]) {
                say(LOG_ERR,
                    "%s does not start: the kill rule cannot be loaded: %s. It needs Linux 5.16 or newer "
                    "with "
                    "NETFILTER_EGRESS, NFT_SOCKET, NFT_FIB_INET and NF_CONNTRACK_LABELS; to do without: "
                    "x-unitproof: {guard: off}.",
                    request->tunnel_unit, report->error);
                return EXIT_FAILURE;
        }
        if (report->public_subnet[0])
                say(LOG_NOTICE, "%s: %s, which is public: clients do not reach their neighbours there",
                    request->tunnel_unit, report->public_subnet);
        say(LOG_INFO, "%s: kill rule loaded (%u links, %u subnets of neighbours, %zu exceptions)",
            request->tunnel_unit, report->n_uplinks, report->n_near, n_allow);
        return EXIT_SUCCESS;
}

_Static_assert((int) OPTION_LIST_MAX <= (int) GUARD_SUBNETS_MAX &&
                       (int) OPTION_FEW_MAX <= (int) GUARD_NAMES_MAX,
               "options fit");

static int guard(const NetnsRequest *request) {
        CLEANUP(handle_free) char *cgroup = NULL;
        CLEANUP(handle_close) int fd = -1;
        GuardReport report = { .error = "" };
        SubnetList allow = { .n = 0 };
        GuardOrder order = {
                .run_dir = request->run_dir,
                .tunnel_unit = request->tunnel_unit,
                .interfaces = request->interfaces.items,
                .n_interfaces = request->interfaces.n,
                .allow = &allow,
        };
        int r;

        for (size_t i = 0; i < request->allow.n; i++)
                (void) subnet_parse(request->allow.items[i], &allow.items[allow.n++]);
        r = pod_netns(request->unit, request->engine_name, &fd);
        if (r >= 0)
                r = tunnel_cgroup(request->tunnel_unit, &cgroup);
        if (r >= 0) {
                order.netns_fd = fd;
                order.cgroup = cgroup;
                r = child_run(guard_load, &order, sizeof(report), time_monotonic_usec() + 20 * USEC_PER_SEC,
                              &report);
        }
        if (r < 0) {
                say(LOG_ERR,
                    "%s does not start: cannot load the kill rule in the network namespace of %s: %s",
                    request->tunnel_unit, request->unit,
                    r == -ESRCH   ? "it does not run"
                    : r == -EXDEV ? "it is the host's own"
                                  : strerror(-r));
                return EXIT_FAILURE;
        }
        return guard_say(request, &report, allow.n);
}

static int guarded(const NetnsRequest *request) {
        CLEANUP(handle_close) int fd = -1;
        GuardState state = GUARD_GONE;
        int r;

        r = pod_netns(request->unit, request->engine_name, &fd);
        if (r >= 0)
                r = guard_check(fd, request->run_dir, request->tunnel_unit, &state);
        if (r < 0) {
                say(LOG_ERR, "cannot tell whether the kill rule is there in the network namespace of %s: %s",
                    request->unit, r == -ESRCH ? "it does not run" : strerror(-r));
                return verdict_exit_status(VERDICT_UNPROVEN);
        }
        if (state == GUARD_THERE)
                return EXIT_SUCCESS;
        say(LOG_ERR, "%s: the kill rule %s. Load it anew: systemctl restart %s", request->unit,
            guard_state_text(state), request->tunnel_unit);
        return EXIT_FAILURE;
}

static int restore_say(const NetnsRequest *request, const KeptReport *report) {
        if (report->n_missing > 0) {
                say(LOG_ERR,
                    "%s stays closed: what a kill-switch proof took away cannot be given back (%u missing, "
                    "among them %s). Restart it: systemctl restart %s",
                    request->tunnel_unit, report->n_missing, report->missing, request->tunnel_unit);
                return EXIT_FAILURE;
        }
        say(LOG_NOTICE, "%s: a kill-switch proof did not come to its end; %s", request->tunnel_unit,
            report->gone         ? "the link that it set down has gone since"
            : report->n_back > 0 ? "its link is up again, with all addresses and routes"
            : report->unblocked  ? "its server can be reached again"
                                 : "the tunnel was started anew since");
        return EXIT_SUCCESS;
}

/* Mostly nothing is, and this is asked after each run of the proof. */
static bool is_kept(const NetnsRequest *request, const char *name) {
        CLEANUP(handle_free) char *path = text_format("%s/%s/%s", request->run_dir, request->stack, name);

        return !path || access(path, F_OK) == 0 || errno != ENOENT;
}

/* A pod that does not run has nothing that could be given back. */
static int restore(const NetnsRequest *request) {
        CLEANUP(handle_close) int fd = -1, dir_fd = -1, lock_fd = -1;
        char boot_id[ID128_TEXT_SIZE], invocation_id[ID128_TEXT_SIZE] = "";
        KsRestoreReport report = { .left = 0 };
        uint64_t cookie = 0;
        KsFiles files;
        int r;

        ks_files_name(request->subject, &files);
        if (!is_kept(request, files.keep) && !is_kept(request, files.block))
                return EXIT_SUCCESS;
        r = pod_netns(request->unit, request->engine_name, &fd);
        if (r == -ESRCH || r == -EXDEV)
                return EXIT_SUCCESS;
        if (r >= 0)
                r = record_dir_create(request->run_dir, request->stack, &dir_fd);
        /* A process of the killed proof may still be taking something away: what it does in the kernel comes
         * to its end before its lock goes. Others who only measure are not waited for. */
        if (r >= 0)
                r = outage_lock(dir_fd, request->subject, OUTAGE_MEASURE,
                                time_monotonic_usec() + RESTORE_WAIT_USEC, &lock_fd);
        if (r == -EBUSY) {
                say(LOG_NOTICE,
                    "%s: another kill-switch proof is at work, and gives back what was taken away",
                    request->tunnel_unit);
                return EXIT_SUCCESS;
        }
        if (r >= 0)
                r = id128_boot(boot_id);
        if (r >= 0)
                r = netns_cookie(fd, &cookie);
        if (r >= 0 && unit_invocation(request->tunnel_unit, invocation_id) < 0)
                invocation_id[0] = '\0'; /* it has ended: whatever was kept is void */
        if (r >= 0) {
                KsRestoreOrder order = { fd, dir_fd, &files, { boot_id, invocation_id, cookie } };

                r = child_run(ks_restore_work, &order, sizeof(report),
                              time_monotonic_usec() + 10 * USEC_PER_SEC, &report);
        }
        if (r < 0) {
                say(LOG_ERR, "%s may stay closed: cannot give back what a kill-switch proof took away: %s",
                    request->tunnel_unit, strerror(-r));
                return EXIT_FAILURE;
        }
        return report.left > 0 ? restore_say(request, &report.report) : EXIT_SUCCESS;
}

int main(int argc, char **argv) {
        static int (*const run[_VERB_MAX])(const NetnsRequest *request) = {
                [VERB_SWEEP] = sweep,
                [VERB_GUARD] = guard,
                [VERB_GUARDED] = guarded,
                [VERB_RESTORE] = restore,
        };
        NetnsRequest request = { .run_dir = "/run/unitproof" };
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
        return verb < 0 ? EXIT_STATUS_USAGE : run[verb](&request);
}
