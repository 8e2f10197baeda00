# SPDX-License-Identifier: LGPL-2.1-or-later
# IPv6 would leave by the container's network, and a rule of the kill switch drops it.
# leak: L2
# kind: egress
# wants: passed - through-tunnel
tunnel_world
address vpn eth0 fd00:77::2/64
ip -n vpn -6 route replace default via fd00:77::1 dev eth0
nft_in vpn 'table inet k { chain o { type filter hook output priority 0; oifname "eth0" meta nfproto ipv6 drop; }; }'
