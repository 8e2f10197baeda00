/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/probe.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "proofs/curl.h"
#include "proofs/handles.h"
#include "proofs/stun.h"
#include "proofs/util.h"

#define STUN_PAUSE_FIRST (250 * USEC_PER_MSEC) /* RFC 8489 6.2.1 says 500 ms; doubled each time */

const char *probe_state_name(ProbeState state) {
        static const char *const names[_PROBE_STATE_MAX] = {
                [PROBE_UNTRIED] = "untried", [PROBE_ANSWERED] = "answered", [PROBE_NO_ROUTE] = "no-route",
                [PROBE_BLOCKED] = "blocked", [PROBE_SILENT] = "silent",     [PROBE_ODD] = "odd",
        };

        return names[state];
}

ProbeState probe_state_from_errno(int error) {
        switch (error) {
        case ENETUNREACH:
        case EADDRNOTAVAIL: /* there is a route, but no address of the family to come from */
        case EAFNOSUPPORT:
                return PROBE_NO_ROUTE;
        case EPERM:
        case EACCES:
                return PROBE_BLOCKED;
        default:
                return PROBE_SILENT;
        }
}

static void stun_settle(StunProbe *probe, uint64_t now_usec, ProbeState state, int error,
                        ProbeAnswer *answer) {
        answer->state = state;
        answer->error = error;
        answer->milliseconds = (uint32_t) ((now_usec - probe->started_usec) / USEC_PER_MSEC);
        if (error != 0)
                (void) snprintf(answer->detail, sizeof(answer->detail), "%s", strerror(error));
        stun_probe_done(probe);
}

static void stun_send(StunProbe *probe, uint64_t now_usec, ProbeAnswer *answer) {
        uint8_t request[STUN_REQUEST_SIZE];

        stun_request_build(probe->transaction, request);
        if (send(probe->fd, request, sizeof(request), MSG_NOSIGNAL) < 0) {
                /* A refusal that an earlier packet met is reported here; only the last attempt decides. */
                if (errno != ECONNREFUSED && errno != EAGAIN && errno != ENOBUFS) {
                        stun_settle(probe, now_usec, probe_state_from_errno(errno), errno, answer);
                        return;
                }
        } else
                answer->sent += sizeof(request);
        probe->next_usec = now_usec + probe->pause_usec;
        probe->pause_usec *= 2;
}

void stun_probe_start(StunProbe *probe, const Probe *what, uint64_t now_usec, ProbeAnswer *answer) {
        struct sockaddr_storage address;
        socklen_t size;

        *probe = (StunProbe){ .fd = -1, .started_usec = now_usec, .pause_usec = STUN_PAUSE_FIRST };
        *answer = (ProbeAnswer){ .state = PROBE_UNTRIED };
        if (getrandom(probe->transaction, sizeof(probe->transaction), 0) !=
            (ssize_t) sizeof(probe->transaction)) {
                stun_settle(probe, now_usec, PROBE_ODD, EIO, answer);
                return;
        }
        size = address_to_sockaddr(&what->source->addresses[what->family], what->source->port, &address);
        probe->fd = socket(address.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
        /* Connected: the kernel drops what comes from anybody else. */
        if (probe->fd < 0 || connect(probe->fd, (struct sockaddr *) &address, size) < 0) {
                stun_settle(probe, now_usec, probe_state_from_errno(errno), errno, answer);
                return;
        }
        size = sizeof(address);
        if (getsockname(probe->fd, (struct sockaddr *) &address, &size) == 0)
                (void) address_from_sockaddr((struct sockaddr *) &address, &answer->local);
        stun_send(probe, now_usec, answer);
}

void stun_probe_step(StunProbe *probe, uint64_t now_usec, ProbeAnswer *answer) {
        uint8_t response[STUN_RESPONSE_MAX + 1];
        ssize_t n;
        int r;

        while (probe->fd >= 0) {
                n = recv(probe->fd, response, sizeof(response), MSG_DONTWAIT);
                if (n < 0)
                        break;
                r = stun_response_parse(response, (size_t) n, probe->transaction, &answer->seen);
                if (r == -ESTALE || r == -EBADMSG) /* not the answer; that may still come */
                        continue;
                answer->received += (uint64_t) n;
                if (r < 0 || !address_is_routable(&answer->seen)) {
                        stun_settle(probe, now_usec, PROBE_ODD, 0, answer);
                        (void) snprintf(answer->detail, sizeof(answer->detail), "%s",
                                        r < 0 ? "the answer holds no address"
                                              : "the answer is an address that cannot be ours");
                } else
                        stun_settle(probe, now_usec, PROBE_ANSWERED, 0, answer);
        }
        if (probe->fd >= 0 && now_usec >= probe->next_usec)
                stun_send(probe, now_usec, answer);
}

void stun_probe_done(StunProbe *probe) {
        handle_close(&probe->fd);
}

typedef struct Batch {
        const Probe *probes;
        size_t n;
        ProbeAnswer *answers;
        CURLM *multi;
        EchoProbe *echoes; /* n of each, the one that fits the source is used */
        StunProbe *stuns;
} Batch;

static void batch_done(Batch *batch) {
        for (size_t i = 0; i < batch->n; i++) {
                if (batch->stuns)
                        stun_probe_done(&batch->stuns[i]);
                if (batch->echoes && batch->echoes[i].easy) {
                        (void) curl->multi_remove_handle(batch->multi, batch->echoes[i].easy);
                        echo_probe_done(&batch->echoes[i]);
                }
        }
        if (batch->multi)
                (void) curl->multi_cleanup(batch->multi);
        free(batch->echoes);
        free(batch->stuns);
}

static int batch_start(Batch *batch, const bool *wanted, uint64_t timeout_usec) {
        uint64_t now = time_monotonic_usec();
        int r;

        for (size_t i = 0; i < batch->n; i++) {
                batch->stuns[i].fd = -1;
                if (!wanted[i])
                        continue;
                if (batch->probes[i].source->transport == TRANSPORT_UDP) {
                        stun_probe_start(&batch->stuns[i], &batch->probes[i], now, &batch->answers[i]);
                        continue;
                }
                batch->answers[i] = (ProbeAnswer){ .state = PROBE_SILENT };
                r = echo_probe_start(&batch->echoes[i], &batch->probes[i], timeout_usec);
                if (r < 0)
                        return r;
                if (curl->multi_add_handle(batch->multi, batch->echoes[i].easy) != CURLM_OK)
                        return -ENOMEM;
        }
        return 0;
}

static void batch_take_echoes(Batch *batch) {
        int left;

        for (CURLMsg *message; (message = curl->multi_info_read(batch->multi, &left));) {
                if (message->msg != CURLMSG_DONE)
                        continue;
                for (size_t i = 0; i < batch->n; i++)
                        if (batch->echoes[i].easy == message->easy_handle)
                                echo_probe_finish(&batch->echoes[i], (int) message->data.result,
                                                  batch->probes[i].family, &batch->answers[i]);
        }
}

/* Steps the STUN probes; lists the sockets that still wait and when the next of them wants to send. */
static unsigned batch_step_stuns(Batch *batch, struct curl_waitfd *ret_fds, uint64_t *next_usec) {
        uint64_t now = time_monotonic_usec();
        unsigned n = 0;

        for (size_t i = 0; i < batch->n; i++) {
                StunProbe *probe = &batch->stuns[i];

                if (probe->fd < 0)
                        continue;
                stun_probe_step(probe, now, &batch->answers[i]);
                if (probe->fd < 0)
                        continue;
                ret_fds[n++] = (struct curl_waitfd){ .fd = probe->fd, .events = CURL_WAIT_POLLIN };
                if (probe->next_usec < *next_usec)
                        *next_usec = probe->next_usec;
        }
        return n;
}

static int batch_loop(Batch *batch, uint64_t deadline_usec) {
        struct curl_waitfd fds[PROBES_MAX];

        for (;;) {
                uint64_t next = deadline_usec;
                int running = 0;
                unsigned n;

                if (curl->multi_perform(batch->multi, &running) != CURLM_OK)
                        return -EIO;
                batch_take_echoes(batch);
                n = batch_step_stuns(batch, fds, &next);
                if ((running == 0 && n == 0) || time_left_msec(deadline_usec) == 0)
                        return 0;
                if (curl->multi_poll(batch->multi, fds, n, time_left_msec(next), NULL) != CURLM_OK)
                        return -EIO;
        }
}

/* What never settled was silent. */
static void batch_close(Batch *batch, const bool *wanted) {
        for (size_t i = 0; i < batch->n; i++)
                if (wanted[i] && batch->stuns[i].fd >= 0)
                        stun_settle(&batch->stuns[i], time_monotonic_usec(), PROBE_SILENT, 0,
                                    &batch->answers[i]);
}

int probes_run(const Probe *probes, size_t n, const bool *wanted, uint64_t timeout_usec,
               ProbeAnswer *answers) {
        CLEANUP(batch_done) Batch batch = { .probes = probes, .n = n, .answers = answers };
        int r;

        if (n > PROBES_MAX)
                return -E2BIG;
        r = curl_open();
        if (r < 0)
                return r;
        batch.echoes = calloc(n + 1, sizeof(EchoProbe));
        batch.stuns = calloc(n + 1, sizeof(StunProbe));
        batch.multi = curl->multi_init();
        for (size_t i = 0; batch.stuns && i < n; i++)
                batch.stuns[i].fd = -1;
        if (!batch.echoes || !batch.stuns || !batch.multi)
                return -ENOMEM;
        r = batch_start(&batch, wanted, timeout_usec);
        if (r < 0)
                return r;
        r = batch_loop(&batch, time_monotonic_usec() + timeout_usec);
        if (r < 0)
                return r;
        batch_close(&batch, wanted);
        return 0;
}
