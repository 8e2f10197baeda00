/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/handles.h"
#include "proofs/killswitch.h"

/* Names are for good: evidence, documentation and the tests of these tests speak of them. */
const KsProbe ks_probes[] = {
        { "tcp", KS_TCP, KS_TO_EVERYWHERE, KS_BY_ROUTE, KS_REACH_WORLD, true, false, "a new TCP connection" },
        { "udp", KS_UDP, KS_TO_EVERYWHERE, KS_BY_ROUTE, KS_REACH_WORLD, true, false, "a new datagram" },
        { "ping", KS_PING, KS_TO_SERVER, KS_BY_ROUTE, KS_REACH_WORLD, true, false,
          "an ICMP echo request by a ping socket" },
        { "icmp", KS_ICMP, KS_TO_SERVER, KS_BY_ROUTE, KS_REACH_WORLD, false, true,
          "an ICMP echo request by a raw socket" },
        { "flow-tcp", KS_FLOW_TCP, KS_TO_SERVER, KS_BY_ROUTE, KS_REACH_WORLD, true, false,
          "data on a TCP connection that was made through the tunnel" },
        { "flow-udp", KS_FLOW_UDP, KS_TO_SERVER, KS_BY_ROUTE, KS_REACH_WORLD, true, false,
          "a datagram of a flow that began in the tunnel" },
        { "device-tcp", KS_TCP, KS_TO_SERVER, KS_BY_DEVICE, KS_REACH_WORLD, true, false,
          "a TCP connection bound to an uplink (SO_BINDTODEVICE)" },
        { "device-udp", KS_UDP, KS_TO_SERVER, KS_BY_DEVICE, KS_REACH_WORLD, true, false,
          "a datagram bound to an uplink" },
        { "source-tcp", KS_TCP, KS_TO_SERVER, KS_BY_SOURCE, KS_REACH_WORLD, true, false,
          "a TCP connection from an uplink's own address" },
        { "source-udp", KS_UDP, KS_TO_SERVER, KS_BY_SOURCE, KS_REACH_WORLD, true, false,
          "a datagram from an uplink's own address" },
        { "mark-tcp", KS_TCP, KS_TO_SERVER, KS_BY_MARK, KS_REACH_WORLD, false, true,
          "a TCP connection with the mark of a routing rule" },
        { "mark-udp", KS_UDP, KS_TO_SERVER, KS_BY_MARK, KS_REACH_WORLD, false, true,
          "a datagram with the mark of a routing rule" },
        { "frame", KS_FRAME, KS_TO_SERVER, KS_BY_DEVICE, KS_REACH_WORLD, false, true,
          "a frame handed to an uplink by a packet socket" },
        { "endpoint-tcp", KS_TCP, KS_TO_ENDPOINT, KS_BY_ROUTE, KS_REACH_WORLD, true, false,
          "a TCP connection to the VPN server's address" },
        { "endpoint-udp", KS_UDP, KS_TO_ENDPOINT, KS_BY_ROUTE, KS_REACH_WORLD, true, false,
          "a datagram to another port of the VPN server's address" },
        { "dns-udp", KS_DNS_UDP, KS_TO_RESOLVERS, KS_BY_ROUTE, KS_REACH_WORLD, true, false,
          "a DNS query to a resolver of the tunnel's resolv.conf" },
        { "dns-tcp", KS_DNS_TCP, KS_TO_RESOLVERS, KS_BY_ROUTE, KS_REACH_WORLD, true, false,
          "the same over TCP" },
        { "gateway-dns-udp", KS_DNS_UDP, KS_TO_GATEWAYS, KS_BY_ROUTE, KS_REACH_RESOLVER, true, false,
          "a DNS query to the uplink's gateway" },
        { "gateway-dns-tcp", KS_DNS_TCP, KS_TO_GATEWAYS, KS_BY_ROUTE, KS_REACH_RESOLVER, true, false,
          "the same over TCP" },
        { "neighbour", KS_UDP, KS_TO_NEIGHBOURS, KS_BY_ROUTE, KS_REACH_LAN, true, false,
          "a datagram to the gateway or another machine on the uplink" },
        { "multicast", KS_UDP, KS_TO_GROUPS, KS_BY_DEVICE, KS_REACH_LAN, true, false,
          "a datagram to SSDP, LSD, mDNS or all nodes on an uplink" },
};

const size_t ks_n_probes = ARRAY_LENGTH(ks_probes);

const char *ks_phase_name(KsPhase phase) {
        static const char *const names[_KS_PHASE_MAX] = {
                [KS_PHASE_UP] = "up",
                [KS_PHASE_DOWN] = "down",
                [KS_PHASE_DEAD] = "dead",
        };

        return names[phase];
}
