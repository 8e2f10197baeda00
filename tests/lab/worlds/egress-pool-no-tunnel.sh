# SPDX-License-Identifier: LGPL-2.1-or-later
# The same, and there is no tunnel at all: unequal addresses, which the folk test takes for good.
# leak: L1 L25
# kind: egress
# wants: unproven - no-tunnel-link
tunnel_world
nft 'table inet dual { chain post { type nat hook postrouting priority 90; ip saddr 10.77.0.2 snat ip to 192.0.2.66; }; }'
ip -n inet route add 192.0.2.66 via 192.0.2.2
ip -n vpn link set tun0 down
ip -n vpn route replace default via 10.77.0.1 dev eth0
SOURCES=(--echo "$ECHO4")
