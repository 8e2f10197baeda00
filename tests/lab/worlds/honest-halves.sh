# SPDX-License-Identifier: LGPL-2.1-or-later
# As OpenVPN's def1 does it: two halves by the tunnel, and the container network's default route below them.
# leak: L1
# kind: egress
# wants: passed - through-tunnel
tunnel_world
ip -n vpn route replace default via 10.77.0.1 dev eth0
ip -n vpn route add 0.0.0.0/1 dev tun0
ip -n vpn route add 128.0.0.0/1 dev tun0
