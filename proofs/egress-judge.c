/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What two looks mean. Pure: everything that was seen comes in by EgressCase. The checks stand in a table,
 * the gravest first; the first that concludes has the word. */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "proofs/egress.h"
#include "proofs/egress-way.h"
#include "proofs/handles.h"
#include "proofs/mutate.h"

static const char *const pair_names[_PAIR_MAX] = {
        [PAIR_BOTH] = "both",           [PAIR_INSIDE_NEW] = "inside-new",
        [PAIR_NO_PATH] = "no-path",     [PAIR_BLOCKED] = "blocked",
        [PAIR_DEAD_END] = "dead-end",   [PAIR_NEITHER] = "neither",
        [PAIR_HOST_ONLY] = "host-only", [PAIR_INSIDE_ONLY] = "inside-only",
        [PAIR_UNSTEADY] = "unsteady",   [PAIR_ODD] = "odd",
};

/* Pairs with which a family cannot be clear, and what to say of them. */
static const struct PairTrouble {
        EgressPair pair;
        const char *code, *text, *remedy;
} troubles[] = {
        { PAIR_ODD, "odd-answer", "gave something that is no address of ours",
          "See whether a captive portal or a proxy is in the way, or whether it is an echo server at all." },
        { PAIR_UNSTEADY, "control-lost",
          "answered the host once but not again, so that silence proves nothing",
          "Use an echo server that answers every time." },
        { PAIR_HOST_ONLY, "inside-silent", "answers the host but not the tunnel's namespace",
          "See whether the tunnel is up and passes traffic; a sign, but no proof, that nothing leaks." },
        { PAIR_INSIDE_ONLY, "host-unknown",
          "answers the tunnel's namespace but not the host, whose own address is thus unknown",
          "Let the host reach the echo server too, or use another." },
};

const char *egress_pair_name(EgressPair pair) {
        return pair_names[pair];
}

const char *egress_outcome_name(EgressOutcome outcome) {
        static const char *const names[_OUTCOME_MAX] = {
                [OUTCOME_THROUGH] = "through-tunnel",
                [OUTCOME_NO_PATH] = "no-path",
                [OUTCOME_UNKNOWN] = "unknown",
        };

        return names[outcome];
}

static bool conclude(EgressFinding *f, Verdict verdict, bool leak, const char *code, const char *remedy,
                     const char *format, ...) __attribute__((format(printf, 6, 7)));

static bool conclude(EgressFinding *f, Verdict verdict, bool leak, const char *code, const char *remedy,
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

static const ProbeAnswer *answer_again(const EgressLook *look, size_t i) {
        return look && look->answers[i].state != PROBE_UNTRIED ? &look->answers[i] : NULL;
}

/* Silence inside, in a way that is fine if it is true. */
static EgressPair pair_judge_negative(const EgressCase *c, size_t i) {
        const ProbeAnswer *host = &c->host->answers[i], *inside = &c->inside->answers[i];
        const ProbeAnswer *again = answer_again(c->inside_again, i);
        const ProbeAnswer *control = answer_again(c->host_again, i);
        EgressWayState way = egress_way_state(&c->inside->ways[i], &c->inside->before, c->interface);
        EgressPair pair;

        /* Whatever a route of the kinds unreachable, prohibit or blackhole makes of an attempt. */
        if (way == WAY_NONE)
                pair = PAIR_NO_PATH;
        else if (way == WAY_BLOCKED && inside->state != PROBE_NO_ROUTE)
                pair = PAIR_BLOCKED;
        else if (host->state == PROBE_NO_ROUTE && way == WAY_TUNNEL)
                return PAIR_DEAD_END;
        else
                return host->state == PROBE_ANSWERED ? PAIR_HOST_ONLY : PAIR_NEITHER;
        if (host->state != PROBE_ANSWERED)
                return pair;
        /* The control was good before: it must be good after, and the silence must last. */
        if (mutation_is_on("egress-control"))
                return pair;
        if (!control || !again || control->state != PROBE_ANSWERED || again->state == PROBE_ANSWERED)
                return PAIR_UNSTEADY;
        return pair;
}

static EgressPair pair_judge(const EgressCase *c, size_t i) {
        const ProbeAnswer *host = &c->host->answers[i], *inside = &c->inside->answers[i];

        if (inside->state == PROBE_ODD || host->state == PROBE_ODD)
                return PAIR_ODD;
        if (inside->state != PROBE_ANSWERED)
                return pair_judge_negative(c, i);
        if (host->state == PROBE_ANSWERED)
                return PAIR_BOTH;
        return host->state == PROBE_NO_ROUTE ? PAIR_INSIDE_NEW : PAIR_INSIDE_ONLY;
}

bool egress_needs_again(const EgressCase *c, bool ret_wanted[PROBES_MAX]) {
        bool any = false;

        for (size_t i = 0; i < c->n_probes; i++) {
                EgressWayState way = egress_way_state(&c->inside->ways[i], &c->inside->before, c->interface);

                ret_wanted[i] = c->host->answers[i].state == PROBE_ANSWERED &&
                                c->inside->answers[i].state != PROBE_ANSWERED &&
                                c->inside->answers[i].state != PROBE_ODD &&
                                (way == WAY_NONE || way == WAY_BLOCKED);
                any |= ret_wanted[i];
        }
        return any;
}

static bool check_same_address(const EgressCase *c, EgressFinding *f) {
        char text[ADDRESS_TEXT_SIZE];

        for (size_t i = 0; i < c->n_probes; i++) {
                const ProbeAnswer *tries[] = { &c->inside->answers[i], answer_again(c->inside_again, i) };

                for (size_t k = 0; k < ARRAY_LENGTH(tries); k++)
                        if (tries[k] && tries[k]->state == PROBE_ANSWERED &&
                            host_addresses_match(c->host_addresses, &tries[k]->seen))
                                return conclude(f, VERDICT_FAILED, true, "same-address",
                                                "Repair the tunnel's routes and its kill switch before "
                                                "anything starts behind it.",
                                                "%s sees the tunnel's namespace at %s, which is the host's "
                                                "own address",
                                                c->probes[i].source->text,
                                                address_text(&tries[k]->seen, text));
        }
        return false;
}

/* An answer came back by a link that is not the tunnel. */
static bool check_answers_by_tunnel(const EgressCase *c, EgressFinding *f) {
        bool has_tunnel = links_find_tunnel(&c->inside->before, c->interface) || c->interface;

        for (size_t i = 0; i < c->n_probes; i++) {
                const EgressWay *way = &c->inside->ways[i];
                const Link *link = links_find(&c->inside->before, way->route.link);

                if (c->inside->answers[i].state != PROBE_ANSWERED ||
                    egress_way_state(way, &c->inside->before, c->interface) == WAY_TUNNEL)
                        continue;
                if (has_tunnel && way->route.error == 0)
                        return conclude(f, VERDICT_FAILED, true, "other-link",
                                        "Repair the tunnel's routes, or name its interface if it is another.",
                                        "the way to %s leaves by %s, beside the tunnel",
                                        c->probes[i].source->text, link ? link->name : "an unknown link");
                return conclude(f, VERDICT_UNPROVEN, false, "no-tunnel-link",
                                "If this is the tunnel, name it: x-unitproof: interface:.",
                                "the way to %s leaves by %s (%s), which is no kind of tunnel",
                                c->probes[i].source->text, link ? link->name : "no known link",
                                link && link->kind[0] ? link->kind : "no virtual link");
        }
        return false;
}

/* Nothing answered there, but a packet left beside the tunnel, and the host would carry it on. */
static bool check_way_beside(const EgressCase *c, EgressFinding *f, const EgressWay *inside,
                             const EgressWay *host, const char *to) {
        EgressWayState way = egress_way_state(inside, &c->inside->before, c->interface);
        const Link *link = links_find(&c->inside->before, inside->route.link);

        if ((way != WAY_OPEN && way != WAY_UNCLEAR) || host->route.error != 0)
                return false;
        if (way == WAY_OPEN && links_find_tunnel(&c->inside->before, c->interface))
                return conclude(f, VERDICT_FAILED, true, "open-way",
                                "Remove that route, or the network's IPv6, or let a rule in the namespace "
                                "drop what does not leave by the tunnel.",
                                "packets to %s leave by %s, beside the tunnel", to,
                                link ? link->name : "an unknown link");
        return conclude(f, VERDICT_UNPROVEN, false, "unclear-way", "Look at the routes in the namespace.",
                        "packets to %s would leave by %s, and whether they may is unclear", to,
                        link ? link->name : "an unknown link");
}

static bool check_ways(const EgressCase *c, EgressFinding *f) {
        char text[ADDRESS_TEXT_SIZE];

        for (size_t i = 0; i < c->n_probes; i++)
                if (check_way_beside(c, f, &c->inside->ways[i], &c->host->ways[i], c->probes[i].source->text))
                        return true;
        for (Family family = 0; family < _FAMILY_MAX; family++)
                for (size_t i = 0; i < EGRESS_SAMPLES && !mutation_is_on("egress-samples"); i++) {
                        const Address to = egress_sample(family, i);

                        if (check_way_beside(c, f, &c->inside->samples[family][i],
                                             &c->host->samples[family][i], address_text(&to, text)) ||
                            check_way_beside(c, f, &c->inside->samples_tcp[family][i],
                                             &c->host->samples_tcp[family][i], address_text(&to, text)))
                                return true;
                }
        return false;
}

/* The routing table says "tunnel": the interface's counters must say it too. */
static bool check_counters(const EgressCase *c, EgressFinding *f) {
        for (size_t k = 0; k < c->inside->before.n; k++) {
                const Link *before = &c->inside->before.links[k];
                const Link *after = links_find(&c->inside->after, before->index);
                uint64_t sent = 0, received = 0;

                for (size_t i = 0; i < c->n_probes; i++)
                        if (c->inside->answers[i].state == PROBE_ANSWERED &&
                            c->inside->ways[i].route.link == before->index) {
                                sent += c->inside->answers[i].sent;
                                received += c->inside->answers[i].received;
                        }
                if (sent == 0 && received == 0)
                        continue;
                if (!after || after->sent < before->sent + sent ||
                    after->received < before->received + received)
                        return conclude(f, VERDICT_UNPROVEN, false, "counters-still",
                                        "Look for rules in the namespace that redirect or mark packets.",
                                        "answers came, but the counters of %s did not move by them: the "
                                        "traffic takes another way",
                                        before->name);
        }
        return false;
}

static bool check_agreement(const EgressCase *c, EgressFinding *f) {
        char a[ADDRESS_TEXT_SIZE], b[ADDRESS_TEXT_SIZE];

        for (size_t i = 0; i < c->n_probes; i++)
                for (size_t k = i + 1; k < c->n_probes; k++) {
                        const ProbeAnswer *x = &c->inside->answers[i], *y = &c->inside->answers[k];

                        if (x->state != PROBE_ANSWERED || y->state != PROBE_ANSWERED ||
                            c->probes[i].family != c->probes[k].family ||
                            c->probes[i].source->transport != c->probes[k].source->transport ||
                            address_same_site(&x->seen, &y->seen))
                                continue;
                        return conclude(f, VERDICT_UNPROVEN, false, "sources-disagree",
                                        "Find out which of them is wrong; none is picked.",
                                        "the sources disagree about the tunnel's address: %s says %s, %s "
                                        "says %s",
                                        c->probes[i].source->text, address_text(&x->seen, a),
                                        c->probes[k].source->text, address_text(&y->seen, b));
                }
        return false;
}

static bool check_pairs(const EgressCase *c, EgressFinding *f) {
        for (size_t t = 0; t < ARRAY_LENGTH(troubles); t++)
                for (size_t i = 0; i < c->n_probes; i++) {
                        const char *inside = c->inside->answers[i].detail;
                        const char *host = c->host->answers[i].detail;
                        const char *detail = inside[0] ? inside : host;

                        if (f->pairs[i] == troubles[t].pair)
                                return conclude(f, VERDICT_UNPROVEN, false, troubles[t].code,
                                                troubles[t].remedy, "%s over %s %s%s%s%s",
                                                c->probes[i].source->text, family_name(c->probes[i].family),
                                                troubles[t].text, detail[0] ? " (" : "", detail,
                                                detail[0] ? ")" : "");
                }
        return false;
}

/* What the pairs of one family come to; without any source in the family, what the routes alone tell. */
static EgressOutcome outcome_judge(const EgressCase *c, const EgressFinding *f, Family family) {
        bool through = false, closed = false, open = false, probed = false;

        for (size_t i = 0; i < c->n_probes; i++) {
                if (c->probes[i].family != family)
                        continue;
                probed |= f->pairs[i] != PAIR_NEITHER;
                through |= f->pairs[i] == PAIR_BOTH || f->pairs[i] == PAIR_INSIDE_NEW;
                closed |= f->pairs[i] == PAIR_NO_PATH || f->pairs[i] == PAIR_BLOCKED ||
                          f->pairs[i] == PAIR_DEAD_END;
        }
        if (through)
                return OUTCOME_THROUGH;
        for (size_t i = 0; i < EGRESS_SAMPLES; i++) {
                const EgressWay *host = &c->host->samples[family][i];

                /* A way into the tunnel matters only if the host has one to leak by. */
                open |= egress_way_state(&c->inside->samples[family][i], &c->inside->before, c->interface) ==
                                WAY_TUNNEL &&
                        host->route.error == 0;
        }
        if (probed ? closed : !open)
                return OUTCOME_NO_PATH;
        return OUTCOME_UNKNOWN;
}

/* A tunnel is up, and the routes lead past it all the same: nothing gets out, but nothing gets through
 * either. */
static bool check_past_tunnel(const EgressCase *c, EgressFinding *f) {
        char text[ADDRESS_TEXT_SIZE];

        if (!links_find_tunnel(&c->inside->before, c->interface))
                return false;
        for (Family family = 0; family < _FAMILY_MAX; family++)
                for (size_t i = 0; i < EGRESS_SAMPLES; i++) {
                        const EgressWay *way = &c->inside->samples[family][i];
                        const Link *link = links_find(&c->inside->before, way->route.link);
                        const Address to = egress_sample(family, i);

                        if (egress_way_state(way, &c->inside->before, c->interface) != WAY_BLOCKED)
                                continue;
                        f->failed_if_lasting = true;
                        return conclude(f, VERDICT_UNPROVEN, false, "past-tunnel",
                                        "Repair the tunnel's routes.",
                                        "the route to %s leads past the tunnel, by %s, where a kill rule "
                                        "closes the way",
                                        address_text(&to, text), link ? link->name : "an unknown link");
                }
        return false;
}

static bool check_families(const EgressCase *c, EgressFinding *f) {
        bool through = false, closed = true;

        for (Family family = 0; family < _FAMILY_MAX; family++) {
                through |= f->outcomes[family] == OUTCOME_THROUGH;
                closed &= f->outcomes[family] == OUTCOME_NO_PATH;
        }
        if (closed && check_past_tunnel(c, f))
                return true;
        if (closed)
                return conclude(f, VERDICT_UNPROVEN, false, "no-way-out",
                                "See why the tunnel is not up: its own log says.",
                                "the tunnel's namespace has no way out at all");
        if (!through)
                return conclude(f, VERDICT_UNPROVEN, false, "no-answer",
                                "See whether the echo servers run and whether the host reaches them.",
                                "no source answered both the host and the tunnel's namespace");
        for (Family family = 0; family < _FAMILY_MAX; family++) {
                bool has_source = false;

                if (f->outcomes[family] != OUTCOME_UNKNOWN)
                        continue;
                for (size_t i = 0; i < c->n_probes; i++)
                        has_source |= c->probes[i].family == family;
                return conclude(f, VERDICT_UNPROVEN, false, has_source ? "family-silent" : "family-unprobed",
                                "Add a source that answers over this family, or switch the family off in the "
                                "tunnel's namespace.",
                                "%s has a way into the tunnel, but %s", family_name(family),
                                has_source ? "no source answers over it" : "no source has such an address");
        }
        return false;
}

static void conclude_passed(const EgressCase *c, EgressFinding *f) {
        char text[ADDRESS_TEXT_SIZE], parts[_FAMILY_MAX][96] = { "", "" };

        for (Family family = 0; family < _FAMILY_MAX; family++) {
                const char *by = "", *at = "";

                if (f->outcomes[family] == OUTCOME_NO_PATH) {
                        (void) snprintf(parts[family], sizeof(parts[family]), "%s has no path out",
                                        family_name(family));
                        continue;
                }
                for (size_t i = 0; i < c->n_probes; i++)
                        if (c->probes[i].family == family && c->inside->answers[i].state == PROBE_ANSWERED) {
                                const Link *link =
                                        links_find(&c->inside->before, c->inside->ways[i].route.link);

                                by = link ? link->name : "";
                                at = address_text(&c->inside->answers[i].seen, text);
                        }
                (void) snprintf(parts[family], sizeof(parts[family]), "%s leaves by %s and is seen at %s",
                                family_name(family), by, at);
        }
        (void) conclude(f, VERDICT_PASSED, false, "through-tunnel", "", "%s; %s; no address is the host's",
                        parts[FAMILY_V4], parts[FAMILY_V6]);
}

void egress_judge(const EgressCase *c, EgressFinding *ret) {
        static const struct {
                const char *name;
                bool (*concludes)(const EgressCase *, EgressFinding *);
        } checks[] = {
                { "egress-same-address", check_same_address },
                { "egress-other-link", check_answers_by_tunnel },
                { "egress-ways", check_ways },
                { "egress-counters", check_counters },
                { "egress-agreement", check_agreement },
                { "egress-pairs", check_pairs },
                { "egress-families", check_families },
        };

        *ret = (EgressFinding){ .verdict = VERDICT_UNPROVEN };
        for (size_t i = 0; i < c->n_probes; i++)
                ret->pairs[i] = pair_judge(c, i);
        for (Family family = 0; family < _FAMILY_MAX; family++)
                ret->outcomes[family] = outcome_judge(c, ret, family);
        for (size_t i = 0; i < ARRAY_LENGTH(checks); i++)
                if (!mutation_is_on(checks[i].name) && checks[i].concludes(c, ret))
                        return;
        conclude_passed(c, ret);
}
