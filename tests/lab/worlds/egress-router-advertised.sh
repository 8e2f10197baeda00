# SPDX-License-Identifier: LGPL-2.1-or-later
# A router on the container's network advertises itself for IPv6, with high preference (TunnelVision's IPv6 sister).
# leak: L2 L18
# kind: egress
# wants: failed leak
# says: 2001:db8:77:|beside the tunnel|host's own
tunnel_world
ip -n vpn -6 route del default
ip -n vpn -6 route add default dev tun0 metric 2000
sysctls vpn ipv6/conf/eth0/accept_ra=2
address host v0 2001:db8:77::1/64
background "$TOOLS/odd" advert v0 2001:db8:77::
for _ in $(seq 100); do ip -n vpn -6 route show default | grep -q 'dev eth0' && break; sleep 0.05; done
