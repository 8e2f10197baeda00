# SPDX-License-Identifier: LGPL-2.1-or-later
# TCP takes the tunnel, UDP does not: the web page says "VPN", torrents go out in clear.
# leak: L22
# kind: egress
# wants: failed leak same-address
tunnel_world
way_beside
ip -n vpn rule add ipproto udp lookup 77
