/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Kill-switch proof: with the tunnel's interface down, and with its server silent, nothing gets out of the
 * tunnel's network namespace. It is an outage, so it is made once for each activation of the tunnel and not
 * while clients run; what it has shown is taken again as long as nothing has changed. */

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>

#include "proofs/child.h"
#include "proofs/handles.h"
#include "proofs/killswitch.h"
#include "proofs/killswitch-earlier.h"
#include "proofs/netns.h"
#include "proofs/outage.h"
#include "proofs/probe-plan.h"
#include "proofs/proof.h"
#include "proofs/resolvers.h"
#include "proofs/workload.h"

#define KS_PAUSE (100 * USEC_PER_MSEC)
#define KS_CONTROL (15 * USEC_PER_SEC)

/* Too large for a stack frame, so it lives on the heap: one for the whole proof. */
typedef struct KillSwitch {
        const ProofRequest *request;
        ProofResult *result;
        ProbePlan plan;
        Address resolvers[RESOLVERS_MAX];
        size_t n_resolvers;
        char boot_id[ID128_TEXT_SIZE];
        int dir_fd, netns_fd, lock_fd;
        KsFiles files;
        KsRun run;
        KsScene scene;
        uint64_t deadline_usec, retry_until_usec;
} KillSwitch;

static void killswitch_free(KillSwitch **k) {
        if (!*k)
                return;
        handle_close(&(*k)->dir_fd);
        handle_close(&(*k)->netns_fd);
        handle_close(&(*k)->lock_fd);
        free(*k);
}

static void code_note(KillSwitch *k, const char *code) {
        proof_field(k->result, "CODE", code);
        proof_note(k->result, "killswitch", json_pack("{s:s}", "code", code));
}

static int unproven(KillSwitch *k, const char *code, const char *remedy, const char *format, ...)
        __attribute__((format(printf, 4, 5)));

static int unproven(KillSwitch *k, const char *code, const char *remedy, const char *format, ...) {
        CLEANUP(handle_free) char *text = NULL;
        va_list ap;

        va_start(ap, format);
        if (vasprintf(&text, format, ap) < 0)
                text = NULL;
        va_end(ap);
        code_note(k, code);
        return proof_conclude(k->result, VERDICT_UNPROVEN, remedy, "%s", text ?: code);
}

/* A client that runs now. Whether it has processes is what counts: its unit may be on its way. */
static bool client_find_running(const KillSwitch *k, char ret[256]) {
        for (const char *p = k->request->client_units; p && *p;) {
                CLEANUP(workload_done) Workload workload = WORKLOAD_NONE;
                const char *end = strchrnul(p, ',');

                (void) snprintf(ret, 256, "%.*s", (int) (end - p), p);
                if (workload_read(k->request->engine, ret, &workload) >= 0)
                        return true;
                p = *end ? end + 1 : end;
        }
        return false;
}

static int resolvers_take(KillSwitch *k, const Workload *workload) {
        for (size_t i = 0; i < workload->pids.n; i++) {
                CLEANUP(process_done) Process process = PROCESS_NONE;
                int r;

                r = process_open(workload->pids.pids[i], workload->unit.cgroup, &process);
                if (r >= 0)
                        r = resolvers_read(&process, k->resolvers, &k->n_resolvers);
                if (r == -ESRCH || r == -EXDEV)
                        continue;
                return r;
        }
        return 0;
}

static void users_take(const ProofRequest *request, KsOrder *order) {
        for (size_t i = 0; i < request->client_users.n && order->n_users < KS_USERS_MAX; i++) {
                uint32_t user = (uint32_t) strtoul(request->client_users.items[i], NULL, 10);
                bool known = user == 0 || user == KS_USER_NOBODY;

                for (size_t n = 0; n < order->n_users; n++)
                        known |= order->users[n] == user;
                if (!known)
                        order->users[order->n_users++] = user;
        }
}

static KsOrder order_of(const KillSwitch *k) {
        uint64_t control = k->request->timeout_usec / 4;
        KsOrder order = {
                .netns_fd = k->netns_fd,
                .dir_fd = k->dir_fd,
                .files = k->files,
                .interface = k->request->interface,
                .owner = { k->boot_id, k->result->invocation_id, k->result->netns_cookie },
                .unprivileged = k->request->unprivileged_clients,
                .probes = k->plan.probes,
                .n_probes = k->plan.n_probes,
                .resolvers = k->resolvers,
                .n_resolvers = k->n_resolvers,
                .probe_timeout_usec = k->request->probe_timeout_usec,
                .control_usec = control < KS_CONTROL ? control : KS_CONTROL,
        };

        users_take(k->request, &order);
        return order;
}

/* 1: an earlier run still holds. 0: it does not, and *ret_why says why. */
static int earlier_holds(KillSwitch *k, const char **ret_why) {
        const KsOrder order = order_of(k);
        char when[32] = "";
        KsEarlier earlier;
        time_t seconds;
        struct tm tm;
        int r;

        *ret_why = "there was none";
        r = ks_earlier_read(k->dir_fd, k->request->subject, &earlier);
        if (r < 0)
                return 0;
        *ret_why = ks_earlier_differs(&earlier, &order.owner, k->scene.digest);
        if (*ret_why)
                return 0;
        seconds = (time_t) (earlier.realtime_usec / USEC_PER_SEC);
        if (gmtime_r(&seconds, &tm))
                (void) strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &tm);
        proof_field(k->result, "CODE", "reused");
        proof_field(k->result, "REUSED", earlier.run);
        proof_note(k->result, "killswitch",
                   json_pack("{s:s, s:s, s:s}", "code", "reused", "reused", earlier.run, "digest",
                             earlier.digest));
        (void) proof_conclude(
                k->result, VERDICT_PASSED, "",
                "shown at %s for this start of the tunnel, and links, routes and rules are still "
                "the same",
                when);
        return 1;
}

/* A child that was killed has left things closed. */
static int give_back(KillSwitch *k) {
        const KsOrder order = order_of(k);
        KsRestoreOrder restore = { k->netns_fd, k->dir_fd, &k->files, order.owner };
        KsRestoreReport report = { .left = 0 };
        int r;

        r = child_run(ks_restore_work, &restore, sizeof(report), time_monotonic_usec() + 10 * USEC_PER_SEC,
                      &report);
        return r < 0 ? r : report.report.n_missing > 0 ? -EIO : 0;
}

static int run_again(KillSwitch *k) {
        KsOrder order = order_of(k);
        KsCase c = {
                .run = &k->run,
                .unit = k->request->unit,
                .unprivileged = k->request->unprivileged_clients,
                .guarded = k->request->guarded,
        };
        KsFinding finding;
        int r;

        ks_earlier_forget(k->dir_fd, k->request->subject);
        r = child_run(ks_run, &order, sizeof(k->run), k->deadline_usec, &k->run);
        if (r < 0) {
                int back = give_back(k);

                return unproven(k, "not-finished",
                                back < 0 ? "Restart the tunnel's unit: that makes its interface anew."
                                         : "See the journal of this unit.",
                                "the proof was cut off (%s)%s", strerror(-r),
                                back < 0 ? ", and the tunnel stays closed" : "");
        }
        ks_judge(&c, &finding);
        proof_note(k->result, "killswitch", ks_evidence(&c, &finding));
        proof_field(k->result, "CODE", finding.code);
        if (finding.leak)
                return proof_conclude_leak(k->result, finding.remedy, "%s", finding.reason);
        return proof_conclude(k->result, finding.verdict, finding.remedy, "%s", finding.reason);
}

/* What later starts may rely on. */
static int earlier_keep(KillSwitch *k) {
        KsEarlier earlier = {
                .cookie = k->result->netns_cookie,
                .realtime_usec = time_realtime_usec(),
        };
        int r = id128_random(earlier.run);

        if (r < 0)
                return r;
        memcpy(earlier.boot_id, k->boot_id, sizeof(earlier.boot_id));
        memcpy(earlier.invocation_id, k->result->invocation_id, sizeof(earlier.invocation_id));
        memcpy(earlier.digest, k->run.scene.digest, sizeof(earlier.digest));
        proof_note(k->result, "run", json_string(earlier.run));
        return ks_earlier_write(k->dir_fd, k->request->subject, &earlier);
}

static int conclude_unit(KillSwitch *k, int error) {
        int r = workload_conclude(k->result, k->request->unit, error);

        if (r >= 0)
                code_note(k, "unit");
        return r;
}

/* 1: there is nothing more to do. 0: an outage is to be made, for which *ret_running is interrupted, or "".
 */
static int look_first(KillSwitch *k, char ret_running[256]) {
        const KsOrder order = order_of(k);
        const char *why;
        int r;

        r = child_run(ks_look, (void *) &order, sizeof(k->scene), time_monotonic_usec() + 5 * USEC_PER_SEC,
                      &k->scene);
        if (r < 0)
                return r;
        if (!client_find_running(k, ret_running))
                ret_running[0] = '\0';
        if (k->request->disrupt)
                return 0;
        if (earlier_holds(k, &why) == 1)
                return 1;
        if (ret_running[0] == '\0')
                return 0;
        (void) unproven(k, "clients-run",
                        "Run: unitproof drill killswitch STACK (it interrupts the clients for about a "
                        "second).",
                        "%s runs, and the proof is an outage for it; an earlier one does not hold: %s",
                        ret_running, why);
        return 1;
}

/* One outage at a time, also when a drill and a start meet, and none while somebody measures. What was seen
 * before may have been somebody else's outage, so that it is looked at again. */
static int look_alone(KillSwitch *k, char ret_running[256]) {
        int r;

        r = k->lock_fd < 0 && !k->request->disrupt ? look_first(k, ret_running) : 0;
        if (r == 0 && k->lock_fd < 0)
                r = outage_lock(k->dir_fd, k->request->subject, OUTAGE_MAKE, k->retry_until_usec,
                                &k->lock_fd);
        return r != 0 ? r : look_first(k, ret_running);
}

static int prove(KillSwitch *k, const Workload *workload) {
        char client[256] = "";
        int r;

        r = look_alone(k, client);
        if (r != 0)
                return r < 0 ? r : 0;
        if (!probe_plan_sources(&k->plan, k->request, k->result)) {
                code_note(k, "no-source");
                return 0;
        }
        r = probe_plan_resolve(&k->plan, k->request->probe_timeout_usec);
        if (r >= 0)
                r = resolvers_take(k, workload);
        if (r >= 0)
                r = run_again(k);
        if (r < 0)
                return r;
        if (client[0])
                proof_note(k->result, "interrupted", json_string(client));
        r = workload_recheck(workload, k->request->engine, k->netns_fd);
        if (r < 0)
                return k->result->leak ? 0 : conclude_unit(k, r);
        return k->result->verdict == VERDICT_PASSED ? earlier_keep(k) : 0;
}

static int look_inside(KillSwitch *k, const Workload *workload) {
        CLEANUP(handle_close) int host_fd = -1;
        int r;

        r = netns_open_host(&host_fd);
        if (r >= 0)
                r = namespace_is_same(k->netns_fd, host_fd);
        if (r < 0)
                return r;
        if (r == 1)
                return proof_conclude_leak(k->result,
                                           "Give the tunnel a network of its own: no network_mode: host.",
                                           "%s runs in the host's own network namespace", k->request->unit);
        r = netns_cookie(k->netns_fd, &k->result->netns_cookie);
        return r < 0 ? r : prove(k, workload);
}

static int attempt(KillSwitch *k) {
        CLEANUP(workload_done) Workload workload = WORKLOAD_NONE;
        int r;

        handle_close(&k->netns_fd);
        r = workload_read(k->request->engine, k->request->unit, &workload);
        if (r >= 0)
                r = workload_netns(&workload, &k->netns_fd);
        if (r < 0)
                return conclude_unit(k, r);
        memcpy(k->result->invocation_id, workload.unit.invocation_id, sizeof(k->result->invocation_id));
        return look_inside(k, &workload);
}

/* Only what was over before anything was taken away is tried again. */
static bool worth_again(const KillSwitch *k) {
        return k->result->verdict == VERDICT_UNPROVEN && k->run.trouble == KS_NO_TUNNEL_LINK &&
               k->run.step == KS_STEP_SCENE && time_left_msec(k->retry_until_usec) > 0;
}

int proof_killswitch(const ProofRequest *request, ProofResult *result) {
        CLEANUP(killswitch_free) KillSwitch *k = calloc(1, sizeof(*k));
        int r;

        if (!k)
                return -ENOMEM;
        k->request = request;
        k->result = result;
        k->dir_fd = k->netns_fd = k->lock_fd = -1;
        k->deadline_usec = time_monotonic_usec() + request->timeout_usec;
        k->retry_until_usec = time_monotonic_usec() + request->timeout_usec / 3;
        ks_files_name(request->subject, &k->files);
        r = id128_boot(k->boot_id);
        if (r >= 0)
                r = record_dir_create(request->run_dir, request->stack, &k->dir_fd);
        if (r < 0)
                return r;
        for (;;) {
                k->run = (KsRun){ .step = KS_STEP_SCENE };
                r = attempt(k);
                if (r < 0 || !worth_again(k))
                        break;
                time_sleep_usec(KS_PAUSE);
        }
        return r;
}
