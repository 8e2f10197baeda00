/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <syslog.h>
#include <systemd/sd-journal.h>

#include "proofs/bound.h"
#include "proofs/handles.h"

#define BOUND_READ_USEC (2 * USEC_PER_SEC)
#define ANNOTATION "org.unitproof."

/* An annotation of ours, or an empty text where there is none. False: it does not fit. */
static bool take_annotation(const json_t *annotations, const char *key, size_t size, char *ret) {
        const json_t *value = json_object_get(annotations, key);
        size_t length = json_string_length(value);

        if (!value) {
                ret[0] = '\0';
                return true;
        }
        if (!json_is_string(value) || length >= size || strlen(json_string_value(value)) != length)
                return false;
        memcpy(ret, json_string_value(value), length + 1);
        return true;
}

static bool id_is_valid(const char *id) {
        return id[0] != '\0' && strlen(id) < BOUND_ID_SIZE &&
               strspn(id, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_.+-") == strlen(id);
}

static const char *runtime_part_parse(const json_t *state, BoundState *ret) {
        const char *id = json_string_value(json_object_get(state, "id"));
        const json_t *pid = json_object_get(state, "pid");

        if (!id || !id_is_valid(id))
                return "it names no container";
        if (!json_is_integer(pid) || json_integer_value(pid) <= 0 || json_integer_value(pid) > INT32_MAX)
                return "it names no process";
        (void) snprintf(ret->id, sizeof(ret->id), "%s", id);
        ret->pid = (pid_t) json_integer_value(pid);
        return NULL;
}

/* "on", "off", or not there: as it is without the annotation. */
static bool take_switch(const json_t *annotations, const char *name, bool *ret) {
        char text[8];

        if (!take_annotation(annotations, name, sizeof(text), text))
                return false;
        if (text[0] != '\0')
                *ret = strcmp(text, "on") == 0;
        return text[0] == '\0' || *ret || strcmp(text, "off") == 0;
}

static const char *our_part_parse(const json_t *annotations, BoundState *ret) {
        bool egress = true;

        if (!json_is_object(annotations))
                return "it has no annotations";
        if (!take_annotation(annotations, ANNOTATION "stack", sizeof(ret->stack), ret->stack) ||
            !name_is_valid(ret->stack))
                return "the annotation " ANNOTATION "stack is missing or no name";
        if (!take_annotation(annotations, ANNOTATION "subject", sizeof(ret->subject), ret->subject) ||
            !name_is_valid(ret->subject))
                return "the annotation " ANNOTATION "subject is missing or no name";
        if (!take_annotation(annotations, ANNOTATION "tunnel-unit", sizeof(ret->tunnel_unit),
                             ret->tunnel_unit) ||
            !unit_name_is_valid(ret->tunnel_unit))
                return "the annotation " ANNOTATION "tunnel-unit is missing or no unit";
        if (!take_annotation(annotations, ANNOTATION "engine", sizeof(ret->engine), ret->engine) ||
            (ret->engine[0] != '\0' && !engine_find(ret->engine)))
                return "the annotation " ANNOTATION "engine names no engine";
        if (!take_switch(annotations, ANNOTATION "egress", &egress))
                return "the annotation " ANNOTATION "egress is neither on nor off";
        if (!take_switch(annotations, ANNOTATION "guard", &ret->guarded))
                return "the annotation " ANNOTATION "guard is neither on nor off";
        ret->without_egress = !egress;
        return NULL;
}

int bound_state_parse(const char *text, size_t length, BoundState *ret, const char **ret_why) {
        CLEANUP(handle_json) json_t *root = NULL;
        BoundState state = { .pid = 0 };
        const char *why;

        root = json_loadb(text, length, JSON_REJECT_DUPLICATES, /* error= */ NULL);
        why = json_is_object(root) ? runtime_part_parse(root, &state) : "it is no JSON object";
        if (!why)
                why = our_part_parse(json_object_get(root, "annotations"), &state);
        if (why) {
                *ret_why = why;
                return -EBADMSG;
        }
        *ret = state;
        return 0;
}

/* Until its end: a part of a state is none. */
static int state_read(int fd, char *buffer, size_t size, size_t *ret_length) {
        uint64_t deadline = time_monotonic_usec() + BOUND_READ_USEC;
        size_t used = 0;

        for (;;) {
                struct pollfd poller = { .fd = fd, .events = POLLIN };
                ssize_t n;
                int r = poll(&poller, 1, time_left_msec(deadline));

                if (r < 0 && errno != EINTR)
                        return -errno;
                if (time_left_msec(deadline) == 0)
                        return -ETIMEDOUT;
                if (r <= 0)
                        continue;
                if (used == size)
                        return -EFBIG;
                n = read(fd, buffer + used, size - used);
                if (n < 0 && errno != EINTR && errno != EAGAIN)
                        return -errno;
                if (n == 0)
                        break;
                if (n > 0)
                        used += (size_t) n;
        }
        *ret_length = used;
        return 0;
}

int bound_request_read(int fd, BoundState *state, ProofRequest *request) {
        CLEANUP(handle_free) char *buffer = malloc(BOUND_STATE_MAX);
        const char *why = "it cannot be read";
        size_t length = 0;
        int r;

        r = buffer ? state_read(fd, buffer, BOUND_STATE_MAX, &length) : -ENOMEM;
        if (r >= 0)
                r = bound_state_parse(buffer, length, state, &why);
        if (r < 0) {
                /* What a hook writes to its stderr goes nowhere. */
                fprintf(stderr, "unitproof: bound: the container's state is not to be used: %s (%s)\n", why,
                        strerror(-r));
                (void) sd_journal_print(LOG_ERR,
                                        "unitproof: a container is refused: the state that its runtime "
                                        "hands to the hook is not to be used: %s (%s)",
                                        why, strerror(-r));
                return r;
        }
        request->stack = state->stack;
        request->subject = state->subject;
        request->tunnel_unit = state->tunnel_unit;
        request->engine_name = state->engine[0] != '\0' ? state->engine : engine_at(0)->name;
        request->without_egress = state->without_egress;
        request->guarded = state->guarded;
        request->container = state->id;
        request->pid = state->pid;
        return 0;
}
