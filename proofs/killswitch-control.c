/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Positive controls: a silence counts only between two answers. */

#include <errno.h>
#include <string.h>

#include "proofs/handles.h"
#include "proofs/killswitch.h"
#include "proofs/mutate.h"

#define CONTROL_PAUSE (50 * USEC_PER_MSEC)
#define CONTROL_NO_WAY (3 * USEC_PER_SEC)      /* routes come with the link or soon after */
#define CONTROL_ATTEMPT (1500 * USEC_PER_MSEC) /* a handshake that was lost is sent again after 5 s */

static KsControl *control_of(KsRun *run, unsigned which, const Probe *probe) {
        return &run->control[which][probe->source->transport][probe->family];
}

/* Which of the sources' ways lead into the tunnel. */
static int ways_read(const KsOrder *order, KsRun *run, bool *ret_wanted) {
        CLEANUP(handle_router) Router *router = NULL;
        int r;

        r = router_open(&router);
        for (size_t i = 0; i < order->n_probes && r >= 0; i++) {
                const Probe *probe = &order->probes[i];
                RouteAnswer answer;

                r = router_ask(router, &probe->source->addresses[probe->family], ROUTE_ANY_USER, &answer);
                ret_wanted[i] = r >= 0 && answer.error == 0 && answer.link == run->scene.tunnel;
                run->way[probe->family] |= ret_wanted[i];
        }
        return r;
}

/* Whether there is still something to be asked: at first everything by the tunnel, later what held before. */
static bool still_wanted(const KsOrder *order, KsRun *run, unsigned which, const bool *by_tunnel,
                         bool *ret_wanted) {
        bool any = false;

        for (size_t i = 0; i < order->n_probes; i++) {
                const KsControl *now = control_of(run, which, &order->probes[i]);

                ret_wanted[i] = by_tunnel[i] && !now->held &&
                                (which == 0 || control_of(run, 0, &order->probes[i])->held);
                any |= ret_wanted[i];
        }
        return any;
}

/* After an outage all of what held before has to hold; a way that has gone does not. */
static bool control_holds(const KsRun *run, unsigned which) {
        bool any = false, all = true;

        for (Transport t = 0; t < _TRANSPORT_MAX; t++)
                for (Family f = 0; f < _FAMILY_MAX; f++) {
                        any |= run->control[which][t][f].held;
                        all &= run->control[which][t][f].held || !run->control[0][t][f].held;
                }
        return which == 0 ? any : all;
}

int ks_control(const KsOrder *order, KsRun *run, unsigned which, uint64_t deadline_usec) {
        uint64_t started = time_monotonic_usec();
        bool by_tunnel[PROBES_MAX], wanted[PROBES_MAX];
        ProbeAnswer answers[PROBES_MAX];

        if (which > 0 && mutation_is_on("control-again"))
                return 0;
        for (;;) {
                uint64_t left = (uint64_t) time_left_msec(deadline_usec) * USEC_PER_MSEC;
                uint64_t attempt = which == 0 ? order->probe_timeout_usec : CONTROL_ATTEMPT;
                int r;

                memset(answers, 0, sizeof(answers));
                r = ways_read(order, run, by_tunnel);
                if (r < 0)
                        return r;
                if (still_wanted(order, run, which, by_tunnel, wanted))
                        r = probes_run(order->probes, order->n_probes, wanted,
                                       attempt < left ? attempt : left, answers);
                if (r < 0)
                        return r;
                for (size_t i = 0; i < order->n_probes; i++) {
                        KsControl *control = control_of(run, which, &order->probes[i]);

                        if (!wanted[i])
                                continue;
                        control->tried = true;
                        if (answers[i].state != PROBE_ANSWERED || control->held)
                                continue;
                        control->held = true;
                        control->milliseconds =
                                (uint32_t) ((time_monotonic_usec() - started) / USEC_PER_MSEC);
                }
                if (control_holds(run, which))
                        return 0;
                if (time_left_msec(deadline_usec) == 0)
                        return -ETIMEDOUT;
                if (which == 0 && !run->way[FAMILY_V4] && !run->way[FAMILY_V6] &&
                    time_monotonic_usec() > started + CONTROL_NO_WAY)
                        return -ENETUNREACH;
                time_sleep_usec(CONTROL_PAUSE);
        }
}
