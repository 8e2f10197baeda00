# SPDX-License-Identifier: LGPL-2.1-or-later
# Two tunnels in one namespace: IPv4 by the one, IPv6 by the other.
# leak: L1 L2
# kind: egress
# wants: passed - through-tunnel
tunnel_world
background "$TOOLS/wire" /run/netns/vpn tun2 /run/netns/prov tun3
until ip -n prov link show tun3 >/dev/null 2>&1 && ip -n vpn link show tun2 >/dev/null 2>&1; do sleep 0.02; done
ip -n prov link set tun3 up
ip -n vpn link set tun2 up
address prov tun3 fd00:9::1/64
address vpn tun2 fd00:9::2/64
ip -n vpn -6 route replace default dev tun2
ip -n vpn -6 route del fd00:8::/64 dev tun0
