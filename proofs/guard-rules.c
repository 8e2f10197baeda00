/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/guard-rules.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "proofs/handles.h"
#include "proofs/mutate.h"
#include "proofs/route.h"

enum { NAME_MAX_IN_RULE = 200 };

bool guard_name_is_valid(const char *name) {
        size_t n = strlen(name);

        if (n == 0 || n > NAME_MAX_IN_RULE)
                return false;
        for (const char *p = name; *p; p++)
                if (!isascii((unsigned char) *p) || !isgraph((unsigned char) *p) || strchr("\"*", *p))
                        return false;
        return true;
}

static bool names_are_valid(const GuardFacts *facts) {
        for (size_t i = 0; i < facts->n_interfaces; i++)
                if (!guard_name_is_valid(facts->interfaces[i]))
                        return false;
        for (size_t i = 0; i < facts->n_uplinks; i++)
                if (!guard_name_is_valid(facts->uplinks[i]))
                        return false;
        return guard_name_is_valid(facts->cgroup) && facts->cgroup[0] != '/' && facts->mark != 0;
}

static unsigned cgroup_level(const char *cgroup) {
        unsigned level = 1;

        for (const char *p = cgroup; *p; p++)
                level += *p == '/';
        return level;
}

static void write_set(FILE *f, const char *name, int family, const SubnetList *list) {
        const char *between = "elements = { ";
        char text[SUBNET_TEXT_SIZE];

        fprintf(f, "set %s%c { type ipv%c_addr; flags interval; auto-merge; ", name,
                family == AF_INET ? '4' : '6', family == AF_INET ? '4' : '6');
        for (size_t i = 0; i < list->n; i++)
                if (list->items[i].family == family) {
                        fprintf(f, "%s%s", between, subnet_text(&list->items[i], text));
                        between = ", ";
                }
        fprintf(f, "%s}\n", between[0] == ',' ? " }; " : "");
}

static void write_sets(FILE *f, const char *name, const SubnetList *list) {
        write_set(f, name, AF_INET, list);
        write_set(f, name, AF_INET6, list);
}

/* Links that are no uplink. Written so that whatever is not known is one. */
static void write_links(FILE *f, const GuardFacts *facts, char direction) {
        bool needs_point_to_point;
        const char *kind;

        fprintf(f, "%cifname \"lo\" accept\n", direction);
        for (size_t i = 0; i < facts->n_interfaces; i++)
                fprintf(f, "%cifname \"%s\" accept\n", direction, facts->interfaces[i]);
        for (size_t i = 0; facts->n_interfaces == 0 && link_tunnel_kind(i, &kind, &needs_point_to_point); i++)
                if (needs_point_to_point)
                        fprintf(f, "meta %cifkind \"%s\" meta %ciftype != ether accept\n", direction, kind,
                                direction);
                else
                        fprintf(f, "meta %cifkind \"%s\" accept\n", direction, kind);
}

/* What comes in by an uplink. Each address belongs to its link, so that nobody there can find the tunnel's
 * address by asking for it (CVE-2019-14899). The label is for connections that were opened from there. */
static const char rules_arrived[] = "fib daddr . iif type != { local, broadcast, anycast, multicast } "
                                    "counter name arrived_for_other drop\n"
                                    "ct state new ct direction original ct label set 117\n";

/* Not "ct state established": a connection that was made through the tunnel would go on beside it. */
static const char *rule_answers(void) {
        return mutation_is_on("guard-flows") ? "ct state established accept\n"
                                             : "ct direction reply ct label 117 accept\n";
}

/* What goes out by an uplink, beside what the tunnel's own processes send and answers to connections from
 * there. Link-local control of IPv6 first; then
 * the transport of tunnels in the kernel, which may use any port: a packet without a socket is none of a
 * process's, and one that has the mark of a WireGuard link and its form keeps the socket of the packet
 * inside. */
static const char rules_before[] =
        "icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit } ip6 hoplimit 255 "
        "ip6 daddr { fe80::/10, ff02::/16 } accept\n"
        "icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert } ip6 hoplimit 255 ip6 daddr @near6 accept\n"
        "icmpv6 type { mld-listener-report, mld-listener-done, mld2-listener-report } "
        "ip6 daddr ff02::/16 accept\n"
        "meta l4proto udp meta mark != 0 @th,64,32 { 0x01000000, 0x02000000, 0x03000000, 0x04000000 } "
        "counter name transport accept\n"
        "meta skuid >= 0 goto others\n"
        "meta l4proto udp counter name transport accept\n"
        "goto others\n";

/* In this order. */
static const struct {
        const char *name, *rules, *without;
} rules_others[] = {
        { "", "fib daddr type { broadcast, anycast, multicast } counter name dropped drop\n", "" },
        { "guard-dns",
          "meta l4proto { tcp, udp } th dport { 53, 853, 5353, 5355 } counter name dropped_dns drop\n", "" },
        { "", "ip daddr @allow4 accept\nip6 daddr @allow6 accept\n", "" },
        { "guard-gateways",
          "ip daddr @gateways4 counter name dropped drop\nip6 daddr @gateways6 counter name dropped drop\n",
          "" },
        { "", "ip daddr @near4 accept\nip6 daddr @near6 accept\n", "" },
        { "guard-rest", "counter name dropped drop\n", "accept\n" },
};

static void write_others(FILE *f) {
        fputs("chain others {\n", f);
        for (size_t i = 0; i < ARRAY_LENGTH(rules_others); i++)
                fputs(mutation_is_on(rules_others[i].name) ? rules_others[i].without : rules_others[i].rules,
                      f);
        fputs("}\n", f);
}

static void write_inet(FILE *f, const GuardFacts *facts) {
        fputs("table inet " GUARD_TABLE " {\n"
              "counter dropped { }\ncounter dropped_dns { }\ncounter arrived_for_other { }\n"
              "counter transport { }\n",
              f);
        write_sets(f, "near", &facts->near);
        write_sets(f, "gateways", &facts->gateways);
        write_sets(f, "allow", &facts->allow);
        write_others(f);
        fputs("chain arrived {\ntype filter hook prerouting priority -150; policy accept;\n", f);
        write_links(f, facts, 'i');
        fprintf(f, "%s}\n", rules_arrived);
        fputs("chain forwarded {\ntype filter hook forward priority 2147483647; policy drop;\n", f);
        write_links(f, facts, 'o');
        fprintf(f, "%scounter name dropped drop\n}\n", rule_answers());
        /* The last of all, since a chain after it could send a packet another way. */
        fputs("chain sent {\ntype filter hook output priority 2147483647; policy drop;\n", f);
        write_links(f, facts, 'o');
        fprintf(f, "socket cgroupv2 level %u \"%s\" accept\n%s%s}\n", cgroup_level(facts->cgroup),
                facts->cgroup, rule_answers(), rules_before);
        /* Marked as late as possible: marks of the tunnel's own are for its routes and its connections. */
        fputs("chain leaving {\ntype filter hook postrouting priority 2147483647; policy accept;\n", f);
        write_links(f, facts, 'o');
        fprintf(f, "meta mark set 0x%08x\n}\n}\n", facts->mark);
}

/* Frames that come from no route, such as those of packet sockets, and what did not come by the rules above.
 */
static void write_netdev(FILE *f, const GuardFacts *facts) {
        fputs("table netdev " GUARD_TABLE " {\ncounter dropped_frames { }\n", f);
        if (facts->n_uplinks > 0 && !mutation_is_on("guard-frames")) {
                fputs("chain leaving {\ntype filter hook egress devices = { ", f);
                for (size_t i = 0; i < facts->n_uplinks; i++)
                        fprintf(f, "%s\"%s\"", i > 0 ? ", " : "", facts->uplinks[i]);
                fprintf(f,
                        " } priority 0; policy drop;\n"
                        "ether type arp accept\n"
                        "meta mark 0x%08x meta rtclassid >= 0 accept\n"
                        "counter name dropped_frames drop\n"
                        "}\n",
                        facts->mark);
        }
        fputs("}\n", f);
}

int guard_rules(const GuardFacts *facts, char **ret_batch) {
        CLEANUP(handle_free) char *text = NULL;
        size_t size;
        bool failed;
        FILE *f;

        if (!names_are_valid(facts))
                return -EINVAL;
        f = open_memstream(&text, &size);
        if (!f)
                return -ENOMEM;
        for (size_t i = 0; i < 2; i++) {
                const char *family = i == 0 ? "inet" : "netdev";

                fprintf(f, "add table %s " GUARD_TABLE "\ndelete table %s " GUARD_TABLE "\n", family, family);
        }
        write_inet(f, facts);
        write_netdev(f, facts);
        failed = ferror(f) != 0;
        if (fclose(f) != 0 || failed)
                return -ENOMEM;
        *ret_batch = handle_take(text);
        return 0;
}
