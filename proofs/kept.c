/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/kept.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "proofs/handles.h"
#include "proofs/route.h"
#include "proofs/rtnl-dump.h"

enum { ROUNDS_MAX = 4, IDENTITY_SIZE = 4096 };

static const char kept_magic[8] = "unitkep1";

void kept_done(Kept *kept) {
        free(kept->messages);
        *kept = (Kept){ .messages = NULL };
}

typedef struct Reading {
        Kept *kept;
        size_t capacity;
} Reading;

static int reading_add(Reading *reading, const struct nlmsghdr *message) {
        KeptHead *head = &reading->kept->head;
        size_t length = NLMSG_ALIGN(message->nlmsg_len);

        if (head->n == KEPT_MESSAGES_MAX || head->length + length > KEPT_SIZE_MAX)
                return -E2BIG;
        if (head->length + length > reading->capacity) {
                size_t capacity = 2 * reading->capacity + length + 4096;
                uint8_t *messages = realloc(reading->kept->messages, capacity);

                if (!messages)
                        return -ENOMEM;
                reading->kept->messages = messages;
                reading->capacity = capacity;
        }
        memset(reading->kept->messages + head->length, 0, length);
        memcpy(reading->kept->messages + head->length, message, message->nlmsg_len);
        head->length += (uint32_t) length;
        head->n++;
        return 0;
}

static int on_address(const struct nlmsghdr *message, void *userdata) {
        const struct ifaddrmsg *address = nlmsg_data(message);
        Reading *reading = userdata;

        return (int) address->ifa_index == reading->kept->head.index ? reading_add(reading, message) : 0;
}

/* Those of addresses come back with their addresses. */
static int on_route(const struct nlmsghdr *message, void *userdata) {
        const struct rtmsg *route = nlmsg_data(message);
        Reading *reading = userdata;

        if ((route->rtm_flags & RTM_F_CLONED) || route->rtm_type != RTN_UNICAST ||
            !rtnl_route_uses(message, reading->kept->head.index))
                return 0;
        if (nlmsg_find_attr((struct nlmsghdr *) message, sizeof(*route), RTA_NH_ID))
                return -ENOTSUP;
        return reading_add(reading, message);
}

int kept_read(int index, Kept *ret) {
        CLEANUP(kept_done) Kept kept = { .head = { .index = index } };
        Reading reading = { .kept = &kept };
        LinkSet links;
        const Link *link;
        int r;

        memcpy(kept.head.magic, kept_magic, sizeof(kept_magic));
        r = links_read(&links);
        if (r < 0)
                return r;
        link = links_find(&links, index);
        if (!link)
                return -ENODEV;
        kept.head.flags = link->flags;
        memcpy(kept.head.name, link->name, sizeof(kept.head.name));
        for (size_t i = 0; i < 2 && r >= 0; i++)
                r = rtnl_dump(RTNL_ADDRESSES, i == 0 ? AF_INET : AF_INET6, on_address, &reading);
        for (size_t i = 0; i < 2 && r >= 0; i++)
                r = rtnl_dump(RTNL_ROUTES, i == 0 ? AF_INET : AF_INET6, on_route, &reading);
        if (r < 0)
                return r;
        *ret = kept;
        kept.messages = NULL;
        return 0;
}

static bool write_all(int fd, const void *data, size_t length) {
        const char *p = data;

        while (length > 0) {
                ssize_t n = write(fd, p, length);

                if (n < 0 && errno == EINTR)
                        continue;
                if (n <= 0)
                        return false;
                p += n;
                length -= (size_t) n;
        }
        return true;
}

int kept_save(int dir_fd, const char *name, const Kept *kept) {
        CLEANUP(handle_free) char *temporary = text_format("%s~", name);
        CLEANUP(handle_close) int fd = -1;

        if (!temporary)
                return -ENOMEM;
        (void) unlinkat(dir_fd, temporary, 0);
        fd = openat(dir_fd, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd < 0)
                return -errno;
        errno = EIO;
        if (!write_all(fd, &kept->head, sizeof(kept->head)) ||
            !write_all(fd, kept->messages, kept->head.length) || fsync(fd) < 0 ||
            renameat(dir_fd, temporary, dir_fd, name) < 0 || fsync(dir_fd) < 0)
                return -errno;
        return 0;
}

/* Every message lies within the whole. */
static bool messages_are_whole(const Kept *kept) {
        uint32_t n = 0;

        for (size_t at = 0; at < kept->head.length; n++) {
                const struct nlmsghdr *message = (const void *) (kept->messages + at);

                if (kept->head.length - at < sizeof(*message) || message->nlmsg_len < sizeof(*message) ||
                    NLMSG_ALIGN((size_t) message->nlmsg_len) > kept->head.length - at ||
                    (message->nlmsg_type != RTM_NEWADDR && message->nlmsg_type != RTM_NEWROUTE) ||
                    !nlmsg_valid_hdr(message, message->nlmsg_type == RTM_NEWADDR
                                                      ? (int) sizeof(struct ifaddrmsg)
                                                      : (int) sizeof(struct rtmsg)))
                        return false;
                at += NLMSG_ALIGN(message->nlmsg_len);
        }
        return n == kept->head.n;
}

int kept_load(int dir_fd, const char *name, Kept *ret) {
        CLEANUP(kept_done) Kept kept = { .messages = NULL };
        CLEANUP(handle_free) char *text = NULL;
        CLEANUP(handle_close) int fd = -1;
        struct stat st;
        size_t length;
        int r;

        fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (fd < 0)
                return -errno;
        if (fstat(fd, &st) < 0)
                return -errno;
        if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || (st.st_mode & 077) != 0)
                return -EBADMSG;
        r = file_read_fd(fd, sizeof(KeptHead) + KEPT_SIZE_MAX, &text, &length);
        if (r < 0)
                return r;
        if (length < sizeof(KeptHead))
                return -EBADMSG;
        memcpy(&kept.head, text, sizeof(KeptHead));
        if (memcmp(kept.head.magic, kept_magic, sizeof(kept_magic)) != 0 ||
            kept.head.length != length - sizeof(KeptHead) || kept.head.n > KEPT_MESSAGES_MAX ||
            !memchr(kept.head.boot_id, '\0', sizeof(kept.head.boot_id)) ||
            !memchr(kept.head.invocation_id, '\0', sizeof(kept.head.invocation_id)) ||
            !memchr(kept.head.name, '\0', sizeof(kept.head.name)))
                return -EBADMSG;
        kept.messages = malloc(kept.head.length + 1);
        if (!kept.messages)
                return -ENOMEM;
        memcpy(kept.messages, text + sizeof(KeptHead), kept.head.length);
        if (!messages_are_whole(&kept))
                return -EBADMSG;
        *ret = kept;
        kept.messages = NULL;
        return 0;
}

int link_set_up(int index, bool up) {
        CLEANUP(handle_nl_socket) struct nl_sock *socket = NULL;
        struct {
                struct nlmsghdr header;
                struct ifinfomsg link;
        } message = {
                .header = { .nlmsg_len = sizeof(message), .nlmsg_type = RTM_NEWLINK },
                .link = { .ifi_index = index, .ifi_flags = up ? IFF_UP : 0, .ifi_change = IFF_UP },
        };
        int r;

        r = rtnl_open(&socket);
        return r < 0 ? r : rtnl_replay(socket, &message.header, RTM_NEWLINK, 0);
}

typedef struct Search {
        const uint8_t *identity;
        size_t length;
        bool found;
} Search;

static int on_candidate(const struct nlmsghdr *message, void *userdata) {
        uint8_t identity[IDENTITY_SIZE];
        Search *search = userdata;
        size_t length = rtnl_identity(message, sizeof(identity), identity);

        search->found |= length == search->length && memcmp(identity, search->identity, length) == 0;
        return 0;
}

static int message_is_there(const struct nlmsghdr *message) {
        uint8_t identity[IDENTITY_SIZE];
        Search search = {
                .identity = identity,
                .length = rtnl_identity(message, sizeof(identity), identity),
        };
        int r;

        r = rtnl_dump(message->nlmsg_type == RTM_NEWADDR ? RTNL_ADDRESSES : RTNL_ROUTES,
                      *(const uint8_t *) nlmsg_data(message), on_candidate, &search);
        return r < 0 ? r : search.found;
}

#define for_each_message(message, kept)                                                                      \
        for (const struct nlmsghdr *message = (const void *) (kept)->messages;                               \
             (const uint8_t *) message < (kept)->messages + (kept)->head.length;                             \
             message = (const void *) ((const uint8_t *) message + NLMSG_ALIGN(message->nlmsg_len)))

int kept_compare(const Kept *kept, KeptReport *ret) {
        KeptReport report = { .n_back = 0 };

        for_each_message(message, kept) {
                int r = message_is_there(message);

                if (r < 0)
                        return r;
                if (r == 1)
                        report.n_back++;
                else if (report.n_missing++ == 0)
                        rtnl_text(message, sizeof(report.missing), report.missing);
        }
        *ret = report;
        return 0;
}

/* Some need others that stand later in the list (a gateway, the route to it). */
static int replay_all(const Kept *kept) {
        CLEANUP(handle_nl_socket) struct nl_sock *socket = NULL;
        int r;

        r = rtnl_open(&socket);
        if (r < 0)
                return r;
        for (unsigned round = 0; round < ROUNDS_MAX; round++) {
                unsigned n_refused = 0;

                for_each_message(message, kept) {
                        r = message_is_there(message);
                        if (r < 0)
                                return r;
                        if (r == 0 && rtnl_replay(socket, message, message->nlmsg_type,
                                                  NLM_F_CREATE | NLM_F_REPLACE) < 0)
                                n_refused++;
                }
                if (n_refused == 0)
                        return 0;
        }
        return 0;
}

int kept_restore(const Kept *kept, KeptReport *ret) {
        KeptReport report = { .n_back = 0 };
        const Link *link;
        LinkSet links;
        int r;

        r = links_read(&links);
        if (r < 0)
                return r;
        link = links_find(&links, kept->head.index);
        if (!link || strcmp(link->name, kept->head.name) != 0) {
                *ret = (KeptReport){ .gone = true };
                return 0;
        }
        r = link_set_up(kept->head.index, true);
        if (r >= 0)
                r = replay_all(kept);
        if (r >= 0)
                r = kept_compare(kept, &report);
        if (r < 0 || report.n_missing > 0)
                report.down = link_set_up(kept->head.index, false) >= 0;
        if (r < 0)
                return r;
        *ret = report;
        return 0;
}
