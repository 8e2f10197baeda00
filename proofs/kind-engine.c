/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Engine proof: a binary or a socket proves nothing, so a container is started from a root directory of our
 * own that holds one static program, without network and without pulling anything. The program turns a
 * nonce round, so that the right answer stands nowhere in the arguments. */

#include <string.h>

#include "proofs/handles.h"
#include "proofs/mutate.h"
#include "proofs/proof.h"

static bool answer_is_right(const char *answer, const char *nonce) {
        size_t length = strlen(nonce);

        if (mutation_is_on("engine-answer"))
                return true;
        if (!answer || strlen(answer) != length + 1 || answer[length] != '\n')
                return false;
        for (size_t i = 0; i < length; i++)
                if (answer[i] != nonce[length - 1 - i])
                        return false;
        return true;
}

static int conclude_trip(ProofResult *result, const char *engine, const RoundTrip *trip, int status) {
        const char *complaint = trip->complaint && trip->complaint[0] ? trip->complaint : "no message";

        if (status == -ETIMEDOUT)
                return proof_conclude(result, VERDICT_UNPROVEN,
                                      "See whether the machine is overloaded, then start the stack again.",
                                      "%s did not finish a round trip in time", engine);
        if (status < 0)
                return proof_conclude(result, VERDICT_UNPROVEN, "See the journal of this unit.",
                                      "%s could not be run: %s", engine, strerror(-status));
        if (status > 0)
                return proof_conclude(result, VERDICT_FAILED, "Repair the engine; the message is its own.",
                                      "%s is installed but cannot run a container: exit status %d: %s",
                                      engine, status, complaint);
        if (!answer_is_right(trip->answer, trip->nonce))
                return proof_conclude(result, VERDICT_FAILED, "Look at what the engine's program really is.",
                                      "%s reported success, but the program in the container did not "
                                      "answer: \"%s\"",
                                      engine, trip->answer ?: "");
        return proof_conclude(result, VERDICT_PASSED, "",
                              "%s started a container, which answered and is gone", engine);
}

int proof_engine(const ProofRequest *request, ProofResult *result) {
        CLEANUP(handle_free) char *answer = NULL, *complaint = NULL, *safe = NULL;
        char nonce[ID128_TEXT_SIZE];
        uint64_t start = time_monotonic_usec();
        RoundTrip trip = {
                .name = request->subject,
                .directory = request->roundtrip_dir,
                .nonce = nonce,
                .deadline_usec = start + request->timeout_usec,
        };
        int r;

        r = engine_binary(request->engine, &trip.binary);
        if (r == -ENOENT)
                return proof_conclude(result, VERDICT_FAILED, "Install it.", "%s is not on this host",
                                      request->engine_name);
        if (r >= 0)
                r = id128_random(nonce);
        if (r < 0)
                return r;
        r = request->engine->roundtrip(&trip);
        answer = trip.answer;
        complaint = trip.complaint;
        safe = text_printable(complaint, RECORD_TEXT_MAX);
        proof_note(result, "binary", trip.binary ? json_string(trip.binary) : json_null());
        proof_note(result, "exit_status", json_integer(r));
        proof_note(result, "message", json_string(safe ?: ""));
        proof_note(result, "roundtrip_ms",
                   json_integer((json_int_t) ((time_monotonic_usec() - start) / USEC_PER_MSEC)));
        return conclude_trip(result, request->engine_name, &trip, r);
}
