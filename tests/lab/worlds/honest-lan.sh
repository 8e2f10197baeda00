# SPDX-License-Identifier: LGPL-2.1-or-later
# The local network is reached beside the tunnel, as it should be.
# leak: L17
# kind: egress
# wants: passed - through-tunnel
tunnel_world
ip -n vpn route add 10.0.0.0/8 via 10.77.0.1 dev eth0
ip -n vpn route add 192.168.0.0/16 via 10.77.0.1 dev eth0
