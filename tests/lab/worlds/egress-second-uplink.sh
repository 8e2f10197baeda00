# SPDX-License-Identifier: LGPL-2.1-or-later
# It leaks by another address of the host than the one that the host itself is seen at.
# leak: L1
# kind: egress
# wants: failed leak same-address
tunnel_world
address inet i0 192.0.2.65/24
address host h0 192.0.2.77/24
nft 'table inet dual { chain post { type nat hook postrouting priority 90; ip saddr 10.77.0.2 snat ip to 192.0.2.77; }; }'
ip -n vpn route replace default via 10.77.0.1 dev eth0
