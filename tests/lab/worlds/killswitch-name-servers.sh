# SPDX-License-Identifier: LGPL-2.1-or-later
# Port 53 is open everywhere, so that the tunnel can find its server.
# leak: L3
# kind: killswitch
# wants: failed leak leak
# says: dns
carried_world
uplink_rule meta l4proto '{ udp, tcp }' th dport 53 accept
in_netns inet ip addr add 198.51.100.53/32 dev lo
printf 'nameserver 198.51.100.53\n' >/run/world-resolv
service_stop vpn.service
PROPERTIES=(-p BindReadOnlyPaths=/run/world-resolv:/etc/resolv.conf)
carried_start
PROPERTIES=()
uplink_fallback
MORE+=(--unprivileged-clients)
