/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>
#include <systemd/sd-login.h>

#include "engines/payload.h"
#include "proofs/gate.h"
#include "proofs/handles.h"
#include "proofs/message-ids.h"
#include "proofs/netns.h"
#include "proofs/process.h"
#include "proofs/unit.h"

#define GATE_PAUSE (50 * USEC_PER_MSEC)

typedef struct Gate {
        const GateRequest *request;
        const char *own_invocation;
        char boot_id[ID128_TEXT_SIZE];
        uint64_t rested_usec;
        int dir_fd;
} Gate;

/* When the service that wants to start came to its last end. Outside of a unit there is no such time. */
static int own_rest_read(uint64_t *ret_usec) {
        CLEANUP(handle_free) char *unit = NULL;
        CLEANUP(handle_bus) sd_bus *bus = NULL;
        int r;

        *ret_usec = 0;
        if (sd_pid_get_unit(0, &unit) < 0)
                return 0;
        r = bus_open(&bus);
        return r < 0 ? r : bus_unit_rested(bus, unit, ret_usec);
}

/* "SUBJECT.KIND-PROOFSUBJECT": which record this service used last, and in which activation. */
static char *consumed_name(const Gate *gate, const GateRequirement *what) {
        return text_format("%s.%s-%s", gate->request->subject, what->kind, what->subject);
}

/* The invocation that used this very record, or "". */
static void consumed_read(const Gate *gate, const GateRequirement *what, const char *record_id,
                          char ret[ID128_TEXT_SIZE]) {
        CLEANUP(handle_free) char *name = consumed_name(gate, what), *path = NULL, *text = NULL;
        char id[ID128_TEXT_SIZE], invocation[ID128_TEXT_SIZE];

        ret[0] = '\0';
        path = name ? text_format(".consumed/%s", name) : NULL;
        if (!path || file_read_at(gate->dir_fd, path, GATE_NOTE_MAX, &text, NULL) < 0)
                return;
        if (sscanf(text, "%32s %32s", id, invocation) == 2 && strcmp(id, record_id) == 0 &&
            id128_is_valid(invocation))
                memcpy(ret, invocation, ID128_TEXT_SIZE);
}

static int consumed_write(const Gate *gate, const GateRequirement *what, const char *record_id) {
        CLEANUP(handle_close) int fd = -1;
        CLEANUP(handle_free) char *name = consumed_name(gate, what), *text = NULL;
        int r;

        text = text_format("%s %s\n", record_id, gate->own_invocation);
        if (!name || !text)
                return -ENOMEM;
        r = gate_consumed_open(gate->request, &fd);
        return r < 0 ? r : file_replace_at(fd, name, text, strlen(text));
}

/* The cookie of the network namespace that the unit's service is in now. */
static int unit_cookie(const char *unit, const char *engine_name, uint64_t *ret) {
        CLEANUP(payload_done) PidSet pids = { .n = 0 };
        CLEANUP(process_done) Process process = PROCESS_NONE;
        CLEANUP(handle_free) char *cgroup = NULL;
        CLEANUP(handle_close) int fd = -1;
        const EngineRow *engine = engine_find(engine_name);
        int r;

        if (!engine)
                return -ENOENT;
        r = unit_cgroup(unit, &cgroup);
        if (r >= 0)
                r = payload_list(engine, cgroup, &pids);
        if (r >= 0)
                r = pids.n > 0 ? process_open(pids.pids[0], cgroup, &process) : -ESRCH;
        if (r >= 0)
                r = process_namespace(&process, "net", &fd);
        return r < 0 ? r : netns_cookie(fd, ret);
}

static bool requirement_judge(const Gate *gate, const GateRequirement *what, GateDecision *ret,
                              char ret_id[ID128_TEXT_SIZE]) {
        CLEANUP(record_done) Record record = { .verdict = VERDICT_UNPROVEN };
        char invocation[ID128_TEXT_SIZE] = "", consumer[ID128_TEXT_SIZE] = "";
        GateView view = {
                .record = &record,
                .boot_id = gate->boot_id,
                .unit = what->unit,
                .invocation_id = invocation,
                .consumer = consumer,
                .own_invocation = gate->own_invocation,
                .rested_usec = gate->rested_usec,
        };

        view.fault = record_read(gate->dir_fd, /* owner= */ 0, gate->request->stack, what->kind,
                                 what->subject, &record);
        if (view.fault == RECORD_FAULT_NONE) {
                consumed_read(gate, what, record.id, consumer);
                memcpy(ret_id, record.id, ID128_TEXT_SIZE);
                if (what->unit[0] != '\0')
                        (void) unit_invocation(what->unit, invocation);
                /* Only if it can still matter: going there costs a child. */
                if (what->unit[0] != '\0' && record.netns_cookie != 0 && record.verdict == VERDICT_PASSED)
                        (void) unit_cookie(what->unit, record.engine, &view.netns_cookie);
                view.now_usec = time_monotonic_usec();
        }
        *ret = gate_decide(&view);
        if (ret->verdict != VERDICT_PASSED && !record.pending)
                gate_tell(gate->request, ret->verdict == VERDICT_FAILED ? LOG_ERR : LOG_WARNING,
                          MESSAGE_ID_SERVICE_HELD,
                          "%s may not start: the record of proof %s of %s %s%s%s. %s", gate->request->subject,
                          what->kind, what->subject, ret->why, record.reason ? ": " : "", record.reason ?: "",
                          ret->next);
        return record.pending;
}

/* Nothing is waited for: After= has done that. */
static Verdict unit_pass(const Gate *gate, const GateRequirement *what) {
        ServiceState state = { .loaded = false };
        GateDecision decision;
        int r;

        r = gate_unit_read(what->unit, &state);
        if (r < 0) {
                gate_tell(gate->request, LOG_WARNING, MESSAGE_ID_SERVICE_HELD,
                          "%s may not start: systemd does not tell the state of %s (%s): %s. See: systemctl "
                          "status %s",
                          gate->request->subject, what->subject, what->unit, strerror(-r), what->unit);
                return VERDICT_UNPROVEN;
        }
        decision = gate_unit_decide(what->kind, &state, gate->rested_usec);
        if (decision.verdict != VERDICT_PASSED)
                gate_tell(gate->request, decision.verdict == VERDICT_FAILED ? LOG_ERR : LOG_WARNING,
                          MESSAGE_ID_SERVICE_HELD, "%s may not start: %s (%s) %s (%s, %s). %s%s",
                          gate->request->subject, what->subject, what->unit, decision.why,
                          state.active[0] ? state.active : "not loaded",
                          state.result[0] ? state.result : "no result", decision.next, what->unit);
        return decision.verdict;
}

/* A shared proof may be running again for somebody else: its result is near, so it is waited for. */
static Verdict record_pass(const Gate *gate, const GateRequirement *what, char ret_id[ID128_TEXT_SIZE]) {
        uint64_t deadline = time_monotonic_usec() + gate->request->wait_usec;
        GateDecision decision;

        while (requirement_judge(gate, what, &decision, ret_id)) {
                if (time_left_msec(deadline) == 0) {
                        gate_tell(gate->request, LOG_WARNING, MESSAGE_ID_SERVICE_HELD,
                                  "%s may not start: the record of proof %s of %s %s. %s",
                                  gate->request->subject, what->kind, what->subject, decision.why,
                                  decision.next);
                        break;
                }
                time_sleep_usec(GATE_PAUSE);
        }
        return decision.verdict;
}

/* needs_records: without any there may be no directory yet. */
static int gate_open(const GateRequest *request, bool needs_records, Gate *ret) {
        const char *invocation = getenv("INVOCATION_ID");
        Gate gate = { .request = request, .own_invocation = "", .dir_fd = -1 };
        RecordFault fault;
        int r;

        if (invocation && id128_is_valid(invocation))
                gate.own_invocation = invocation;
        if (id128_boot(gate.boot_id) < 0) {
                gate_tell(request, LOG_ERR, MESSAGE_ID_SERVICE_HELD,
                          "%s may not start: the boot ID cannot be read", request->subject);
                return -EIO;
        }
        r = own_rest_read(&gate.rested_usec);
        if (r < 0) {
                gate_tell(request, LOG_ERR, MESSAGE_ID_SERVICE_HELD,
                          "%s may not start: systemd does not say when it ended last: %s", request->subject,
                          strerror(-r));
                return r;
        }
        fault = record_dir_open(request->run_dir, request->stack, /* owner= */ 0, &gate.dir_fd);
        if (fault != RECORD_FAULT_NONE && (needs_records || fault != RECORD_FAULT_MISSING)) {
                gate_tell(request, LOG_WARNING, MESSAGE_ID_SERVICE_HELD,
                          "%s may not start: the directory of records %s/%s %s. See why no proof unit "
                          "ran: are they masked, or missing?",
                          request->subject, request->run_dir, request->stack, record_fault_text(fault));
                return -ENOENT;
        }
        *ret = gate;
        return 0;
}

int gate_start(const GateRequest *request) {
        GateRequirement what[OPTION_LIST_MAX];
        char ids[OPTION_LIST_MAX][ID128_TEXT_SIZE];
        Verdict verdict = VERDICT_PASSED;
        bool needs_records = false;
        Gate gate;
        int r = 0;

        for (size_t i = 0; i < request->require.n; i++) {
                if (!gate_requirement_parse(request->require.items[i], &what[i]))
                        return EXIT_STATUS_USAGE;
                needs_records |= !gate_kind_is_unit(what[i].kind);
        }
        if (gate_open(request, needs_records, &gate) < 0)
                return verdict_exit_status(VERDICT_UNPROVEN);
        gate_held_lift(request);
        for (size_t i = 0; i < request->require.n; i++)
                verdict = verdict_weaker(verdict, gate_kind_is_unit(what[i].kind)
                                                          ? unit_pass(&gate, &what[i])
                                                          : record_pass(&gate, &what[i], ids[i]));
        /* Used up only by a start that really happens, and before it does. */
        for (size_t i = 0; i < request->require.n && verdict == VERDICT_PASSED && r >= 0; i++)
                if (!gate_kind_is_unit(what[i].kind))
                        r = consumed_write(&gate, &what[i], ids[i]);
        if (r < 0) {
                gate_tell(request, LOG_ERR, MESSAGE_ID_SERVICE_HELD,
                          "%s may not start: cannot note that the proofs are used: %s", request->subject,
                          strerror(-r));
                verdict = VERDICT_UNPROVEN;
        }
        handle_close(&gate.dir_fd);
        return verdict_exit_status(verdict);
}
