# SPDX-License-Identifier: LGPL-2.1-or-later
# A TAP device, and the operator says that it is the tunnel.
# leak: L1
# kind: egress
# wants: passed - through-tunnel
tunnel_namespace
tunnel_start --tap
tunnel_ready
ip -n vpn route replace default via 10.8.0.1 dev tun0
ip -n vpn -6 route replace default via fd00:8::1 dev tun0
MORE=(--interface tun0)
