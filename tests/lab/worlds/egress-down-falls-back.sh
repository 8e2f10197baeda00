# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel's link is down, and the default route of the container's network takes over.
# leak: L6
# kind: egress
# wants: failed leak same-address
tunnel_world
ip -n vpn route add default via 10.77.0.1 dev eth0 metric 500
ip -n vpn link set tun0 down
