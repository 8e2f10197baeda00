# SPDX-License-Identifier: LGPL-2.1-or-later
# The echo servers are reached through the tunnel, a quarter of the world is not.
# leak: L1 L17
# kind: egress
# wants: failed leak open-way
tunnel_world
ip -n vpn route add 128.0.0.0/2 via 10.77.0.1 dev eth0
