# SPDX-License-Identifier: LGPL-2.1-or-later
# The interface that is named is another one than the traffic takes.
# leak: L1
# kind: egress
# wants: failed leak other-link
tunnel_world
ip link add other0 netns vpn type veth peer name other1 netns host
ip -n vpn link set other0 up
MORE=(--interface other0)
