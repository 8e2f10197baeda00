/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What all looks mean together. Pure. The checks stand in a table, the gravest first; the first
 * that concludes has the word. */

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "proofs/dns.h"
#include "proofs/handles.h"
#include "proofs/mutate.h"

enum { SERVER_TEXT_SIZE = ADDRESS_TEXT_SIZE + IF_NAMESIZE + 1 };

const char *dns_way_name(DnsWay way) {
        static const char *const names[_DNS_WAY_MAX] = {
                [DNS_THROUGH] = "through-tunnel", [DNS_KEPT] = "loopback", [DNS_SILENT] = "silent",
                [DNS_CLOSED] = "closed",          [DNS_BESIDE] = "beside", [DNS_UNCLEAR] = "unclear",
        };

        return names[way];
}

const char *dns_server_text(const DnsServer *server, char *buffer, size_t size) {
        char text[ADDRESS_TEXT_SIZE];

        (void) snprintf(buffer, size, "%s%s%s", address_text(&server->address, text),
                        server->scope[0] ? "%" : "", server->scope);
        return buffer;
}

/* Errors by which the kernel says, before anything left, that it lets nothing out: no route, a route that
 * forbids, no address to come from, a rule that drops. */
static bool error_closes(int error) {
        static const int errors[] = {
                EPERM,  EACCES,   ENETUNREACH, EHOSTUNREACH, EADDRNOTAVAIL,
                EINVAL, ENETDOWN, ENOBUFS,     ENODEV,       EAFNOSUPPORT,
        };

        for (size_t i = 0; i < ARRAY_LENGTH(errors); i++)
                if (errors[i] == error)
                        return true;
        return false;
}

static bool goes_beside(const DnsCase *c, const DnsLook *look, const DnsTry *try) {
        const Link *link = links_find(&look->links, try->route.link);

        return try->route.error == 0 &&
               (!link || (!(link->flags & IFF_LOOPBACK) && !link_is_tunnel(link, c->interface)));
}

DnsWay dns_way(const DnsCase *c, const DnsLook *look, size_t i) {
        const DnsTry *try = &look->tries[i];
        bool beside;

        if (try->beside)
                return DNS_BESIDE;
        if (try->answered)
                return try->kept ? DNS_KEPT : try->through ? DNS_THROUGH : DNS_BESIDE;
        if (try->kept || try->through)
                return DNS_SILENT;
        /* Nothing was seen to leave. That counts if the sniffer saw its control before and after. */
        if (!look->control_before || !look->control_after)
                return DNS_UNCLEAR;
        beside = goes_beside(c, look, try);
        /* That there is no next hop now is no closed way. */
        if (!try->sent)
                return error_closes(try->error) && !(beside && try->unresolved && try->error == EHOSTUNREACH)
                               ? DNS_CLOSED
                               : DNS_UNCLEAR;
        return beside && (look->neighbour_sought || try->unresolved) ? DNS_UNCLEAR : DNS_CLOSED;
}

static bool conclude(DnsFinding *f, Verdict verdict, bool leak, const char *code, const char *remedy,
                     const char *format, ...) __attribute__((format(printf, 6, 7)));

static bool conclude(DnsFinding *f, Verdict verdict, bool leak, const char *code, const char *remedy,
                     const char *format, ...) {
        va_list ap;

        f->verdict = verdict;
        f->leak = leak;
        f->code = code;
        f->remedy = remedy;
        va_start(ap, format);
        (void) vsnprintf(f->reason, sizeof(f->reason), format, ap);
        va_end(ap);
        return true;
}

static const char *link_name(const DnsLook *look, int index) {
        const Link *link = links_find(&look->links, index);

        return link ? link->name : "an unknown link";
}

/* What the client asks, as its files tell it, leaves past the tunnel: also if nobody answers, the names are
 * out. */
static bool check_resolvers(const DnsCase *c, DnsFinding *f) {
        char text[SERVER_TEXT_SIZE];

        for (size_t s = 0; s < c->n_looks; s++)
                for (size_t i = 0; i < c->looks[s].n_targets; i++) {
                        const DnsLook *look = &c->looks[s];
                        const DnsTarget *target = &look->targets[i];
                        const DnsTry *try = &look->tries[i];

                        if (target->role == DNS_NEIGHBOUR || dns_way(c, look, i) != DNS_BESIDE)
                                continue;
                        return conclude(
                                f, VERDICT_FAILED, true, "resolver-beside",
                                "Let the tunnel bring its own resolver (gluetun does; else dns: on the "
                                "tunnel's service), and let a rule drop DNS on every other link.",
                                "what user %" PRIu32 " asks of the resolver %s leaves by %s, beside the "
                                "tunnel%s",
                                look->uid, dns_server_text(&target->server, text, sizeof(text)),
                                link_name(look, try->beside ?: try->route.link),
                                try->answered ? ", and is answered" : "");
                }
        return false;
}

/* A resolver that the files do not name, but that any program may ask. */
static bool check_neighbours(const DnsCase *c, DnsFinding *f) {
        char text[SERVER_TEXT_SIZE];

        for (size_t s = 0; s < c->n_looks; s++)
                for (size_t i = 0; i < c->looks[s].n_targets; i++) {
                        const DnsLook *look = &c->looks[s];
                        const DnsTarget *target = &look->targets[i];

                        if (target->role != DNS_NEIGHBOUR || !look->tries[i].answered ||
                            dns_way(c, look, i) != DNS_BESIDE)
                                continue;
                        return conclude(
                                f, VERDICT_FAILED, true, "neighbour-answers",
                                "Let a rule in the tunnel's namespace drop DNS on every link but the "
                                "tunnel.",
                                "%s answers on port %u (%s) by %s, beside the tunnel, to whoever asks it",
                                dns_server_text(&target->server, text, sizeof(text)), target->port,
                                target->tcp ? "TCP" : "UDP",
                                link_name(look, look->tries[i].beside ?: look->tries[i].route.link));
                }
        return false;
}

bool dns_needs_holders(const DnsCase *c) {
        for (size_t s = 0; s < c->n_looks; s++)
                for (size_t i = 0; i < c->looks[s].n_targets; i++)
                        if (dns_way(c, &c->looks[s], i) == DNS_KEPT)
                                return true;
        return false;
}

static bool check_holders(const DnsCase *c, DnsFinding *f) {
        if (!dns_needs_holders(c))
                return false;
        if (c->holders && c->holders->n_outside > 0)
                return conclude(
                        f, VERDICT_FAILED, true, "resolver-outside",
                        "Let the tunnel bring its own resolver, and set it with dns: on the tunnel's "
                        "service.",
                        "the resolver on the loopback is process %d (%s), which lives in another network "
                        "namespace and asks from there",
                        (int) c->holders->outside_pid, c->holders->outside_name);
        if (!c->holders || c->holders->n_inside == 0)
                return conclude(f, VERDICT_UNPROVEN, false, "resolver-unknown",
                                "See which process answers on port 53 in the tunnel's namespace.",
                                "a resolver answers on the loopback, and whose it is cannot be told");
        return false;
}

static bool check_helpers(const DnsCase *c, DnsFinding *f, HelperState wanted) {
        for (size_t s = 0; s < c->n_looks; s++)
                for (size_t i = 0; i < HELPERS_MAX; i++) {
                        const HelperRow *row = &helper_rows[i];

                        if (row->kind != HELPER_RESOLVER || c->states[s][i] != wanted)
                                continue;
                        if (wanted == HELPER_OUTSIDE)
                                return conclude(
                                        f, VERDICT_FAILED, true, "helper-reachable",
                                        "Take that socket, or the directory it is in, out of the client's "
                                        "volumes.",
                                        "user %" PRIu32 " reaches %s at %s, which resolves names outside of "
                                        "the tunnel's namespace",
                                        c->looks[s].uid, row->name, row->path);
                        return conclude(f, VERDICT_UNPROVEN, false, "helper-unknown",
                                        "Take that socket out of the client's volumes.",
                                        "user %" PRIu32
                                        " reaches %s at %s, and in which network namespace it "
                                        "resolves names cannot be told",
                                        c->looks[s].uid, row->name, row->path);
                }
        return false;
}

static bool check_helpers_outside(const DnsCase *c, DnsFinding *f) {
        return check_helpers(c, f, HELPER_OUTSIDE);
}

static bool check_helpers_unknown(const DnsCase *c, DnsFinding *f) {
        return check_helpers(c, f, HELPER_UNKNOWN);
}

static bool check_files(const DnsCase *c, DnsFinding *f) {
        for (size_t s = 0; s < c->n_looks; s++)
                if (c->looks[s].config_error != 0)
                        return conclude(f, VERDICT_UNPROVEN, false, "no-resolv-conf",
                                        "See what is mounted at /etc/resolv.conf in the client.",
                                        "the client's /etc/resolv.conf cannot be read: %s",
                                        strerror(c->looks[s].config_error));
        return false;
}

static bool check_control(const DnsCase *c, DnsFinding *f) {
        for (size_t s = 0; s < c->n_looks; s++)
                if (!c->looks[s].control_before || !c->looks[s].control_after)
                        return conclude(
                                f, VERDICT_UNPROVEN, false, "control-lost",
                                "See whether the loopback of the namespace is up and not filtered.",
                                "what leaves the namespace could not be watched: a packet of ours on its "
                                "loopback was not seen");
        return false;
}

static bool check_unclear(const DnsCase *c, DnsFinding *f) {
        char text[SERVER_TEXT_SIZE];

        for (size_t s = 0; s < c->n_looks; s++)
                for (size_t i = 0; i < c->looks[s].n_targets; i++) {
                        const DnsLook *look = &c->looks[s];

                        if (look->targets[i].role == DNS_NEIGHBOUR || dns_way(c, look, i) != DNS_UNCLEAR)
                                continue;
                        return conclude(
                                f, VERDICT_UNPROVEN, false, "unclear-way",
                                "Correct the nameserver of the client, or the route to it.",
                                "a query to the resolver %s would leave by %s, and nothing tells whether it "
                                "may (%s)",
                                dns_server_text(&look->targets[i].server, text, sizeof(text)),
                                link_name(look, look->tries[i].route.link),
                                look->tries[i].error ? strerror(look->tries[i].error) : "no next hop");
                }
        return false;
}

/* "127.0.0.1 (loopback), 10.64.0.1 (silent)": each resolver once. */
static void resolvers_text(const DnsCase *c, bool with_ways, size_t size, char *ret) {
        const DnsLook *look = &c->looks[0];
        char text[SERVER_TEXT_SIZE];
        size_t used = 0;

        ret[0] = '\0';
        for (size_t i = 0; i < look->n_targets && used < size; i++)
                if (look->targets[i].role == DNS_NAMESERVER && !look->targets[i].tcp)
                        used += (size_t) snprintf(
                                ret + used, size - used, with_ways ? "%s%s (%s)" : "%s%s",
                                used > 0 ? ", " : "",
                                dns_server_text(&look->targets[i].server, text, sizeof(text)),
                                dns_way_name(dns_way(c, look, i)));
}

static bool check_passed(const DnsCase *c, DnsFinding *f) {
        bool answered = false, silent = false;
        char resolvers[200];

        for (size_t s = 0; s < c->n_looks; s++)
                for (size_t i = 0; i < c->looks[s].n_targets; i++) {
                        DnsWay way = dns_way(c, &c->looks[s], i);

                        if (c->looks[s].targets[i].role != DNS_NAMESERVER)
                                continue;
                        answered |= way == DNS_THROUGH || way == DNS_KEPT;
                        silent |= way == DNS_SILENT;
                }
        resolvers_text(c, answered || silent, sizeof(resolvers), resolvers);
        if (answered)
                return conclude(f, VERDICT_PASSED, false, "through-tunnel", "",
                                "names are asked of %s and of nobody "
                                "else",
                                resolvers);
        if (silent)
                return conclude(f, VERDICT_PASSED, false, "silent",
                                "If the client is to resolve names, see whether its resolver runs.",
                                "names are asked of %s, which does not answer, and of nobody else",
                                resolvers);
        return conclude(
                f, VERDICT_PASSED, false, "closed",
                "If the client is to resolve names, give the tunnel's service a resolver that is reached "
                "through the tunnel (dns:).",
                "no name is asked of anybody: the way to %s is closed", resolvers);
}

void dns_judge(const DnsCase *c, DnsFinding *ret) {
        static const struct {
                const char *name;
                bool (*concludes)(const DnsCase *, DnsFinding *);
        } checks[] = {
                { "dns-resolvers", check_resolvers },
                { "dns-neighbours", check_neighbours },
                { "dns-helpers", check_helpers_outside },
                { "dns-holders", check_holders },
                { "dns-files", check_files },
                { "dns-control", check_control },
                { "dns-unclear", check_unclear },
                { "dns-helpers-unknown", check_helpers_unknown },
                { "", check_passed },
        };

        for (size_t i = 0; i < ARRAY_LENGTH(checks); i++)
                if (!mutation_is_on(checks[i].name) && checks[i].concludes(c, ret))
                        return;
}
