# SPDX-License-Identifier: LGPL-2.1-or-later
# The rules close IPv4 only: an nft "reject with icmp" in an inet table is one for IPv4.
# leak: L2 L6
# kind: killswitch
# wants: failed leak leak
carried_world
uplink_rule meta nfproto ipv6 accept
ip -n vpn -6 route add default via fd00:77::1 dev eth0 metric 2000
MORE+=(--unprivileged-clients)
