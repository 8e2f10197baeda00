# SPDX-License-Identifier: LGPL-2.1-or-later
# The smallest MTU that IPv6 allows, on both ends.
# leak: L1
# kind: egress
# wants: passed - through-tunnel
tunnel_world
ip -n vpn link set tun0 mtu 1280
ip -n prov link set tun1 mtu 1280
