# SPDX-License-Identifier: LGPL-2.1-or-later
# Routes as DHCP option 121 pushes them: two halves of the world, more specific than the tunnel's (TunnelVision).
# leak: L18
# kind: egress
# wants: failed leak same-address
tunnel_world
ip -n vpn route add 0.0.0.0/1 via 10.77.0.1 dev eth0
ip -n vpn route add 128.0.0.0/1 via 10.77.0.1 dev eth0
