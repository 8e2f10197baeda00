/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/netns-sweep.h"

#include <errno.h>
#include <linux/fib_rules.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/route/link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/handles.h"
#include "proofs/killswitch-restore.h"
#include "proofs/netns.h"

static void handle_socket(struct nl_sock **socket) {
        nl_socket_free(*socket);
}

static int error_from_netlink(int error) {
        switch (-error) {
        case NLE_OBJ_NOTFOUND:
        case NLE_NODEV:
                return -ENOENT;
        case NLE_PERM:
                return -EPERM;
        case NLE_NOMEM:
                return -ENOMEM;
        default:
                return -EIO;
        }
}

static void removed_note(SweepReport *report, const char *text) {
        unsigned n = report->n_rules + report->n_links;

        if (n < SWEEP_LISTED_MAX)
                (void) snprintf(report->removed[n], SWEEP_TEXT_SIZE, "%s", text);
}

static uint32_t attribute_number(struct nlattr *attribute, uint32_t otherwise) {
        return attribute && nla_len(attribute) == sizeof(uint32_t) ? nla_get_u32(attribute) : otherwise;
}

static uint32_t rule_table(const struct fib_rule_hdr *header, struct nlattr *const *attributes) {
        return attribute_number(attributes[FRA_TABLE], header->table);
}

/* Default: one of the three by priority and table, and nothing that narrows it. */
bool sweep_rule_is_default(const struct nlmsghdr *message) {
        static const struct {
                uint32_t priority, table;
        } defaults[] = { { 0, RT_TABLE_LOCAL }, { 32766, RT_TABLE_MAIN }, { 32767, RT_TABLE_DEFAULT } };
        const struct fib_rule_hdr *header = nlmsg_data(message);
        struct nlattr *attributes[FRA_MAX + 1], *attribute;
        uint32_t priority, table;
        int rest;

        if (nlmsg_parse((struct nlmsghdr *) message, sizeof(*header), attributes, FRA_MAX, NULL) < 0)
                return false;
        nlmsg_for_each_attr(attribute, (struct nlmsghdr *) message, sizeof(*header),
                            rest) switch (nla_type(attribute)) {
        case FRA_UNSPEC:
        case FRA_PRIORITY:
        case FRA_TABLE:
        case FRA_PROTOCOL:
        case FRA_PAD:
                continue;
        case FRA_SUPPRESS_PREFIXLEN:
                if (attribute_number(attribute, 0) == UINT32_MAX)
                        continue;
                return false;
        default:
                return false;
        }
        if (header->action != FR_ACT_TO_TBL || header->flags != 0 || header->src_len != 0 ||
            header->dst_len != 0 || header->tos != 0)
                return false;
        priority = attribute_number(attributes[FRA_PRIORITY], 0);
        table = rule_table(header, attributes);
        for (size_t i = 0; i < ARRAY_LENGTH(defaults); i++)
                if (defaults[i].priority == priority && defaults[i].table == table)
                        return true;
        return false;
}

typedef struct RuleList {
        struct nl_msg *messages[SWEEP_RULES_MAX];
        size_t n;
        bool overflow;
} RuleList;

static void rules_done(RuleList *list) {
        for (size_t i = 0; i < list->n; i++)
                nlmsg_free(list->messages[i]);
        list->n = 0;
}

static int on_rule(struct nl_msg *message, void *userdata) {
        struct nlmsghdr *header = nlmsg_hdr(message);
        RuleList *list = userdata;

        if (header->nlmsg_type != RTM_NEWRULE || !nlmsg_valid_hdr(header, sizeof(struct fib_rule_hdr)) ||
            sweep_rule_is_default(header))
                return NL_OK;
        if (list->n == SWEEP_RULES_MAX) {
                list->overflow = true;
                return NL_OK;
        }
        list->messages[list->n] = nlmsg_convert(header);
        if (!list->messages[list->n])
                return -NLE_NOMEM;
        list->n++;
        return NL_OK;
}

static int rules_list(struct nl_sock *socket, int family, RuleList *ret) {
        const struct fib_rule_hdr header = { .family = (uint8_t) family };
        int r;

        (void) nl_socket_modify_cb(socket, NL_CB_VALID, NL_CB_CUSTOM, on_rule, ret);
        r = nl_send_simple(socket, RTM_GETRULE, NLM_F_DUMP, (void *) &header, sizeof(header));
        if (r >= 0)
                r = nl_recvmsgs_default(socket);
        return r < 0 ? error_from_netlink(r) : 0;
}

/* The kernel's own words are sent back to it, so that exactly this rule goes, whatever it is made of. */
static int rule_delete(struct nl_sock *socket, struct nl_msg *rule) {
        struct nlmsghdr *header = nlmsg_hdr(rule);
        int r;

        header->nlmsg_type = RTM_DELRULE;
        header->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
        header->nlmsg_seq = NL_AUTO_SEQ;
        header->nlmsg_pid = NL_AUTO_PORT;
        r = nl_send_auto(socket, rule);
        if (r >= 0)
                r = nl_wait_for_ack(socket);
        return r < 0 ? error_from_netlink(r) : 0;
}

static void rule_text(const struct nl_msg *rule, char ret[SWEEP_TEXT_SIZE]) {
        struct nlmsghdr *message = nlmsg_hdr((struct nl_msg *) rule);
        const struct fib_rule_hdr *header = nlmsg_data(message);
        struct nlattr *attributes[FRA_MAX + 1] = { NULL };

        (void) nlmsg_parse(message, sizeof(*header), attributes, FRA_MAX, NULL);
        (void) snprintf(ret, SWEEP_TEXT_SIZE, "%s rule with priority %u to table %u",
                        header->family == AF_INET6 ? "IPv6" : "IPv4",
                        attribute_number(attributes[FRA_PRIORITY], 0), rule_table(header, attributes));
}

/* Number of rules that are there and are not the kernel's own; or a negative errno. */
static int rules_sweep_once(struct nl_sock *socket, int family, SweepReport *report) {
        CLEANUP(rules_done) RuleList list = { .n = 0 };
        char text[SWEEP_TEXT_SIZE];
        int r;

        r = rules_list(socket, family, &list);
        if (r < 0)
                return r;
        for (size_t i = 0; i < list.n; i++) {
                rule_text(list.messages[i], text);
                r = rule_delete(socket, list.messages[i]);
                if (r < 0) /* the next look tells whether it is still there */
                        continue;
                removed_note(report, text);
                report->n_rules++;
        }
        return (int) list.n;
}

static int rules_sweep(struct nl_sock *socket, int family, SweepReport *report) {
        int n = 1;

        for (unsigned round = 0; round < SWEEP_ROUNDS_MAX && n > 0; round++)
                n = rules_sweep_once(socket, family, report);
        if (n > 0) {
                CLEANUP(rules_done) RuleList list = { .n = 0 };
                int r = rules_list(socket, family, &list);

                if (r < 0)
                        return r;
                report->n_left += (unsigned) list.n;
        }
        return n < 0 ? n : 0;
}

/* A TUN device has a carrier as long as a process has it open; without, it is there only because it was made
 * to persist. Links of the other kinds are held by nobody. */
static bool link_is_held(struct rtnl_link *link) {
        const char *kind = rtnl_link_get_type(link);

        return kind && strcmp(kind, "tun") == 0 && rtnl_link_get_carrier(link) != 0;
}

static void link_sweep(struct nl_sock *socket, struct rtnl_link *link, SweepReport *report) {
        const char *name = rtnl_link_get_name(link), *kind = rtnl_link_get_type(link);
        char text[SWEEP_TEXT_SIZE];
        int r;

        if (link_is_held(link)) {
                if (report->n_held++ == 0)
                        (void) snprintf(report->held, sizeof(report->held), "%s", name ?: "?");
                return;
        }
        (void) snprintf(text, sizeof(text), "link %s of kind %s", name ?: "?", kind ?: "?");
        r = rtnl_link_delete(socket, link);
        if (r < 0 && error_from_netlink(r) != -ENOENT) {
                report->n_left++;
                return;
        }
        removed_note(report, text);
        report->n_links++;
}

static int links_sweep(struct nl_sock *socket, SweepReport *report) {
        struct nl_cache *cache;
        int r;

        r = rtnl_link_alloc_cache(socket, AF_UNSPEC, &cache);
        if (r < 0)
                return error_from_netlink(r);
        for (struct nl_object *o = nl_cache_get_first(cache); o; o = nl_cache_get_next(o)) {
                struct rtnl_link *link = (struct rtnl_link *) o;
                Link facts;

                link_from_netlink(link, &facts);
                if (link_is_tunnel(&facts, /* name= */ NULL))
                        link_sweep(socket, link, report);
        }
        nl_cache_free(cache);
        return 0;
}

static int family_sweep(int family, SweepReport *report) {
        CLEANUP(handle_socket) struct nl_sock *socket = nl_socket_alloc();
        int r;

        if (!socket)
                return -ENOMEM;
        r = nl_connect(socket, NETLINK_ROUTE);
        if (r < 0)
                return error_from_netlink(r);
        return family == AF_UNSPEC ? links_sweep(socket, report) : rules_sweep(socket, family, report);
}

int netns_sweep(void *userdata, void *result) {
        SweepReport *report = result;
        int r;

        r = netns_enter(*(const int *) userdata);
        /* Rules first: they may lead into a link that goes. */
        for (size_t i = 0; i < 3 && r >= 0; i++)
                r = family_sweep((const int[]){ AF_INET, AF_INET6, AF_UNSPEC }[i], report);
        if (r >= 0)
                r = ks_unblock();
        return r;
}
