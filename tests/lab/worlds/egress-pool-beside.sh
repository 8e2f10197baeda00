# SPDX-License-Identifier: LGPL-2.1-or-later
# It leaks from a pool in front of the host (CGNAT): the address is not the host's, and yet it is no tunnel.
# leak: L1
# kind: egress
# wants: failed leak other-link
tunnel_world
nft 'table inet dual { chain post { type nat hook postrouting priority 90; ip saddr 10.77.0.2 snat ip to 192.0.2.66; }; }'
ip -n inet route add 192.0.2.66 via 192.0.2.2
ip -n vpn route replace default via 10.77.0.1 dev eth0
SOURCES=(--echo "$ECHO4")
