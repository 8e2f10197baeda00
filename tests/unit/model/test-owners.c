/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>

#include "tests/unit/model/case.h"

/* owners.c and tunnels.c: whose network namespace, who is a tunnel, who a client. */

static const Case cases[] = {
        {
                .name = "a tunnel and its client",
                .yaml = "services:\n"
                        "  qbittorrent: {image: q, network_mode: 'service:vpn', depends_on: {vpn: {condition: service_started}}}\n"
                        "  sonarr: {image: s}\n"
                        "  vpn: {image: v, cap_add: [NET_ADMIN]}\n",
                .has = {
                        "vpn: network own, owner, tunnel",
                        "qbittorrent: network join of vpn, client",
                        "qbittorrent: unit media-qbittorrent.service, container media-qbittorrent, pod media-vpn",
                        "vpn: unit media-vpn.service, container media-vpn, pod media-vpn",
                        "sonarr: unit media-sonarr.service, container media-sonarr, pod -",
                        "proof egress qbittorrent of vpn",
                        "proof binding qbittorrent of vpn",
                        "why egress qbittorrent: qbittorrent joins the network namespace of vpn, which holds NET_ADMIN",
                        "span egress qbittorrent: 2:41",
                        "proof engine media",
                },
                .lacks = { "note", "warning", "proof egress vpn", "proof egress sonarr" },
        },
        {
                .name = "joiners of a service without power over routes are no clients",
                .yaml = "services:\n"
                        "  a: {image: a, network_mode: 'service:b'}\n"
                        "  b: {image: b, cap_add: [NET_RAW], devices: [{source: /dev/net/tap, target: /dev/net/tun}]}\n",
                .has = { "a: network join of b", "b: network own, owner", "a: needs b started, restart" },
                .lacks = { "proof egress", "proof binding", "note" },
        },
        {
                .name = "CAP_NET_ADMIN in small letters",
                .yaml = "services:\n  a: {network_mode: 'service:b'}\n  b: {cap_add: [cap_net_admin]}\n",
                .has = { "b: network own, owner, tunnel" },
        },
        {
                .name = "all capabilities",
                .yaml = "services:\n  a: {network_mode: 'service:b'}\n  b: {cap_add: [ALL]}\n",
                .has = { "b: network own, owner, tunnel" },
        },
        {
                .name = "privileged",
                .yaml = "services:\n  a: {network_mode: 'service:b'}\n  b: {privileged: true}\n",
                .has = { "why egress a: a joins the network namespace of b, which is privileged" },
        },
        {
                .name = "the tun device, long form",
                .yaml = "services:\n  a: {network_mode: 'service:b'}\n"
                        "  b: {devices: [{source: /dev/net/tun, target: /dev/net/tun, permissions: rwm}]}\n",
                .has = { "why egress a: a joins the network namespace of b, which has /dev/net/tun" },
        },
        {
                .name = "the tun device, short form",
                .yaml = "services:\n  a: {network_mode: 'service:b'}\n  b: {devices: ['/dev//net/tun:/dev/net/tun']}\n",
                .has = { "b: network own, owner, tunnel" },
        },
        {
                .name = "container: by container_name",
                .yaml = "services:\n  a: {network_mode: 'container:gluetun-test'}\n"
                        "  b: {container_name: gluetun-test, cap_add: [NET_ADMIN]}\n",
                .has = { "a: network join of b, client", "note depends-added 2:21" },
        },
        {
                .name = "container: by the name that Compose gives",
                .yaml = "name: films\nservices:\n  a: {network_mode: 'container:films-b-1'}\n  b: {cap_add: [NET_ADMIN]}\n",
                .has = { "a: network join of b, client" },
        },
        {
                .name = "container: of another stack",
                .yaml = "services:\n  a: {network_mode: 'container:gluetun'}\n",
                .has = { "a: network foreign gluetun", "warning foreign-network 2:21" },
                .lacks = { "error", "proof egress" },
        },
        {
                .name = "container: by the name of a service, which is none of a container",
                .yaml = "services:\n  a: {network_mode: 'container:b'}\n  b: {container_name: other}\n",
                .has = { "error unknown-container 2:21", "no stack" },
        },
        {
                .name = "a chain that ends at a container of another stack",
                .yaml = "services:\n  a: {network_mode: 'service:b'}\n  b: {network_mode: 'container:c'}\n",
                .has = { "a: network foreign c", "b: network foreign c", "warning foreign-network 2:21",
                         "warning foreign-network 3:21" },
        },
        {
                .name = "service: that does not exist",
                .yaml = "services:\n  a: {network_mode: 'service:gluetan'}\n  gluetun: {}\n",
                .has = { "error unknown-service 2:21" },
        },
        {
                .name = "a chain ends at the one that has the namespace",
                .yaml = "services:\n  a: {network_mode: 'service:b'}\n  b: {network_mode: 'service:c'}\n"
                        "  c: {cap_add: [NET_ADMIN]}\n",
                .has = { "a: network join of c, client", "b: network join of c, client", "a: needs c started, restart",
                         "a: unit media-a.service, container media-a, pod media-c" },
        },
        {
                .name = "a circle of three",
                .yaml = "services:\n  a: {network_mode: 'service:b'}\n  b: {network_mode: 'service:c'}\n"
                        "  c: {network_mode: 'service:a'}\n  d: {network_mode: 'service:a'}\n",
                .has = { "error cycle 2:21" },
                .lacks = { "error cycle 3", "error cycle 4", "error cycle 5" },
        },
        {
                .name = "joining oneself",
                .yaml = "services:\n  a: {network_mode: 'service:a'}\n",
                .has = { "error cycle 2:21" },
        },
        {
                .name = "an owner in the host's network",
                .yaml = "services:\n  a: {network_mode: 'service:b'}\n  b: {network_mode: host}\n",
                .has = { "a: network host", "b: network host", "note network-mode 2:21" },
                .lacks = { "warning", "a: needs" },
        },
        {
                .name = "a tunnel in the host's network proves nothing",
                .yaml = "services:\n  a: {network_mode: 'service:b'}\n  b: {network_mode: host, cap_add: [NET_ADMIN]}\n",
                .has = { "a: network host", "warning no-tunnel 2:21" },
                .lacks = { "proof egress" },
        },
        {
                .name = "an owner without network",
                .yaml = "services:\n  a: {network_mode: 'service:b'}\n  b: {network_mode: none, cap_add: [NET_ADMIN]}\n",
                .has = { "a: network none", "note network-mode 2:21" },
                .lacks = { "warning", "proof egress" },
        },
        {
                .name = "what is called like a VPN and has no power is no tunnel, which is said",
                .yaml = "services:\n  a: {network_mode: 'service:b'}\n  b: {image: qmcgaw/gluetun}\n",
                .has = { "warning no-tunnel 2:21" },
                .lacks = { "proof egress" },
        },
        {
                .name = "unless the operator knows",
                .yaml = "services:\n  a: {network_mode: 'service:b'}\n"
                        "  b: {image: qmcgaw/gluetun, x-unitproof: {tunnel: false}}\n",
                .lacks = { "warning", "proof egress" },
        },
        {
                .name = "bridge is a network of its own",
                .yaml = "services:\n  a: {network_mode: bridge}\n",
                .has = { "a: network own" },
        },
        {
                .name = "a network by name",
                .yaml = "services:\n  a: {network_mode: lan}\n",
                .has = { "error network-mode 2:21" },
        },
        {
                .name = "a native tunnel",
                .yaml = "services:\n  a: {network_mode: 'tunnel:vpn'}\n",
                .has = { "error not-supported 2:21" },
        },
        {
                .name = "the operator says that it is no tunnel",
                .yaml = "services:\n  a: {network_mode: 'service:b'}\n"
                        "  b: {cap_add: [NET_ADMIN], x-unitproof: {tunnel: false}}\n",
                .has = { "b: network own, owner" },
                .lacks = { "proof egress", "warning", "note" },
        },
        {
                .name = "the operator says that it is one",
                .yaml = "services:\n  a: {network_mode: 'service:b'}\n  b: {x-unitproof: {tunnel: true}}\n",
                .has = { "b: network own, owner, tunnel",
                         "why egress a: a joins the network namespace of b, which is said to be a tunnel by x-unitproof" },
        },
        {
                .name = "a joiner cannot be a tunnel",
                .yaml = "services:\n  a: {network_mode: 'service:b', x-unitproof: {tunnel: true}}\n  b: {}\n",
                .has = { "error wrong-value 2:56" },
        },
        {
                .name = "a tunnel that nobody joins",
                .yaml = "services:\n  a: {x-unitproof: {tunnel: true}}\n",
                .has = { "warning unused-option 2:29" },
        },
        {
                .name = "an overlay network is a tunnel, with a warning",
                .yaml = "services:\n  a: {network_mode: 'service:b'}\n  b: {image: 'tailscale/tailscale:v1', cap_add: [NET_ADMIN]}\n",
                .has = { "warning tunnel-inferred 3:3", "proof egress a of b" },
        },
        {
                .name = "a client that can change the tunnel's routes",
                .yaml = "services:\n  a: {network_mode: 'service:b', cap_add: [NET_ADMIN]}\n  b: {cap_add: [NET_ADMIN]}\n",
                .has = { "warning client-power 2:21", "proof egress a of b" },
        },
        {
                .name = "a tunnel inside the network of somebody else",
                .yaml = "services:\n  a: {network_mode: 'service:b'}\n  b: {network_mode: 'service:c', cap_add: [NET_ADMIN]}\n  c: {}\n",
                .has = { "warning no-tunnel 3:21" },
                .lacks = { "proof egress" },
        },
};

CASES_MAIN(cases)
