# SPDX-License-Identifier: LGPL-2.1-or-later
# A routing rule sends port 53 past the tunnel.
# leak: L3
# kind: dns
# wants: failed leak resolver-beside
tunnel_world
resolv_client 10.8.0.1
way_beside
ip -n vpn rule add ipproto udp dport 53 lookup 77
