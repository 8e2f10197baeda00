# SPDX-License-Identifier: LGPL-2.1-or-later
# The same, and no echo server has an IPv6 address.
# leak: L2
# kind: egress
# wants: failed leak open-way
tunnel_world
address vpn eth0 fd00:77::2/64
ip -n vpn -6 route replace default via fd00:77::1 dev eth0
SOURCES=(--echo "$ECHO4" --stun "$STUN4")
