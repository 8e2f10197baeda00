# SPDX-License-Identifier: LGPL-2.1-or-later
# The default route leads to the host, with the tunnel up.
# leak: L1
# kind: egress
# wants: failed leak same-address
tunnel_world
ip -n vpn route replace default via 10.77.0.1 dev eth0
