/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* One packet socket for all links of the namespace, also for those that appear in the middle: what a link is
 * about to send passes it after every rule of the packet filter, and is then on its way. */

#include <errno.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>

#include "proofs/handles.h"
#include "proofs/killswitch.h"
#include "proofs/mutate.h"

enum { SNIFF_BUFFER = 16 * 1024 * 1024, SNIFF_LENGTH = 1024 };

void ks_sniffer_close(KsSniffer *sniffer) {
        handle_close(&sniffer->fd);
}

int ks_sniffer_open(KsSniffer *ret) {
        /* Only the beginning of each packet, so that much fits into the buffer. */
        struct sock_filter code[] = { BPF_STMT(BPF_RET | BPF_K, SNIFF_LENGTH) };
        const struct sock_fprog program = { .len = ARRAY_LENGTH(code), .filter = code };
        const int size = SNIFF_BUFFER;

        *ret = (KsSniffer){ .fd = -1 };
        if (getrandom(ret->nonce.run, sizeof(ret->nonce.run), 0) != (ssize_t) sizeof(ret->nonce.run))
                return -EIO;
        ret->fd = socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, htons(ETH_P_ALL));
        if (ret->fd < 0)
                return -errno;
        (void) setsockopt(ret->fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size));
        return setsockopt(ret->fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)) < 0 ? -errno : 0;
}

int ks_sniffer_dropped(KsSniffer *sniffer, unsigned *ret) {
        struct tpacket_stats stats;
        socklen_t size = sizeof(stats);

        if (getsockopt(sniffer->fd, SOL_PACKET, PACKET_STATISTICS, &stats, &size) < 0)
                return -errno;
        *ret = stats.tp_drops;
        return 0;
}

static void flow_count(KsSniffer *sniffer, const KsFlow *flow, bool outgoing, size_t length) {
        KsFlow *f = NULL;

        for (size_t i = 0; i < sniffer->n_flows && !f; i++)
                if (sniffer->flows[i].family == flow->family && sniffer->flows[i].port == flow->port &&
                    sniffer->flows[i].protocol == flow->protocol &&
                    address_equal(&sniffer->flows[i].remote, &flow->remote))
                        f = &sniffer->flows[i];
        if (!f && sniffer->n_flows < ARRAY_LENGTH(sniffer->flows)) {
                f = &sniffer->flows[sniffer->n_flows++];
                *f = *flow;
        }
        if (!f)
                return;
        f->sent += outgoing;
        f->received += !outgoing;
        f->bytes += length;
}

static void count(uint16_t *counter) {
        if (*counter < UINT16_MAX)
                (*counter)++;
}

static bool is_carrier(const KsRun *run, const KsFlow *flow) {
        return flow->family == run->carrier.family && flow->protocol == run->carrier.protocol &&
               flow->port == run->carrier.port && address_equal(&flow->remote, &run->carrier.remote);
}

static void outgoing_count(KsSniffer *sniffer, KsRun *run, const KsSighting *sighting, int link,
                           size_t length) {
        KsShot *shot = sighting->shot >= 0 ? &run->shots[sighting->shot] : NULL;

        if (link == run->scene.tunnel) {
                if (shot && !sighting->asking)
                        count(&shot->seen_inside[sighting->phase]);
                return;
        }
        if (shot) {
                count(sighting->asking ? &shot->seen_asking[sighting->phase]
                                       : &shot->seen_outside[sighting->phase]);
                shot->seen_link[sighting->phase] = link;
        } else if (sighting->flow.family != AF_UNSPEC) {
                run->others[sighting->phase] += !is_carrier(run, &sighting->flow);
                flow_count(sniffer, &sighting->flow, /* outgoing= */ true, length);
        }
}

/* Of what comes in only the carrier matters: its other end is where it comes from. */
static void incoming_count(KsSniffer *sniffer, uint16_t protocol, const uint8_t *packet, size_t length) {
        const size_t address = protocol == ETH_P_IPV6 ? 16 : 4, from = protocol == ETH_P_IPV6 ? 8 : 12;
        const size_t header = protocol == ETH_P_IPV6 ? 40 : (size_t) (packet[0] & 0x0f) * 4;
        KsFlow flow = { .family = protocol == ETH_P_IPV6 ? AF_INET6 : AF_INET };

        if ((protocol != ETH_P_IP && protocol != ETH_P_IPV6) || length < from + address ||
            length < header + 4)
                return;
        flow.protocol = packet[protocol == ETH_P_IPV6 ? 6 : 9];
        flow.remote = address_from_bytes(flow.family, packet + from);
        if (flow.protocol == IPPROTO_TCP || flow.protocol == IPPROTO_UDP)
                flow.port = (uint16_t) (packet[header] << 8 | packet[header + 1]);
        flow_count(sniffer, &flow, /* outgoing= */ false, length);
}

int ks_sniffer_read(KsSniffer *sniffer, KsRun *run, KsPhase now) {
        uint8_t packet[SNIFF_LENGTH] __attribute__((aligned(8)));

        for (;;) {
                struct sockaddr_ll from;
                socklen_t size = sizeof(from);
                ssize_t n = recvfrom(sniffer->fd, packet, sizeof(packet), MSG_DONTWAIT,
                                     (struct sockaddr *) &from, &size);
                const Link *link;
                KsSighting sighting;

                if (n < 0 && errno == EINTR)
                        continue;
                /* ENETDOWN: a link that it listened on went down, which is what is done here. */
                if (n < 0 && errno == ENETDOWN)
                        continue;
                if (n < 0)
                        return errno == EAGAIN ? 0 : -errno;
                link = links_find(&run->scene.links, from.sll_ifindex);
                if (n == 0 || (link && (link->flags & IFF_LOOPBACK)) || mutation_is_on("sniffer"))
                        continue;
                if (from.sll_pkttype != PACKET_OUTGOING) {
                        if (from.sll_ifindex != run->scene.tunnel)
                                incoming_count(sniffer, ntohs(from.sll_protocol), packet, (size_t) n);
                        continue;
                }
                ks_recognize(&sniffer->nonce, run->shots, run->n_shots, now, ntohs(from.sll_protocol), packet,
                             (size_t) n, &sighting);
                outgoing_count(sniffer, run, &sighting, from.sll_ifindex, (size_t) n);
        }
}
