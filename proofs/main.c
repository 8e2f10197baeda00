/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* unitproof-prove and unitproof-probe: bring one proof and end with its verdict as exit status. */

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "generator/base/no-core.h"
#include "generator/base/powers.h"
#include "proofs/bound.h"
#include "proofs/proof.h"

enum {
        E = 1u << PROOF_ENGINE,
        H = 1u << PROOF_HEALTH,
        G = 1u << PROOF_EGRESS,
        K = 1u << PROOF_KILLSWITCH,
        B = 1u << PROOF_BINDING,
        D = 1u << PROOF_DNS,
        L = 1u << PROOF_HARDLINK,
        O = 1u << PROOF_BOUND, /* asked for by a runtime: what it is about stands on its standard input */
        ALL = E | H | G | K | B | D | L,
        RUNNING = G | B | D | L, /* those that can be repeated while the service runs and do not disturb it */
};

static bool is_absolute_path(const char *text) {
        return text[0] == '/';
}

static bool is_interface_name(const char *text) {
        return strlen(text) < 16 && !strpbrk(text, "/ \t\n:");
}

static bool is_user_id(const char *text) {
        size_t n = strspn(text, "0123456789");

        return n > 0 && n < 10 && text[n] == '\0';
}

static bool is_engine_name(const char *text) {
        return engine_find(text) != NULL;
}

static bool is_power(const char *text) {
        return power_is_all(text) || power_find(text);
}

#define FIELD(name) offsetof(ProofRequest, name)

static const OptionRow rows[] = {
        { "stack", OPTION_TEXT, FIELD(stack), ALL, ALL, name_is_valid, "NAME", "stack that it belongs to" },
        { "subject", OPTION_TEXT, FIELD(subject), ALL, H | G | K | B | D | L, name_is_valid, "NAME",
          "service that the proof is for (engine: the engine's name)" },
        { "unit", OPTION_TEXT, FIELD(unit), H | G | K | B | D | L, H | G | K | B | D | L, unit_name_is_valid,
          "UNIT", "unit that is looked at" },
        { "engine", OPTION_TEXT, FIELD(engine_name), ALL, ALL, is_engine_name, "NAME",
          "name of the engine that runs the units" },
        { "container", OPTION_TEXT, FIELD(container), H, H, NULL, "NAME", "name of the container" },
        { "timeout", OPTION_SECONDS, FIELD(timeout_usec), E | H | K | G, 0, NULL, "SEC",
          "give up after this time (engine 30, health 300, killswitch 60; egress 75: waiting for the "
          "kill-switch "
          "proof)" },
        { "max-age", OPTION_SECONDS, FIELD(max_age_usec), H, 0, NULL, "SEC",
          "run the check once more if the last one ended longer ago" },
        { "echo", OPTION_FEW, FIELD(echo), G | K, 0, NULL, "URL",
          "HTTP(S) server that answers with the caller's address; may be repeated" },
        { "stun", OPTION_FEW, FIELD(stun), G | K, 0, NULL, "HOST:PORT", "STUN server; may be repeated" },
        { "after-killswitch", OPTION_TEXT, FIELD(after_killswitch), G, 0, name_is_valid, "TUNNEL",
          "look after the kill-switch proof of TUNNEL, and not during one of its outages" },
        { "killswitch-unit", OPTION_TEXT, FIELD(killswitch_unit), G, 0, unit_name_is_valid, "UNIT",
          "with --after-killswitch: unit that brings it" },
        { "and-dns", OPTION_FLAG, FIELD(and_dns), B, 0, NULL, NULL,
          "bring the dns proof too, at the same time; its options may be given" },
        { "interface", OPTION_TEXT, FIELD(interface), G | K | D | B, 0, is_interface_name, "NAME",
          "the tunnel's interface (else: any link of a tunnel kind)" },
        { "retry-for", OPTION_SECONDS, FIELD(retry_for_usec), G, 0, NULL, "SEC",
          "try again this long while unproven (20)" },
        { "probe-timeout", OPTION_SECONDS, FIELD(probe_timeout_usec), G | K | D | B, 0, NULL, "SEC",
          "how long one answer may take (3; dns 2)" },
        { "client-units", OPTION_TEXT, FIELD(client_units), K, 0, NULL, "UNIT,...",
          "units of the clients: while one of them runs there is no outage" },
        { "client-user", OPTION_LIST, FIELD(client_users), K, 0, is_user_id, "UID",
          "a client runs as this user, so try as that one too; may be repeated (the first two count)" },
        { "unprivileged-clients", OPTION_FLAG, FIELD(unprivileged_clients), K, 0, NULL, NULL,
          "no client has CAP_NET_RAW or CAP_NET_ADMIN: what needs them is told, not judged" },
        { "disrupt", OPTION_FLAG, FIELD(disrupt), K, 0, NULL, NULL,
          "a drill: make the outage now, also for clients that run" },
        { "tunnel-unit", OPTION_TEXT, FIELD(tunnel_unit), B | D, B | D, unit_name_is_valid, "UNIT",
          "unit of the tunnel that the client must share a namespace with" },
        { "guarded", OPTION_FLAG, FIELD(guarded), G | K | B, 0, NULL, NULL,
          "the tunnel has loaded its kill rule, which must be there" },
        { "without-egress", OPTION_FLAG, FIELD(without_egress), B, 0, NULL, NULL,
          "do not ask for a record of the egress proof (it is switched off)" },
        { "declared", OPTION_FEW, FIELD(declared), B, 0, is_power, "CAPABILITY",
          "the Compose file gives the client this power; ALL: every one; may be repeated" },
        { "source-unit", OPTION_TEXT, FIELD(source_unit), L, L, unit_name_is_valid, "UNIT",
          "unit of the downloader" },
        { "source", OPTION_TEXT, FIELD(source), L, L, is_absolute_path, "DIR",
          "directory as the downloader sees it" },
        { "link-from", OPTION_TEXT, FIELD(link_from), L, L, is_absolute_path, "DIR",
          "the same directory as the importer sees it" },
        { "link-to", OPTION_FEW, FIELD(link_to), L, L, is_absolute_path, "DIR",
          "directory of the importer's library; may be repeated" },
        { "halt-unit", OPTION_TEXT, FIELD(halt_unit), G | K | D | B, 0, unit_name_is_valid, "UNIT",
          "unit that halts the stack: is started until it has, if a leak is found" },
        { "run-dir", OPTION_TEXT, FIELD(run_dir), ALL | O, 0, is_absolute_path, "DIR",
          "where records are kept (" RECORD_RUN_DIR ")" },
        { "roundtrip-dir", OPTION_TEXT, FIELD(roundtrip_dir), E, 0, is_absolute_path, "DIR",
          "root directory of the round trip (" ROUNDTRIP_DIR ")" },
        { "redact", OPTION_TEXT, FIELD(redact), H, 0, is_absolute_path, "FILE",
          "secrets, one a line, that are taken out of what the health check has printed" },
        { "again", OPTION_TEXT, FIELD(again), RUNNING, 0, unit_name_is_valid, "UNIT",
          "only if UNIT, the service's, is active: prove what runs, apart from its start" },
        { "json", OPTION_FLAG, FIELD(json), ALL | O, 0, NULL, NULL, "print the record on stdout" },
};

/* Times that were not given. A kind sees none of these zeros. */
static void request_complete(ProofRequest *request, ProofKindIndex kind) {
        static const unsigned patience_sec[_PROOF_KIND_MAX] = {
                [PROOF_ENGINE] = 30,
                [PROOF_HEALTH] = 300,
                [PROOF_KILLSWITCH] = 60,
                [PROOF_EGRESS] = 75, /* the kill-switch proof's, and some more */
        };

        request->engine = engine_find(request->engine_name);
        request->subject = request->subject ?: request->engine_name;
        if (request->timeout_usec == 0)
                request->timeout_usec = patience_sec[kind] * USEC_PER_SEC;
        if (request->probe_timeout_usec == 0)
                request->probe_timeout_usec = (kind == PROOF_DNS ? 2 : 3) * USEC_PER_SEC;
}

/* Returns only if it cannot: then proof_run() says so, in a record like any other. */
static void run_probe(char **argv) {
        char path[PATH_MAX + sizeof("/" PROBE_PROGRAM)] = "";
        ssize_t n = readlink("/proc/self/exe", path, PATH_MAX);
        char *end = n > 0 ? strrchr(path, '/') : NULL;

        if (!end)
                return;
        strcpy(end, "/" PROBE_PROGRAM);
        (void) execv(path, argv);
}

static int run(ProofRequest request, ProofKindIndex kind) {
        request_complete(&request, kind);
        if (request.again)
                return proof_run_again(kind, &request);
        return verdict_exit_status(proof_run(kind, &request));
}

/* A second proof about the same service, in a process of its own: each has its record and its journal entry.
 */
static int run_both(const ProofRequest *request, ProofKindIndex kind, ProofKindIndex other) {
        pid_t pid = fork();
        int status = 0, own;

        if (pid == 0)
                exit(run(*request, other));
        own = run(*request, kind);
        if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFEXITED(status))
                status = verdict_exit_status(VERDICT_UNPROVEN);
        else
                status = WEXITSTATUS(status);
        /* What failed counts for more than what is not known. */
        return own == EXIT_FAILURE || status == EXIT_SUCCESS ? own : status;
}

int main(int argc, char **argv) {
        OptionVerb verbs[_PROOF_KIND_MAX];
        ProofRequest request = {
                .run_dir = RECORD_RUN_DIR,
                .roundtrip_dir = ROUNDTRIP_DIR,
                .retry_for_usec = 20 * USEC_PER_SEC,
        };
        const OptionTable table = {
                .program = "unitproof-prove",
                .summary =
                        "Brings one proof about a running stack: exit status 0 passed, 1 failed, 3 unproven.",
                .verbs = verbs,
                .n_verbs = _PROOF_KIND_MAX,
                .rows = rows,
                .n_rows = sizeof(rows) / sizeof(rows[0]),
        };
        BoundState state;
        int verb;

        process_leave_no_core();
        for (size_t i = 0; i < _PROOF_KIND_MAX; i++)
                verbs[i] = (OptionVerb){ proof_kinds[i].name, proof_kinds[i].help };
        verb = options_parse(&table, argc, argv, &request);
        if (verb == -ECANCELED)
                return 0;
        if (verb < 0)
                return EXIT_STATUS_USAGE;
        if (verb == PROOF_BOUND && bound_request_read(STDIN_FILENO, &state, &request) < 0)
                return verdict_exit_status(VERDICT_UNPROVEN);
        if (!proof_kinds[verb].run)
                run_probe(argv);
        return request.and_dns ? run_both(&request, (ProofKindIndex) verb, PROOF_DNS)
                               : run(request, (ProofKindIndex) verb);
}
