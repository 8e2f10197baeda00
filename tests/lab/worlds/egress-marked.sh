# SPDX-License-Identifier: LGPL-2.1-or-later
# A rule of the packet filter marks packets and sends them elsewhere than the routes say.
# leak: L12
# kind: egress
# wants: unproven - counters-still
tunnel_world
way_beside
nft_in vpn 'table ip m { chain o { type route hook output priority -150; ip daddr 198.51.100.10 meta mark set 7; }; }'
ip -n vpn rule add fwmark 7 lookup 77
nft 'table inet dual { chain post { type nat hook postrouting priority 90; ip saddr { 10.77.0.2, 10.8.0.2 } snat ip to 192.0.2.66; }; }'
ip -n inet route add 192.0.2.66 via 192.0.2.2
ip -n host route add 10.8.0.2 via 10.77.0.2
SOURCES=(--echo "$ECHO4")
