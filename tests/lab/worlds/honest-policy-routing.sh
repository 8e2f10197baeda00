# SPDX-License-Identifier: LGPL-2.1-or-later
# As wg-quick does it: the tunnel's default route stands in a table of its own, marked packets are the tunnel's.
# leak: L12
# kind: egress
# wants: passed - through-tunnel
tunnel_world
ip -n vpn route del default
ip -n vpn route add default via 10.77.0.1 dev eth0
ip -n vpn route add default dev tun0 table 51820
ip -n vpn rule add not fwmark 51820 table 51820
ip -n vpn rule add table main suppress_prefixlength 0
