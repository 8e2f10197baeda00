# SPDX-License-Identifier: LGPL-2.1-or-later
# The host has no IPv6, the tunnel has.
# leak: L2
# kind: egress
# wants: passed - through-tunnel
tunnel_world
ip -6 route del default
ip addr del 2001:db8:1::2/64 dev h0
