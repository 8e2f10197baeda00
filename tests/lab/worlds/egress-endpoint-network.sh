# SPDX-License-Identifier: LGPL-2.1-or-later
# The route for the tunnel's endpoint is too wide: everything near it goes beside (TunnelCrack's ServerIP).
# leak: L17
# kind: egress
# wants: failed leak same-address
tunnel_world
ip -n vpn route add 198.51.0.0/16 via 10.77.0.1 dev eth0
