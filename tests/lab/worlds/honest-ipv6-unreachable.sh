# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel is IPv4 alone and says "unreachable" to IPv6.
# leak: L2
# kind: egress
# wants: passed - through-tunnel
tunnel_world
ip -n vpn -6 route replace unreachable default metric 1
