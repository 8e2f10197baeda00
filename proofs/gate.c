/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitproof-gate: see gate.h. */

#include "proofs/gate.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <syslog.h>

#include "generator/base/no-core.h"
#include "proofs/handles.h"
#include "proofs/say.h"

enum {
        VERB_START,
        VERB_STOPPED,
        VERB_RETURN,
        VERB_LEAKED,
        VERB_HALTED,
        VERB_BROKEN,
        VERB_CHANGED,
        VERB_MOUNTED,
        _VERB_MAX,
};

enum {
        S = 1u << VERB_START,
        P = 1u << VERB_STOPPED,
        R = 1u << VERB_RETURN,
        L = 1u << VERB_LEAKED,
        H = 1u << VERB_HALTED,
        C = 1u << VERB_CHANGED,
        M = 1u << VERB_MOUNTED,
};

static const OptionVerb verbs[_VERB_MAX] = {
        [VERB_START] = { "start", "Lets a service start if its proofs hold (ExecStartPre=)." },
        [VERB_STOPPED] = { "stopped", "Notes that a client was stopped by hand (ExecStopPost=)." },
        [VERB_RETURN] = { "return", "Starts a client until it runs, with growing pauses (ExecStart=)." },
        [VERB_LEAKED] = { "leaked", "Whether a leak was found that nobody was told of (ExecCondition=)." },
        [VERB_HALTED] = { "halted", "Stops the stack, tells why, and fails (ExecStart=)." },
        [VERB_BROKEN] = { "broken", "Copies its standard input to the journal, and fails (ExecStart=)." },
        [VERB_CHANGED] = { "changed",
                           "Tells that a file has changed, which does not count yet (ExecStart=)." },
        [VERB_MOUNTED] = { "mounted",
                           "Starts what was stopped since its data was not mounted (ExecStart=)." },
};

static int (*const runs[_VERB_MAX])(const GateRequest *) = {
        [VERB_START] = gate_start,     [VERB_STOPPED] = gate_stopped, [VERB_RETURN] = gate_return,
        [VERB_LEAKED] = gate_leaked,   [VERB_HALTED] = gate_halted,   [VERB_BROKEN] = gate_broken,
        [VERB_CHANGED] = gate_changed, [VERB_MOUNTED] = gate_mounted,
};

static bool is_requirement(const char *text) {
        GateRequirement requirement;

        return gate_requirement_parse(text, &requirement);
}

static bool is_unit_of(const char *text) {
        GateUnitOf unit;

        return gate_unit_of_parse(text, &unit);
}

#define FIELD(name) offsetof(GateRequest, name)

static const OptionRow rows[] = {
        { "stack", OPTION_TEXT, FIELD(stack), S | P | R | L | H | C | M, S | P | R | L | H | C | M,
          name_is_valid, "NAME", "stack that it belongs to" },
        { "subject", OPTION_TEXT, FIELD(subject), S | P | R | C, S | P | R, name_is_valid, "NAME",
          "the service" },
        { "require", OPTION_LIST, FIELD(require), S, S, is_requirement, "KIND:SUBJECT:UNIT",
          "proof that must have passed; may be repeated" },
        { "wait", OPTION_SECONDS, FIELD(wait_usec), S, 0, NULL, "SEC",
          "wait this long for a proof that is just running (10)" },
        { "unit", OPTION_TEXT, FIELD(unit), P | R | C, P | R, unit_name_is_valid, "UNIT",
          "unit of the service" },
        { "tunnel-unit", OPTION_TEXT, FIELD(tunnel_unit), P | R, R, unit_name_is_valid, "UNIT",
          "unit of its tunnel" },
        { "target", OPTION_TEXT, FIELD(target), P | R | M | H, M, unit_name_is_valid, "UNIT",
          "target of the stack" },
        { "mount-unit", OPTION_LIST, FIELD(stands_on), P | R, 0, unit_name_is_valid, "UNIT",
          "mount that the service stands on; may be repeated" },
        { "follows", OPTION_LIST, FIELD(stands_on), P | R, 0, unit_name_is_valid, "UNIT",
          "unit whose stop is also one of the service; may be repeated" },
        { "start", OPTION_LIST, FIELD(start), M, 0, is_unit_of, "SUBJECT:UNIT",
          "unit of a service that is to run; may be repeated" },
        { "return", OPTION_LIST, FIELD(bring_back), M, 0, is_unit_of, "SUBJECT:UNIT",
          "unit that brings a client back; may be repeated" },
        { "restart", OPTION_FLAG, FIELD(restart), C, 0, NULL, NULL, "restart the unit" },
        { "run-dir", OPTION_TEXT, FIELD(run_dir), S | P | R | L | H | M, 0, NULL, "DIR",
          "where records are kept (" RECORD_RUN_DIR ")" },
};

void gate_say(int priority, const char *format, ...) {
        va_list ap;

        va_start(ap, format);
        say_with("unitproof-gate", priority, format, ap);
        va_end(ap);
}

void gate_tell(const GateRequest *request, int priority, const char *message_id, const char *format, ...) {
        const SayField fields[] = {
                { "UNITPROOF_STACK", request->stack },
                { "UNITPROOF_SUBJECT", request->subject },
        };
        va_list ap;

        va_start(ap, format);
        say_entry("unitproof-gate", priority, message_id, fields, ARRAY_LENGTH(fields), format, ap);
        va_end(ap);
}

int gate_consumed_open(const GateRequest *request, int *ret_fd) {
        CLEANUP(handle_close) int dir_fd = -1;
        int fd, r;

        r = record_dir_create(request->run_dir, request->stack, &dir_fd);
        if (r < 0)
                return r;
        if (mkdirat(dir_fd, ".consumed", 0755) < 0 && errno != EEXIST)
                return -errno;
        fd = openat(dir_fd, ".consumed", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (fd < 0)
                return -errno;
        *ret_fd = fd;
        return 0;
}

int main(int argc, char **argv) {
        GateRequest request = { .run_dir = RECORD_RUN_DIR, .wait_usec = 10 * USEC_PER_SEC };
        const OptionTable table = {
                .program = "unitproof-gate",
                .summary = "Lets services start only with records of passed proofs.",
                .verbs = verbs,
                .n_verbs = _VERB_MAX,
                .rows = rows,
                .n_rows = ARRAY_LENGTH(rows),
        };
        int verb;

        process_leave_no_core();
        verb = options_parse(&table, argc, argv, &request);
        if (verb == -ECANCELED)
                return 0;
        if (verb < 0 || (request.restart && !request.unit))
                return EXIT_STATUS_USAGE;
        return runs[verb](&request);
}
