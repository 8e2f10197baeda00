# SPDX-License-Identifier: LGPL-2.1-or-later
# The engine connects the tunnel to one more network after egress was proved.
# leak: L1 L24
# kind: binding
# wants: failed -
# says: the link eth1 .* was not there when egress was proved
client_world
ip link add v9 type veth peer name eth1 netns vpn
ip link set v9 up
ip -n vpn link set eth1 up
address vpn eth1 10.78.0.2/24
