/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One run from beginning to end, in a child inside the tunnel's namespace. Everything that is done here only
 * closes: whenever it ends, also by SIGKILL, the link is down or the carrier is blocked, and what is needed
 * to give it back lies in a file. */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "proofs/handles.h"
#include "proofs/killswitch.h"
#include "proofs/killswitch-restore.h"
#include "proofs/mutate.h"
#include "proofs/netns.h"

#define WINDOW_UP (250 * USEC_PER_MSEC)
#define WINDOW_OUTAGE (400 * USEC_PER_MSEC)
#define ASKING_TIMEOUT (4 * USEC_PER_SEC)
#define ASKING_PAUSE (100 * USEC_PER_MSEC)
#define FLOWS_TIMEOUT (700 * USEC_PER_MSEC)

typedef struct Course {
        const KsOrder *order;
        KsRun *run;
        KsSniffer sniffer;
        KsFlows flows;
        Kept kept;
} Course;

__attribute__((format(printf, 4, 5))) static bool trouble(KsRun *run, KsTrouble what, int error,
                                                          const char *format, ...) {
        va_list ap;

        if (run->trouble != KS_FINE)
                return false;
        run->trouble = what;
        run->error = -error;
        va_start(ap, format);
        (void) vsnprintf(run->detail, sizeof(run->detail), format, ap);
        va_end(ap);
        return false;
}

static bool step_scene(Course *c) {
        uint64_t settled = time_monotonic_usec() + ASKING_TIMEOUT;
        KsRun *run = c->run;
        int r;

        r = ks_sniffer_open(&c->sniffer);
        if (r < 0)
                return trouble(run, KS_NO_SNIFFER, r, "no packet socket: %s", strerror(-r));
        r = ks_restore(c->order->dir_fd, &c->order->files, &c->order->owner, &run->restored);
        run->leftovers = r == 1;
        if (r < 0 || run->restored.n_missing > 0)
                return trouble(run, KS_NOT_RESTORED, r, "%s", run->restored.missing);
        /* Somebody's search for a next hop is repeated for some seconds (arp(7)), and is none of ours. */
        do {
                r = ks_scene_read(c->order->interface, &run->scene);
                if (r < 0 || !run->scene.asking)
                        break;
                time_sleep_usec(ASKING_PAUSE);
        } while (time_left_msec(settled) > 0);
        if (r < 0)
                return trouble(run, KS_TOO_MANY, r, "the namespace cannot be read: %s", strerror(-r));
        if (run->scene.tunnel == 0)
                return trouble(run, KS_NO_TUNNEL_LINK, 0, "no tunnel interface is up");
        return true;
}

/* What the tunnel's packets travel in: the flow on an uplink with most bytes while traffic went through the
 * tunnel, both ways. */
static void carrier_find(Course *c) {
        const KsFlow *best = NULL;

        for (size_t i = 0; i < c->sniffer.n_flows; i++) {
                const KsFlow *flow = &c->sniffer.flows[i];

                if (flow->sent > 0 && flow->received > 0 && (!best || flow->bytes > best->bytes))
                        best = flow;
        }
        if (best)
                c->run->carrier = *best;
}

static bool step_control(Course *c) {
        KsRun *run = c->run;
        int r;

        r = ks_control(c->order, run, 0, time_monotonic_usec() + c->order->control_usec);
        if (r < 0)
                return trouble(run, KS_NO_CONTROL, r,
                               r == -ENETUNREACH ? "no route to an echo server leads into it"
                                                 : "no echo server answers through it");
        r = ks_sniffer_read(&c->sniffer, run, KS_PHASE_UP);
        if (r < 0)
                return trouble(run, KS_NO_SNIFFER, r, "%s", strerror(-r));
        carrier_find(c);
        r = ks_plan(c->order, &run->scene, &run->carrier, run);
        if (r < 0)
                return trouble(run, KS_TOO_MANY, r, "there are too many addresses and links to try all");
        if (run->carrier.family == AF_UNSPEC)
                return trouble(run, KS_NO_CARRIER, 0,
                               "while traffic went through the tunnel no packet was seen on another link");
        return true;
}

static bool fire(Course *c, KsPhase phase) {
        int r = ks_fire(c->run, &c->sniffer, &c->flows, phase,
                        phase == KS_PHASE_UP ? WINDOW_UP : WINDOW_OUTAGE);
        unsigned dropped = 0;

        if (r >= 0)
                r = ks_sniffer_dropped(&c->sniffer, &dropped);
        if (r < 0)
                return trouble(c->run, KS_NO_SNIFFER, r, "%s", strerror(-r));
        if (dropped > 0)
                return trouble(c->run, KS_SNIFFER_LOST, 0, "%u packets came too fast to be looked at",
                               dropped);
        return true;
}

/* Each way of recognition has to find what is known to be there. */
static bool detectors_see(Course *c) {
        static const struct {
                KsMethod method;
                const char *name;
        } needed[] = { { KS_TCP, "TCP" }, { KS_UDP, "UDP" } };
        KsRun *run = c->run;

        for (Family f = 0; f < _FAMILY_MAX; f++)
                for (size_t k = 0; run->way[f] && k < ARRAY_LENGTH(needed); k++) {
                        bool seen = false;

                        for (size_t i = 0; i < run->n_shots; i++)
                                seen |= run->shots[i].to.family == family_to_af(f) &&
                                        ks_probes[run->shots[i].probe].method == needed[k].method &&
                                        run->shots[i].seen_inside[KS_PHASE_UP] > 0;
                        if (!seen)
                                return trouble(run, KS_DETECTOR_BLIND, 0,
                                               "no %s packet of ours was seen on the tunnel over %s",
                                               needed[k].name, family_name(f));
                }
        return true;
}

static bool step_up(Course *c) {
        ks_flows_open(c->run, &c->sniffer.nonce, FLOWS_TIMEOUT, &c->flows);
        if (!fire(c, KS_PHASE_UP))
                return false;
        ks_flows_close(&c->flows);
        return ks_run_leaks(c->run, c->order->unprivileged) || detectors_see(c);
}

static bool link_is_up(Course *c, bool *ret) {
        const Link *link;
        LinkSet links;
        int r = links_read(&links);

        link = r < 0 ? NULL : links_find(&links, c->run->scene.tunnel);
        if (!link)
                return trouble(c->run, KS_NOT_SET_DOWN, r, "the tunnel's link has gone");
        *ret = (link->flags & IFF_UP) != 0;
        return true;
}

static bool step_down(Course *c) {
        KsRun *run = c->run;
        bool up = true;
        int r;

        r = kept_read(run->scene.tunnel, &c->kept);
        if (r >= 0) {
                kept_own(&c->kept, &c->order->owner);
                r = kept_save(c->order->dir_fd, c->order->files.keep, &c->kept);
        }
        run->n_kept = c->kept.head.n;
        if (r < 0)
                return trouble(run, KS_NOT_KEPT, r, "%s",
                               r == -ENOTSUP ? "routes by nexthop objects cannot be given back"
                                             : strerror(-r));
        ks_flows_open(run, &c->sniffer.nonce, FLOWS_TIMEOUT, &c->flows);
        (void) ks_sniffer_read(&c->sniffer, run, KS_PHASE_UP);
        r = mutation_is_on("down") ? 0 : link_set_up(run->scene.tunnel, false);
        if (r < 0)
                return trouble(run, KS_NOT_SET_DOWN, r, "%s", strerror(-r));
        run->step = KS_STEP_DOWN;
        if (!link_is_up(c, &up) || (up && !mutation_is_on("down")))
                return trouble(run, KS_NOT_SET_DOWN, 0, "it came up again at once");
        (void) fire(c, KS_PHASE_DOWN);
        if (link_is_up(c, &up) && up)
                (void) trouble(run, KS_NOT_SET_DOWN, 0, "somebody set it up again while the proof looked");
        ks_flows_close(&c->flows);
        return true; /* it has to be given back in any case */
}

static bool step_restore(Course *c) {
        KsRun *run = c->run;
        int r;

        run->step = KS_STEP_RESTORE;
        r = kept_restore(&c->kept, &run->restored);
        if (r < 0 || run->restored.n_missing > 0 || run->restored.gone) {
                run->trouble = KS_FINE; /* nothing else matters as much */
                return trouble(run, KS_NOT_RESTORED, r, "%s",
                               run->restored.gone ? "the tunnel's link has gone"
                               : r < 0            ? strerror(-r)
                                                  : run->restored.missing);
        }
        if (unlinkat(c->order->dir_fd, c->order->files.keep, 0) < 0)
                return trouble(run, KS_NOT_RESTORED, -errno, "%s", strerror(errno));
        return run->trouble == KS_FINE;
}

static bool step_control_again(Course *c, unsigned which) {
        int r;

        c->run->step = which == 1 ? KS_STEP_CONTROL_BETWEEN : KS_STEP_CONTROL_AFTER;
        r = ks_control(c->order, c->run, which, time_monotonic_usec() + c->order->control_usec);
        return r >= 0 || trouble(c->run, KS_CONTROL_LOST, r, "%s",
                                 which == 1 ? "after the interface was up again"
                                            : "after the peer could be reached again");
}

/* Noted first, for whoever has to give it back. */
static int carrier_block(Course *c, char **ret_error) {
        CLEANUP(handle_close) int fd = -1;
        int r;

        fd = openat(c->order->dir_fd, c->order->files.block, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW,
                    0600);
        if (fd < 0)
                return -errno;
        r = ks_block(&c->run->carrier, ret_error);
        if (r < 0)
                (void) unlinkat(c->order->dir_fd, c->order->files.block, 0);
        return r;
}

static int carrier_unblock(Course *c) {
        int r = ks_unblock();

        return r >= 0 && unlinkat(c->order->dir_fd, c->order->files.block, 0) < 0 ? -errno : r;
}

static bool step_dead(Course *c) {
        CLEANUP(handle_free) char *error = NULL;
        KsRun *run = c->run;
        int r;

        ks_flows_open(run, &c->sniffer.nonce, FLOWS_TIMEOUT, &c->flows);
        (void) ks_sniffer_read(&c->sniffer, run, KS_PHASE_UP);
        run->step = KS_STEP_DEAD;
        r = mutation_is_on("dead") ? 0 : carrier_block(c, &error);
        if (r < 0)
                return trouble(run, KS_CANNOT_SEVER, r, "%s", error ?: strerror(-r));
        (void) fire(c, KS_PHASE_DEAD);
        ks_flows_close(&c->flows);
        r = mutation_is_on("dead") ? 0 : carrier_unblock(c);
        run->left_blocked = r < 0;
        if (r < 0) {
                run->trouble = KS_FINE;
                return trouble(run, KS_NOT_RESTORED, r, "the carrier's block could not be taken away");
        }
        return true;
}

/* The same tunnel as before, and what later starts compare with. */
static bool step_done(Course *c) {
        KsScene scene;
        int r = ks_scene_read(c->order->interface, &scene);

        if (r < 0 || scene.tunnel != c->run->scene.tunnel)
                return trouble(c->run, KS_SCENE_CHANGED, r, "the tunnel's link was replaced");
        memcpy(c->run->scene.digest, scene.digest, sizeof(scene.digest));
        c->run->step = KS_STEP_DONE;
        return c->run->trouble == KS_FINE;
}

static void course(Course *c) {
        const bool *unprivileged = &c->order->unprivileged;

        if (!step_scene(c))
                return;
        c->run->step = KS_STEP_CONTROL;
        if (!step_control(c))
                return;
        c->run->step = KS_STEP_UP;
        if (!step_up(c) || ks_run_leaks(c->run, *unprivileged))
                return;
        if (!step_down(c) && c->run->step < KS_STEP_DOWN)
                return;
        if (!step_restore(c) || !step_control_again(c, 1) || ks_run_leaks(c->run, *unprivileged))
                return;
        if (step_dead(c) && step_control_again(c, 2))
                (void) step_done(c);
}

int ks_run(void *userdata, void *result) {
        Course c = { .order = userdata, .run = result, .sniffer = { .fd = -1 } };
        int r;

        for (size_t i = 0; i < KS_SHOTS_MAX; i++)
                c.flows.fds[i] = -1;
        r = netns_enter(c.order->netns_fd);
        if (r < 0)
                return r;
        course(&c);
        ks_flows_close(&c.flows);
        ks_sniffer_close(&c.sniffer);
        kept_done(&c.kept);
        return 0;
}
