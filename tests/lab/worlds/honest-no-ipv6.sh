# SPDX-License-Identifier: LGPL-2.1-or-later
# The namespace has no IPv6 at all.
# leak: L2
# kind: egress
# wants: passed - through-tunnel
tunnel_world
sysctls vpn ipv6/conf/all/disable_ipv6=1 ipv6/conf/default/disable_ipv6=1
