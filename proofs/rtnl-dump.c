/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdbool.h>
#include <stdint.h>

#include "proofs/rtnl-dump.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/fib_rules.h>
#include <linux/if_addr.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "proofs/handles.h"

static const struct RtnlTableRow {
        int get, new;
        size_t header;
} tables[_RTNL_TABLE_MAX] = {
        [RTNL_ADDRESSES] = { RTM_GETADDR, RTM_NEWADDR, sizeof(struct ifaddrmsg) },
        [RTNL_ROUTES] = { RTM_GETROUTE, RTM_NEWROUTE, sizeof(struct rtmsg) },
        [RTNL_RULES] = { RTM_GETRULE, RTM_NEWRULE, sizeof(struct fib_rule_hdr) },
        [RTNL_NEIGHBOURS] = { RTM_GETNEIGH, RTM_NEWNEIGH, sizeof(struct ndmsg) },
};

static int error_from_netlink(int error) {
        switch (-error) {
        case NLE_SUCCESS:
                return 0;
        case NLE_OBJ_NOTFOUND:
        case NLE_NODEV:
                return -ENODEV;
        case NLE_PERM:
        case NLE_NOACCESS:
                return -EPERM;
        case NLE_EXIST:
                return -EEXIST;
        case NLE_NOMEM:
                return -ENOMEM;
        case NLE_OPNOTSUPP:
        case NLE_AF_NOSUPPORT:
                return -EOPNOTSUPP;
        default:
                return -EIO;
        }
}

int rtnl_open(struct nl_sock **ret) {
        CLEANUP(handle_nl_socket) struct nl_sock *socket = nl_socket_alloc();
        int r;

        if (!socket)
                return -ENOMEM;
        r = nl_connect(socket, NETLINK_ROUTE);
        if (r < 0)
                return error_from_netlink(r);
        *ret = handle_take(socket);
        return 0;
}

typedef struct Dump {
        const struct RtnlTableRow *row;
        RtnlVisit visit;
        void *userdata;
        int error;
} Dump;

static int on_message(struct nl_msg *message, void *userdata) {
        struct nlmsghdr *header = nlmsg_hdr(message);
        Dump *dump = userdata;

        if (header->nlmsg_type != dump->row->new || !nlmsg_valid_hdr(header, (int) dump->row->header) ||
            dump->error < 0)
                return NL_OK;
        dump->error = dump->visit(header, dump->userdata);
        return NL_OK;
}

int rtnl_dump(RtnlTable table, int family, RtnlVisit visit, void *userdata) {
        CLEANUP(handle_nl_socket) struct nl_sock *socket = NULL;
        Dump dump = { .row = &tables[table], .visit = visit, .userdata = userdata };
        uint8_t header[32] = { (uint8_t) family };
        int r;

        r = rtnl_open(&socket);
        if (r < 0)
                return r;
        (void) nl_socket_modify_cb(socket, NL_CB_VALID, NL_CB_CUSTOM, on_message, &dump);
        r = nl_send_simple(socket, dump.row->get, NLM_F_DUMP, header, dump.row->header);
        if (r >= 0)
                r = nl_recvmsgs_default(socket);
        return r < 0 ? error_from_netlink(r) : dump.error;
}

int rtnl_replay(struct nl_sock *socket, const struct nlmsghdr *message, int type, int flags) {
        struct nl_msg *copy = nlmsg_convert((struct nlmsghdr *) message);
        struct nlmsghdr *header;
        int r;

        if (!copy)
                return -ENOMEM;
        header = nlmsg_hdr(copy);
        header->nlmsg_type = (uint16_t) type;
        header->nlmsg_flags = (uint16_t) (NLM_F_REQUEST | NLM_F_ACK | flags);
        header->nlmsg_seq = NL_AUTO_SEQ;
        header->nlmsg_pid = NL_AUTO_PORT;
        r = nl_send_auto(socket, copy);
        nlmsg_free(copy);
        if (r >= 0)
                r = nl_wait_for_ack(socket);
        return r < 0 ? error_from_netlink(r) : 0;
}

static size_t header_size(const struct nlmsghdr *message) {
        for (size_t i = 0; i < _RTNL_TABLE_MAX; i++)
                if (tables[i].new == message->nlmsg_type)
                        return tables[i].header;
        return 0;
}

/* Ages and states. */
static bool attribute_is_fleeting(const struct nlmsghdr *message, int type) {
        switch (message->nlmsg_type) {
        case RTM_NEWADDR:
                return type == IFA_CACHEINFO || type == IFA_FLAGS;
        case RTM_NEWROUTE:
                return type == RTA_CACHEINFO || type == RTA_EXPIRES;
        case RTM_NEWNEIGH:
                return type == NDA_CACHEINFO || type == NDA_PROBES;
        default:
                return false;
        }
}

static void header_settle(const struct nlmsghdr *message, uint8_t *header) {
        if (message->nlmsg_type == RTM_NEWADDR)
                ((struct ifaddrmsg *) (void *) header)->ifa_flags = 0;
        else if (message->nlmsg_type == RTM_NEWROUTE)
                ((struct rtmsg *) (void *) header)->rtm_flags = 0;
        else if (message->nlmsg_type == RTM_NEWNEIGH)
                ((struct ndmsg *) (void *) header)->ndm_state = 0;
}

size_t rtnl_identity(const struct nlmsghdr *message, size_t size, uint8_t *ret) {
        uint8_t header[32] __attribute__((aligned(8))) = { 0 };
        size_t used = header_size(message);
        struct nlattr *attribute;
        int rest;

        if (used == 0 || used > size)
                return 0;
        memcpy(header, nlmsg_data(message), used);
        header_settle(message, header);
        memcpy(ret, header, used);
        nlmsg_for_each_attr(attribute, (struct nlmsghdr *) message, (int) header_size(message), rest) {
                size_t length = (size_t) nla_len(attribute);

                if (attribute_is_fleeting(message, nla_type(attribute)) || used + length + 2 > size)
                        continue;
                ret[used++] = (uint8_t) nla_type(attribute);
                ret[used++] = (uint8_t) length;
                memcpy(ret + used, nla_data(attribute), length);
                used += length;
        }
        return used;
}

int rtnl_route_link(const struct nlmsghdr *message) {
        struct nlattr *oif = nlmsg_find_attr((struct nlmsghdr *) message, sizeof(struct rtmsg), RTA_OIF);

        if (nlmsg_find_attr((struct nlmsghdr *) message, sizeof(struct rtmsg), RTA_MULTIPATH))
                return -1;
        return oif && nla_len(oif) == (int) sizeof(uint32_t) ? (int) nla_get_u32(oif) : 0;
}

bool rtnl_route_uses(const struct nlmsghdr *message, int index) {
        struct nlattr *paths =
                nlmsg_find_attr((struct nlmsghdr *) message, sizeof(struct rtmsg), RTA_MULTIPATH);

        if (!paths)
                return rtnl_route_link(message) == index;
        for (struct rtnexthop *hop = nla_data(paths);
             (char *) hop + sizeof(*hop) <= (char *) nla_data(paths) + nla_len(paths) &&
             hop->rtnh_len >= sizeof(*hop);
             hop = RTNH_NEXT(hop))
                if (hop->rtnh_ifindex == index)
                        return true;
        return false;
}

void rtnl_text(const struct nlmsghdr *message, size_t size, char *ret) {
        bool is_route = message->nlmsg_type == RTM_NEWROUTE;
        int family = *(const uint8_t *) nlmsg_data(message);
        const char *version = family == AF_INET6 ? "IPv6" : "IPv4";
        struct nlattr *address = nlmsg_find_attr((struct nlmsghdr *) message, (int) header_size(message),
                                                 is_route ? (int) RTA_DST : (int) IFA_ADDRESS);
        char text[INET6_ADDRSTRLEN] = "default";
        unsigned length = ((const uint8_t *) nlmsg_data(message))[1];

        if (address && nla_len(address) == (family == AF_INET6 ? 16 : 4))
                (void) inet_ntop(family, nla_data(address), text, sizeof(text));
        if (!is_route)
                (void) snprintf(ret, size, "%s address %s/%u", version, text, length);
        else if (address)
                (void) snprintf(ret, size, "%s route to %s/%u", version, text, length);
        else
                (void) snprintf(ret, size, "%s default route", version);
}
