# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel is IPv6 alone: IPv4 has no way out.
# leak: L2
# kind: egress
# wants: passed - through-tunnel
tunnel_world
ip -n vpn route del default
ip -n vpn addr del 10.8.0.2/24 dev tun0
