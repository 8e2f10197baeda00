/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/proof.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

#include "proofs/again.h"
#include "proofs/halt.h"
#include "proofs/handles.h"
#include "proofs/journal.h"

__attribute__((format(printf, 5, 0))) static int conclude(ProofResult *result, Verdict verdict, bool leak,
                                                          const char *remedy, const char *format,
                                                          va_list ap) {
        CLEANUP(handle_free) char *reason = NULL;

        if (vasprintf(&reason, format, ap) < 0)
                reason = NULL;
        free(result->reason);
        free(result->remedy);
        /* Texts of engines, servers and file names may be in it: made safe here, once for all uses. */
        result->reason = text_printable(reason, RECORD_TEXT_MAX);
        result->remedy = text_printable(remedy, RECORD_TEXT_MAX);
        result->verdict = verdict;
        result->leak = leak;
        return 0;
}

int proof_conclude(ProofResult *result, Verdict verdict, const char *remedy, const char *format, ...) {
        va_list ap;
        int r;

        va_start(ap, format);
        r = conclude(result, verdict, /* leak= */ false, remedy, format, ap);
        va_end(ap);
        return r;
}

int proof_conclude_leak(ProofResult *result, const char *remedy, const char *format, ...) {
        va_list ap;
        int r;

        va_start(ap, format);
        r = conclude(result, VERDICT_FAILED, /* leak= */ true, remedy, format, ap);
        va_end(ap);
        return r;
}

void proof_note(ProofResult *result, const char *key, json_t *value) {
        if (value)
                (void) json_object_set_new(result->evidence, key, value);
}

void proof_field(ProofResult *result, const char *key, const char *value) {
        json_t *string = json_string(value ?: "");

        if (string)
                (void) json_object_set_new(result->fields, key, string);
}

static void result_done(ProofResult *result) {
        free(result->reason);
        free(result->remedy);
        json_decref(result->evidence);
        json_decref(result->fields);
}

static void copy_text(char *ret, size_t size, const char *text) {
        (void) snprintf(ret, size, "%s", text ?: "");
}

static int record_begin(ProofKindIndex kind, const ProofRequest *request, Record *ret) {
        Record record = {
                .verdict = VERDICT_UNPROVEN,
                .pending = true,
                .reason = strdup("the proof has not come to its end"),
                .remedy = strdup("If it does not run any more it was killed or timed out: see the journal."),
                .evidence = json_object(),
        };
        int r;

        copy_text(record.stack, sizeof(record.stack), request->stack);
        copy_text(record.proof, sizeof(record.proof), proof_kinds[kind].name);
        copy_text(record.subject, sizeof(record.subject), request->subject);
        copy_text(record.engine, sizeof(record.engine), request->engine_name);
        copy_text(record.unit, sizeof(record.unit), request->unit ?: request->tunnel_unit);
        record.monotonic_usec = time_monotonic_usec();
        record.realtime_usec = time_realtime_usec();
        r = id128_random(record.id);
        if (r >= 0)
                r = id128_boot(record.boot_id);
        if (r >= 0 && (!record.reason || !record.remedy || !record.evidence))
                r = -ENOMEM;
        if (r < 0) {
                record_done(&record);
                return r;
        }
        *ret = record;
        return 0;
}

/* Moves what was found into the record. */
static void record_finish(Record *record, ProofResult *result) {
        uint64_t started = record->monotonic_usec;

        free(record->reason);
        free(record->remedy);
        json_decref(record->evidence);
        record->pending = false;
        record->verdict = result->verdict;
        record->leak = result->leak;
        record->reason = handle_take(result->reason);
        record->remedy = handle_take(result->remedy);
        record->evidence = handle_take(result->evidence);
        record->netns_cookie = result->netns_cookie;
        copy_text(record->invocation_id, sizeof(record->invocation_id), result->invocation_id);
        record->monotonic_usec = time_monotonic_usec();
        record->realtime_usec = time_realtime_usec();
        record->duration_ms = (record->monotonic_usec - started) / USEC_PER_MSEC;
}

static void run_kind(ProofKindIndex kind, const ProofRequest *request, ProofResult *result) {
        int r;

        if (!proof_kinds[kind].run) {
                (void) proof_conclude(result, VERDICT_UNPROVEN,
                                      "Install unitproof anew: a program of it is missing.",
                                      PROBE_PROGRAM " could not be run");
                return;
        }
        r = proof_kinds[kind].run(request, result);
        if (r < 0)
                (void) proof_conclude(result, VERDICT_UNPROVEN, "See the journal of this unit.",
                                      "the system did not let the proof look: %s", strerror(-r));
        else if (!result->reason)
                (void) proof_conclude(result, VERDICT_UNPROVEN, "", "the proof gave no verdict");
}

/* An empty file needs no room: it says that there was a leak, where its record cannot. */
static void leak_mark(int dir_fd, const Record *record) {
        CLEANUP(handle_free) char *name = record_leak_name(record->proof, record->subject);
        CLEANUP(handle_close) int fd = -1;

        fd = name ? openat(dir_fd, name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
        if (fd < 0)
                fprintf(stderr, "unitproof: the leak cannot be noted: %s\n", strerror(errno));
}

static void leak_unmark(int dir_fd, const Record *record) {
        CLEANUP(handle_free) char *name = record_leak_name(record->proof, record->subject);

        if (name && unlinkat(dir_fd, name, 0) < 0 && errno != ENOENT)
                fprintf(stderr, "unitproof: %s cannot be removed: %s\n", name, strerror(errno));
}

/* A verdict that nobody can read is none: passed becomes unproven, failed stays. Without its evidence a
 * record needs less room. */
static void record_publish(int dir_fd, Record *record) {
        char *reason;
        int r = record_write(dir_fd, record);

        if (r >= 0)
                return;
        if (record->verdict == VERDICT_PASSED)
                record->verdict = VERDICT_UNPROVEN;
        reason = text_format("%s (the record could not be written: %s)", record->reason ?: "", strerror(-r));
        if (reason) {
                free(record->reason);
                record->reason = reason;
        }
        (void) json_object_clear(record->evidence);
        if (record_write(dir_fd, record) < 0 && record->leak)
                leak_mark(dir_fd, record);
}

static void proof_announce(const Record *record, const ProofRequest *request, const json_t *fields) {
        CLEANUP(handle_free) char *text = NULL;
        int r;

        r = journal_send(record, fields);
        if (r < 0)
                fprintf(stderr, "unitproof: no journal entry: %s\n", strerror(-r));
        journal_print_line(record);
        if (!request->json)
                return;
        text = record_format(record);
        printf("%s\n", text ?: "{}");
}

static int proof_run_recorded(ProofKindIndex kind, const ProofRequest *request, Record *record) {
        CLEANUP(result_done)
        ProofResult result = {
                .verdict = VERDICT_UNPROVEN,
                .evidence = json_object(),
                .fields = json_object(),
        };
        CLEANUP(handle_close) int dir_fd = -1;
        int r;

        if (!result.evidence || !result.fields)
                return -ENOMEM;
        r = record_dir_create(request->run_dir, request->stack, &dir_fd);
        if (r < 0)
                return r;
        /* From now on the result of the last run is gone, even if this one is killed. */
        r = record_write(dir_fd, record);
        if (r < 0)
                return r;
        leak_unmark(dir_fd, record);
        run_kind(kind, request, &result);
        record_finish(record, &result);
        record_publish(dir_fd, record);
        proof_announce(record, request, result.fields);
        if (record->leak && request->halt_unit)
                halt_insist(request->halt_unit, request->run_dir, record, /* running= */ false);
        return 0;
}

static Verdict proof_unrecorded(ProofKindIndex kind, const ProofRequest *request, int error) {
        fprintf(stderr, "unitproof: %s of %s: unproven: no record below %s: %s\n", proof_kinds[kind].name,
                request->subject, request->run_dir, strerror(-error));
        return VERDICT_UNPROVEN;
}

Verdict proof_run(ProofKindIndex kind, const ProofRequest *request) {
        CLEANUP(record_done) Record record = { .verdict = VERDICT_UNPROVEN };
        int r;

        r = record_begin(kind, request, &record);
        if (r >= 0)
                r = proof_run_recorded(kind, request, &record);
        return r < 0 ? proof_unrecorded(kind, request, r) : record.verdict;
}

/* 0: *ret_status is what came of it. A leak counts even if the service ended meanwhile: it was seen. */
static int proof_look_again(ProofKindIndex kind, const ProofRequest *request, const Again *again,
                            Record *record, int *ret_status) {
        CLEANUP(result_done)
        ProofResult result = {
                .verdict = VERDICT_UNPROVEN,
                .evidence = json_object(),
                .fields = json_object(),
        };
        int r;

        if (!result.evidence || !result.fields)
                return -ENOMEM;
        run_kind(kind, request, &result);
        if (!result.leak && !again_is_same(again)) {
                fprintf(stderr,
                        "unitproof: %s of %s: nothing to prove any more: %s has ended or was started anew\n",
                        proof_kinds[kind].name, request->subject, again->unit);
                *ret_status = 0;
                return 0;
        }
        record_finish(record, &result);
        r = again_record_write(again, request, record, result.fields);
        proof_announce(record, request, result.fields);
        if (r < 0) {
                fprintf(stderr, "unitproof: %s of %s: no record: %s\n", proof_kinds[kind].name,
                        request->subject, strerror(-r));
                /* The halt unit will not know of it: the service's own start has to find it. */
                record->leak = false;
        }
        if (record->leak && request->halt_unit)
                halt_insist(request->halt_unit, request->run_dir, record, /* running= */ true);
        *ret_status = again_act(again, record);
        return 0;
}

int proof_run_again(ProofKindIndex kind, const ProofRequest *request) {
        CLEANUP(record_done) Record record = { .verdict = VERDICT_UNPROVEN };
        const char *unit = request->again;
        Again again, other;
        int status, r;

        r = again_begin(unit, &again);
        /* Files go from one service to another: with one of them there is no way to look. */
        if (r > 0 && request->source_unit) {
                unit = request->source_unit;
                r = again_begin(unit, &other);
        }
        if (r == 0) {
                fprintf(stderr, "unitproof: %s of %s: nothing to prove: %s does not run\n",
                        proof_kinds[kind].name, request->subject, unit);
                return 0;
        }
        if (r > 0)
                r = record_begin(kind, request, &record);
        if (r >= 0)
                r = proof_look_again(kind, request, &again, &record, &status);
        return r < 0 ? verdict_exit_status(proof_unrecorded(kind, request, r)) : status;
}
