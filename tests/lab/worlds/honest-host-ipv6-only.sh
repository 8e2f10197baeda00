# SPDX-License-Identifier: LGPL-2.1-or-later
# Nothing but IPv6, on the host and in the tunnel.
# leak: L2
# kind: egress
# wants: passed - through-tunnel
tunnel_world
ip route del default
ip -n vpn route del default
ip -n vpn addr del 10.8.0.2/24 dev tun0
SOURCES=(--echo "$ECHO6" --stun "$STUN6")
