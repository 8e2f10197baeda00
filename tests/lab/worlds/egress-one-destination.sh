# SPDX-License-Identifier: LGPL-2.1-or-later
# One destination only is routed past the tunnel.
# leak: L1
# kind: egress
# wants: failed leak same-address
tunnel_world
ip -n vpn route add 198.51.100.11 via 10.77.0.1 dev eth0
