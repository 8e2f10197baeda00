# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel has a resolver of its own on the loopback, as gluetun does.
# leak: L3
# kind: dns
# wants: passed - through-tunnel
tunnel_world
join vpn.service vpn "$TOOLS/odd" resolver /run/netns/vpn 127.0.0.1 53
resolv_client 127.0.0.1
