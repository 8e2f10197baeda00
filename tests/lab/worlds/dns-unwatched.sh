# SPDX-License-Identifier: LGPL-2.1-or-later
# The loopback is down, so that nothing shows that a question which leaves would be seen.
# leak: L25
# kind: dns
# wants: unproven - control-lost
tunnel_world
resolv_client 10.8.0.1
ip -n vpn link set lo down
