/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One user's look at the world: the namespaces, files and IDs of one process of the client. */

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "proofs/child.h"
#include "proofs/dns.h"
#include "proofs/handles.h"
#include "proofs/mutate.h"
#include "proofs/netns.h"
#include "proofs/sniffer.h"
#include "proofs/util.h"

/* Symbolic links in it, also absolute ones, are followed below the process's root and nowhere else. */
int dns_file_read(const Process *process, const char *path, char **ret) {
        const struct open_how how = { .flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK,
                                      .resolve = RESOLVE_IN_ROOT };
        CLEANUP(handle_close) int root = -1, fd = -1;
        struct stat st;

        root = mutation_is_on("dns-root")
                       ? open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)
                       : openat(process->proc_fd, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (root < 0)
                return -errno;
        fd = (int) syscall(SYS_openat2, root, path, &how, sizeof(how));
        if (fd < 0 || fstat(fd, &st) < 0)
                return -errno;
        return S_ISREG(st.st_mode) ? file_read_fd(fd, DNS_FILE_MAX - 1, ret, NULL) : -EBADF;
}

static void config_look(const DnsOrder *order, DnsLook *look) {
        CLEANUP(handle_free) char *config = NULL, *names = NULL;
        int r;

        r = dns_file_read(order->process, "etc/resolv.conf", &config);
        if (r < 0 && r != -ENOENT)
                look->config_error = -r;
        (void) snprintf(look->config_text, sizeof(look->config_text), "%s", config ?: "");
        dns_config_parse(look->config_text, &look->config);
        if (dns_file_read(order->process, "etc/nsswitch.conf", &names) >= 0)
                dns_hosts_line(names, sizeof(look->hosts_line), look->hosts_line);
}

static void target_add(DnsLook *look, DnsRole role, const DnsServer *server, uint16_t port) {
        for (int tcp = 0; tcp < 2; tcp++) {
                bool known = look->n_targets == DNS_TARGETS_MAX;

                for (size_t i = 0; i < look->n_targets && !known; i++) {
                        const DnsTarget *t = &look->targets[i];

                        known = t->port == port && t->tcp == (tcp != 0) &&
                                address_equal(&t->server.address, &server->address) &&
                                strcmp(t->server.scope, server->scope) == 0;
                }
                if (!known)
                        look->targets[look->n_targets++] = (DnsTarget){ role, *server, port, tcp != 0 };
        }
}

/* DNS, DNS over TLS and QUIC, mDNS, LLMNR. */
static int targets_list(const DnsOrder *order, DnsLook *look) {
        static const uint16_t ports[] = { DNS_PORT, 853, 5353, 5355 };
        static const char *const local[] = { "127.0.0.11", "127.0.0.53" };
        DnsServer neighbours[DNS_NEIGHBOURS_MAX];
        size_t n = 0;
        int r;

        r = dns_neighbours(&look->links, order->interface, neighbours, &n);
        if (r < 0)
                return r;
        for (size_t i = 0; i < look->config.n; i++)
                target_add(look, DNS_NAMESERVER, &look->config.servers[i], DNS_PORT);
        for (size_t i = 0; i < ARRAY_LENGTH(local) && !mutation_is_on("dns-local"); i++) {
                DnsServer server = { .scope = "" };

                (void) address_parse(local[i], &server.address);
                target_add(look, DNS_LOCAL, &server, DNS_PORT);
        }
        for (size_t i = 0; i < n; i++)
                for (size_t k = 0; k < (mutation_is_on("dns-ports") ? 1 : ARRAY_LENGTH(ports)); k++)
                        target_add(look, DNS_NEIGHBOUR, &neighbours[i], ports[k]);
        return 0;
}

static int routes_look(const DnsOrder *order, DnsLook *look) {
        CLEANUP(handle_router) Router *router = NULL;
        int r;

        r = router_open(&router);
        for (size_t i = 0; i < look->n_targets && r >= 0; i++) {
                DnsTry *try = &look->tries[i];

                if (look->targets[i].server.scope[0])
                        try->route.link = (int) if_nametoindex(look->targets[i].server.scope);
                else
                        r = router_ask(router, &look->targets[i].server.address, order->uid, &try->route);
        }
        return r;
}

int dns_look(void *userdata, void *result) {
        CLEANUP(handle_close) int net = -1, sniffer = -1;
        const DnsOrder *order = userdata;
        DnsLook *look = result;
        Place place = PLACE_NONE;
        int r;

        look->uid = order->uid;
        look->pid = order->process->pid;
        r = process_namespace(order->process, "net", &net);
        if (r >= 0)
                r = netns_enter(net);
        if (r >= 0)
                r = netns_cookie_here(&look->cookie);
        if (r >= 0)
                r = links_read(&look->links);
        if (r < 0)
                return r;
        config_look(order, look);
        r = targets_list(order, look);
        if (r >= 0)
                r = routes_look(order, look);
        if (r >= 0)
                r = socket_inodes_list(DNS_PORT, &look->sockets);
        if (r >= 0)
                r = sniffer_open(&sniffer);
        /* From here on as the client: what was opened before stays open. */
        if (r >= 0)
                r = place_enter(order->process, &place);
        if (r >= 0 && !mutation_is_on("dns-user"))
                r = place_wear(&place);
        if (r < 0)
                return r;
        helpers_try(look->helpers);
        r = dns_ask(order, sniffer, look);
        place_shed(&place);
        if (r >= 0 && !mutation_is_on("dns-unresolved"))
                r = dns_hops_look(look);
        child_bind();
        return r;
}
