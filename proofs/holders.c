/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/holders.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <string.h>

#include "proofs/handles.h"
#include "proofs/process.h"
#include "proofs/util.h"

static int inode_compare(const void *a, const void *b) {
        const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

        return (x > y) - (x < y);
}

typedef struct Listing {
        uint16_t port; /* 0: any */
        SocketInodes *sockets;
} Listing;

static int on_socket(struct nl_msg *message, void *userdata) {
        const struct inet_diag_msg *diag = nlmsg_data(nlmsg_hdr(message));
        const Listing *listing = userdata;
        SocketInodes *sockets = listing->sockets;

        if (nlmsg_datalen(nlmsg_hdr(message)) < (int) sizeof(*diag) || diag->idiag_inode == 0 ||
            (listing->port != 0 && ntohs(diag->id.idiag_sport) != listing->port))
                return NL_OK;
        if (sockets->n == SOCKET_INODES_MAX)
                sockets->more = true;
        else
                sockets->inodes[sockets->n++] = diag->idiag_inode;
        return NL_OK;
}

static int sockets_dump(struct nl_sock *socket, int family, int protocol, uint32_t states) {
        struct inet_diag_req_v2 request = {
                .sdiag_family = (uint8_t) family,
                .sdiag_protocol = (uint8_t) protocol,
                .idiag_states = states,
        };

        if (nl_send_simple(socket, SOCK_DIAG_BY_FAMILY, NLM_F_DUMP, &request, sizeof(request)) < 0)
                return -EIO;
        /* A kernel without the family has no sockets of it. */
        (void) nl_recvmsgs_default(socket);
        return 0;
}

static int sockets_list(struct nl_sock *socket, uint16_t port, SocketInodes *ret) {
        static const struct {
                int protocol;
                uint32_t states;
        } kinds[] = { { IPPROTO_UDP, UINT32_MAX }, { IPPROTO_TCP, 1u << TCP_LISTEN } };
        static const int families[] = { AF_INET, AF_INET6 };
        Listing listing = { port, ret };
        int r = 0;

        ret->n = 0;
        ret->more = false;
        (void) nl_socket_modify_cb(socket, NL_CB_VALID, NL_CB_CUSTOM, on_socket, &listing);
        for (size_t f = 0; f < ARRAY_LENGTH(families) && r >= 0; f++)
                for (size_t k = 0; k < ARRAY_LENGTH(kinds) && r >= 0; k++)
                        r = sockets_dump(socket, families[f], kinds[k].protocol, kinds[k].states);
        qsort(ret->inodes, ret->n, sizeof(ret->inodes[0]), inode_compare);
        return r;
}

int socket_inodes_list(uint16_t port, SocketInodes *ret) {
        struct nl_sock *socket = nl_socket_alloc();
        int r;

        if (!socket)
                return -ENOMEM;
        nl_socket_disable_seq_check(socket);
        r = nl_connect(socket, NETLINK_SOCK_DIAG) < 0 ? -EIO : sockets_list(socket, port, ret);
        if (r >= 0 && ret->n == 0)
                r = sockets_list(socket, /* port= */ 0, ret);
        nl_socket_free(socket);
        return r;
}

enum { HELD_INSIDE = 1, HELD_OUTSIDE = 2 };

typedef struct Search {
        const SocketInodes *sockets;
        int netns_fd;
        uint8_t held[SOCKET_INODES_MAX];
        pid_t outside[SOCKET_INODES_MAX];
} Search;

static void descriptors_look(Search *s, DIR *dir, pid_t pid, uint8_t side) {
        const SocketInodes *sockets = s->sockets;
        struct dirent *entry;

        while ((entry = readdir(dir))) {
                char target[32];
                ssize_t n = readlinkat(dirfd(dir), entry->d_name, target, sizeof(target) - 1);
                uint32_t inode, *found;

                target[n > 0 ? n : 0] = '\0';
                if (sscanf(target, "socket:[%u]", &inode) != 1)
                        continue;
                found = bsearch(&inode, sockets->inodes, sockets->n, sizeof(inode), inode_compare);
                if (!found)
                        continue;
                s->held[found - sockets->inodes] |= side;
                if (side == HELD_OUTSIDE)
                        s->outside[found - sockets->inodes] = pid;
        }
}

/* Processes end while they are looked at: what cannot be opened is gone. */
static void process_look(Search *s, const char *pid) {
        CLEANUP(handle_close) int fd = -1, net = -1;
        CLEANUP(handle_closedir) DIR *dir = NULL;
        char path[64];

        (void) snprintf(path, sizeof(path), "/proc/%.20s/ns/net", pid);
        net = open(path, O_RDONLY | O_CLOEXEC);
        (void) snprintf(path, sizeof(path), "/proc/%.20s/fd", pid);
        fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (net < 0 || fd < 0)
                return;
        dir = fdopendir(fd);
        if (!dir)
                return;
        fd = -1;
        descriptors_look(s, dir, atoi(pid),
                         namespace_is_same(net, s->netns_fd) == 1 ? HELD_INSIDE : HELD_OUTSIDE);
}

static void name_read(pid_t pid, size_t size, char *ret) {
        CLEANUP(handle_free) char *text = NULL;
        char path[32];

        ret[0] = '\0';
        (void) snprintf(path, sizeof(path), "/proc/%d/comm", (int) pid);
        if (file_read_at(AT_FDCWD, path, 64, &text, NULL) >= 0)
                (void) snprintf(ret, size, "%.*s", (int) strcspn(text, "\n"), text);
}

int socket_holders_find(const SocketInodes *sockets, int netns_fd, SocketHolders *ret) {
        CLEANUP(handle_closedir) DIR *proc = opendir("/proc");
        CLEANUP(handle_free) Search *s = calloc(1, sizeof(*s));
        SocketHolders holders = { .n_inside = 0 };
        struct dirent *entry;

        if (!proc)
                return -errno;
        if (!s)
                return -ENOMEM;
        s->sockets = sockets;
        s->netns_fd = netns_fd;
        while ((entry = readdir(proc)))
                if (isdigit((unsigned char) entry->d_name[0]))
                        process_look(s, entry->d_name);
        for (size_t i = 0; i < sockets->n; i++) {
                holders.n_inside += (s->held[i] & HELD_INSIDE) != 0;
                if (s->held[i] != HELD_OUTSIDE)
                        continue;
                holders.n_outside++;
                holders.outside_pid = s->outside[i];
        }
        if (holders.n_outside > 0)
                name_read(holders.outside_pid, sizeof(holders.outside_name), holders.outside_name);
        *ret = holders;
        return 0;
}
