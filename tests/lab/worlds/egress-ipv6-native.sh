# SPDX-License-Identifier: LGPL-2.1-or-later
# IPv4 by the tunnel, IPv6 as the container network has it.
# leak: L2
# kind: egress
# wants: failed leak same-address
tunnel_world
address vpn eth0 fd00:77::2/64
ip -n vpn -6 route replace default via fd00:77::1 dev eth0
