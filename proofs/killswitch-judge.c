/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a run means. Pure. Something that got out is a failure whatever else went wrong; only then is it asked
 * whether enough was seen to call it passed. */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "proofs/handles.h"
#include "proofs/killswitch.h"

static const struct TroubleText {
        const char *code, *text, *remedy;
} troubles[_KS_TROUBLE_MAX] = {
        [KS_NO_TUNNEL_LINK] = { "no-tunnel-link", "the tunnel's namespace has no tunnel interface that is up",
                                "See why the tunnel is not up; name its interface if it is of an unusual "
                                "kind." },
        [KS_NO_CONTROL] = { "no-control",
                            "no traffic goes through the tunnel, so that silence would prove nothing",
                            "See whether the tunnel is up and the echo servers answer." },
        [KS_NO_SNIFFER] = { "no-sniffer", "what leaves by the other links cannot be watched",
                            "The proof needs root with CAP_NET_RAW in the tunnel's namespace." },
        [KS_DETECTOR_BLIND] = { "detector-blind",
                                "packets that are known to go through the tunnel were not seen there",
                                "See whether the routes send other users' or new traffic elsewhere." },
        [KS_NO_CARRIER] = { "no-carrier",
                            "the tunnel's own packets were not seen on any other link, so that nothing shows "
                            "that a leak would be",
                            "The tunnel must send its encrypted packets from its own network namespace." },
        [KS_NOT_KEPT] = { "not-kept", "what the interface loses when it goes down cannot be kept",
                          "Use plain routes (without nexthop objects) over the tunnel." },
        [KS_NOT_SET_DOWN] = { "not-down", "the interface could not be held down",
                              "See who sets it up again." },
        [KS_NOT_RESTORED] = { "not-restored",
                              "what was taken away could not be given back, and the tunnel stays closed",
                              "Restart the tunnel's unit: that makes its interface anew." },
        [KS_CANNOT_SEVER] = { "cannot-sever", "the tunnel cannot be cut off from its server",
                              "The kernel needs nf_tables." },
        [KS_NOT_SEVERED] = { "not-severed", "the tunnel went on working by another way to its server",
                             "Let the tunnel use one server and one flow." },
        [KS_CONTROL_LOST] = { "control-lost", "the tunnel did not work again",
                              "See the tunnel's log; a restart of its unit makes it anew." },
        [KS_SNIFFER_LOST] = { "sniffer-lost", "too much traffic to watch all of it",
                              "Prove it while less is going on." },
        [KS_TOO_MANY] = { "too-many", "the namespace is too large to be tried in full",
                          "See how many links, addresses and neighbours it has." },
        [KS_SCENE_CHANGED] = { "changed", "the tunnel was replaced while the proof looked",
                               "Nothing; the next start proves anew." },
};

static bool conclude(KsFinding *f, Verdict verdict, bool leak, const char *code, const char *remedy,
                     const char *format, ...) __attribute__((format(printf, 6, 7)));

static bool conclude(KsFinding *f, Verdict verdict, bool leak, const char *code, const char *remedy,
                     const char *format, ...) {
        va_list ap;

        f->verdict = verdict;
        f->leak = leak;
        f->code = code;
        (void) snprintf(f->remedy, sizeof(f->remedy), "%s", remedy);
        va_start(ap, format);
        (void) vsnprintf(f->reason, sizeof(f->reason), format, ap);
        va_end(ap);
        return true;
}

/* An answer from the namespace itself says nothing about ways out of it. */
static bool is_own(const KsRun *run, const Address *address) {
        if (address->family == AF_INET ? address->bytes[0] == 127
                                       : memcmp(address->bytes, in6addr_loopback.s6_addr, 16) == 0)
                return true;
        for (size_t i = 0; i < run->scene.addresses.n; i++)
                if (address_equal(&run->scene.addresses.places[i].address, address))
                        return true;
        return false;
}

KsOutcome ks_outcome(const KsRun *run, const KsShot *shot, KsPhase phase, bool unprivileged) {
        bool outside = shot->seen_outside[phase] > 0 || shot->seen_asking[phase] > 0;

        if (!shot->fired[phase])
                return KS_UNTRIED;
        if (unprivileged && ks_probes[shot->probe].needs_raw)
                return outside ? KS_NEEDS_RAW : KS_CLOSED;
        switch (shot->reach) {
        case KS_REACH_WORLD:
                if (outside)
                        return KS_LEAK;
                /* Through a tunnel that is up everything may be answered. */
                return phase != KS_PHASE_UP && shot->answered[phase] && !is_own(run, &shot->to)
                               ? KS_ANSWERED_UNSEEN
                               : KS_CLOSED;
        case KS_REACH_RESOLVER:
                if (outside && shot->answered[phase])
                        return KS_LEAK;
                return outside ? KS_NEAR : KS_CLOSED;
        case KS_REACH_LAN:
                return outside ? KS_NEAR : KS_CLOSED;
        }
        return KS_CLOSED;
}

static const KsShot *find_outcome(const KsRun *run, bool unprivileged, KsOutcome wanted, KsPhase *ret_phase) {
        for (KsPhase phase = 0; phase < _KS_PHASE_MAX; phase++)
                for (size_t i = 0; i < run->n_shots; i++)
                        if (ks_outcome(run, &run->shots[i], phase, unprivileged) == wanted) {
                                *ret_phase = phase;
                                return &run->shots[i];
                        }
        return NULL;
}

bool ks_run_leaks(const KsRun *run, bool unprivileged) {
        KsPhase phase;

        return find_outcome(run, unprivileged, KS_LEAK, &phase) != NULL;
}

static const char *const when[_KS_PHASE_MAX] = {
        [KS_PHASE_UP] = "beside the tunnel that is up",
        [KS_PHASE_DOWN] = "when the tunnel's interface is down",
        [KS_PHASE_DEAD] = "when the tunnel's server does not answer",
};

/* Of users, root and nobody are ours to choose; any other is a client's. */
static const char *user_text(uint32_t user, char ret[32]) {
        if (user == 0 || user == KS_USER_NOBODY)
                return user ? ", unprivileged" : "";
        (void) snprintf(ret, 32, ", user %u", user);
        return ret;
}

static bool check_leak(const KsCase *c, KsFinding *f) {
        char to[ADDRESS_TEXT_SIZE], user[32];
        const KsShot *shot;
        const KsProbe *probe;
        const Link *link;
        KsPhase phase;

        shot = find_outcome(c->run, c->unprivileged, KS_LEAK, &phase);
        if (!shot)
                return false;
        probe = &ks_probes[shot->probe];
        link = links_find(&c->run->scene.links, shot->seen_link[phase]);
        return conclude(
                f, VERDICT_FAILED, true, "leak",
                probe->reach == KS_REACH_RESOLVER || shot->reach == KS_REACH_RESOLVER
                        ? "Let the tunnel's rules drop port 53 to the uplink's own network."
                        : "Let the tunnel's packet filter drop whatever leaves by another link than "
                          "the tunnel, before it accepts anything else.",
                "%s to %s (%s%s) leaves by %s %s%s", probe->help, address_text(&shot->to, to), probe->name,
                user_text(shot->user, user), link ? link->name : "another link", when[phase],
                shot->seen_outside[phase] == 0 ? ", as soon as somebody says where its next hop is" : "");
}

/* Our own rule stops marked packets and frames too. No client can send one, so that nothing has leaked; but
 * the rule is not what it is taken for. */
static bool check_rule(const KsCase *c, KsFinding *f) {
        char to[ADDRESS_TEXT_SIZE];
        const KsShot *shot;
        const Link *link;
        KsPhase phase;

        shot = c->guarded ? find_outcome(c->run, c->unprivileged, KS_NEEDS_RAW, &phase) : NULL;
        if (!shot)
                return false;
        link = links_find(&c->run->scene.links, shot->seen_link[phase]);
        return conclude(
                f, VERDICT_FAILED, false, "kill-rule",
                "Restart the tunnel's unit, which loads the kill rule for all links that are there.",
                "%s to %s (%s) leaves by %s %s, past the kill rule; no client is allowed to send that",
                ks_probes[shot->probe].help, address_text(&shot->to, to), ks_probes[shot->probe].name,
                link ? link->name : "another link", when[phase]);
}

static bool check_trouble(const KsCase *c, KsFinding *f) {
        const KsRun *run = c->run;
        const struct TroubleText *t = &troubles[run->trouble];

        if (run->trouble == KS_FINE)
                return false;
        return conclude(f, VERDICT_UNPROVEN, false, t->code, t->remedy, "%s%s%s%s", t->text,
                        run->detail[0] ? " (" : "", run->detail, run->detail[0] ? ")" : "");
}

static bool check_answers(const KsCase *c, KsFinding *f) {
        KsPhase phase;
        const KsShot *shot = find_outcome(c->run, c->unprivileged, KS_ANSWERED_UNSEEN, &phase);
        char to[ADDRESS_TEXT_SIZE];

        if (!shot)
                return false;
        if (phase == KS_PHASE_DEAD)
                return conclude(f, VERDICT_UNPROVEN, false, troubles[KS_NOT_SEVERED].code,
                                troubles[KS_NOT_SEVERED].remedy, "%s (%s of %s was answered)",
                                troubles[KS_NOT_SEVERED].text, ks_probes[shot->probe].name,
                                address_text(&shot->to, to));
        return conclude(f, VERDICT_UNPROVEN, false, "answered-unseen",
                        "See what in the namespace answers for others.",
                        "%s of %s was answered, but no link was seen to carry it",
                        ks_probes[shot->probe].name, address_text(&shot->to, to));
}

/* Nothing above has spoken: only a run that came to its end passes. */
static bool check_end(const KsCase *c, KsFinding *f) {
        if (c->run->step == KS_STEP_DONE)
                return false;
        return conclude(f, VERDICT_UNPROVEN, false, "not-finished", "See the journal of this unit.",
                        "the proof did not come to its end");
}

static void conclude_passed(const KsCase *c, KsFinding *f) {
        const KsRun *run = c->run;
        const Link *tunnel = links_find(&run->scene.links, run->scene.tunnel);
        KsPhase phase;
        unsigned n = 0;

        for (size_t i = 0; i < run->n_shots; i++)
                n += run->shots[i].fired[KS_PHASE_DOWN] + run->shots[i].fired[KS_PHASE_DEAD];
        (void) conclude(f, VERDICT_PASSED, false, "closed", "",
                        "nothing of %u attempts got out while %s was down and while its server was silent, "
                        "and it works again%s",
                        n, tunnel ? tunnel->name : "the tunnel",
                        find_outcome(run, c->unprivileged, KS_NEAR, &phase)
                                ? "; machines on the uplink's own network can be reached"
                                : "");
}

void ks_judge(const KsCase *c, KsFinding *ret) {
        static bool (*const checks[])(const KsCase *, KsFinding *) = {
                check_leak, check_rule, check_trouble, check_answers, check_end,
        };

        *ret = (KsFinding){ .verdict = VERDICT_UNPROVEN };
        for (size_t i = 0; i < ARRAY_LENGTH(checks); i++)
                if (checks[i](c, ret))
                        return;
        conclude_passed(c, ret);
}
