# SPDX-License-Identifier: LGPL-2.1-or-later
# IPv6 goes into a black hole, as some images have it.
# leak: L2
# kind: egress
# wants: passed - through-tunnel
tunnel_world
ip -n vpn -6 route replace blackhole default metric 1
