/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "engines/engine.h"
#include "generator/command/engines.h"
#include "generator/command/output.h"

#define ROUNDTRIP_DIR "/usr/libexec/unitproof/roundtrip"

enum { ROUNDTRIP_SECONDS = 60 };

typedef enum EngineState {
        ENGINE_USABLE,   /* a round trip succeeded just now */
        ENGINE_UNUSABLE, /* it is there, and a round trip failed */
        ENGINE_UNTRIED,  /* it is there, and a round trip could not be tried */
        ENGINE_ABSENT,
        _ENGINE_STATE_MAX,
} EngineState;

static const char *const state_names[_ENGINE_STATE_MAX] = {
        [ENGINE_USABLE] = "usable",
        [ENGINE_UNUSABLE] = "unusable",
        [ENGINE_UNTRIED] = "untried",
        [ENGINE_ABSENT] = "absent",
};
static const Tone state_tones[_ENGINE_STATE_MAX] = {
        [ENGINE_USABLE] = TONE_GOOD,
        [ENGINE_UNUSABLE] = TONE_BAD,
        [ENGINE_UNTRIED] = TONE_WARN,
        [ENGINE_ABSENT] = TONE_DIM,
};

static void make_nonce(char ret[33]) {
        unsigned char bytes[16];

        if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t) sizeof(bytes))
                abort();
        for (size_t i = 0; i < sizeof(bytes); i++)
                (void) snprintf(ret + 2 * i, 3, "%02x", bytes[i]);
}

/* The program in the container turns the nonce round and ends the line. */
static bool is_answer(const char *answer, const char *nonce) {
        const size_t n = strlen(nonce);

        if (!answer || strlen(answer) != n + 1 || answer[n] != '\n')
                return false;
        for (size_t i = 0; i < n; i++)
                if (answer[i] != nonce[n - 1 - i])
                        return false;
        return true;
}

static EngineState try_engine(Session *s, const EngineRow *row, const char *binary, const char **ret_reason) {
        struct timespec now;
        char nonce[33];
        RoundTrip trip = { .binary = binary, .directory = ROUNDTRIP_DIR, .nonce = nonce };
        int r;

        if (access(ROUNDTRIP_DIR "/roundtrip", X_OK) < 0) {
                *ret_reason = "the program for the round trip is not installed in " ROUNDTRIP_DIR;
                return ENGINE_UNTRIED;
        }
        if (geteuid() != 0) {
                *ret_reason = "a round trip needs root";
                return ENGINE_UNTRIED;
        }
        make_nonce(nonce);
        (void) clock_gettime(CLOCK_MONOTONIC, &now);
        trip.deadline_usec = ((uint64_t) now.tv_sec + ROUNDTRIP_SECONDS) * 1000000;
        r = row->roundtrip(&trip);
        if (r == 0 && is_answer(trip.answer, nonce))
                *ret_reason = "a round trip succeeded";
        else if (r < 0)
                *ret_reason = arena_printf(s->arena, "a round trip failed: %s", strerror(-r));
        else
                *ret_reason =
                        arena_printf(s->arena, "a round trip failed with status %d: %.300s", r,
                                     trip.complaint && trip.complaint[0] ? trip.complaint : "no message");
        if (r != 0 || !is_answer(trip.answer, nonce))
                r = -1;
        free(trip.answer);
        free(trip.complaint);
        return r == 0 ? ENGINE_USABLE : ENGINE_UNUSABLE;
}

static EngineState look_at(Session *s, const EngineRow *row, const char **ret_binary,
                           const char **ret_reason) {
        int r = engine_binary(row, ret_binary);

        if (r == 0)
                return try_engine(s, row, *ret_binary, ret_reason);
        *ret_binary = NULL;
        *ret_reason = arena_printf(s->arena, "none of its programs is here: %s",
                                   row->binaries ? row->binaries[0] : "");
        for (size_t i = 1; row->binaries && row->binaries[i - 1] && row->binaries[i]; i++)
                *ret_reason = arena_printf(s->arena, "%s, %s", *ret_reason, row->binaries[i]);
        return ENGINE_ABSENT;
}

int command_engines(Session *s, int argc, char **argv) {
        json_t *list = json_array();
        bool usable = false;

        (void) argc;
        (void) argv;
        json_put(s->answer, "engines", list);
        for (size_t i = 0; engine_at(i); i++) {
                const EngineRow *row = engine_at(i);
                const char *binary = NULL, *reason = "";
                EngineState state = look_at(s, row, &binary, &reason);

                usable = usable || state == ENGINE_USABLE;
                if (s->json) {
                        json_t *o = json_object();

                        json_put(o, "name", json_text(s, row->name));
                        json_put(o, "state", json_text(s, state_names[state]));
                        json_put(o, "reason", json_text(s, reason));
                        json_put(o, "program", json_text(s, binary));
                        (void) json_array_append_new(list, o);
                        continue;
                }
                output_word(s, TONE_BOLD, 12, row->name);
                output_word(s, state_tones[state], 10, state_names[state]);
                output_word(s, TONE_PLAIN, 0, reason);
                printf("\n");
        }
        return usable ? STATUS_GOOD : STATUS_FAILED;
}

const EngineRow *engines_with_containers(const char **ret_binary) {
        for (size_t i = 0; engine_at(i); i++)
                if (engine_at(i)->binaries && engine_binary(engine_at(i), ret_binary) == 0)
                        return engine_at(i);
        return NULL;
}
