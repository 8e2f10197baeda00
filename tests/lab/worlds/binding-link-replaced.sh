# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel is taken from its network and connected to another one, by a link of the same name.
# leak: L1 L24
# kind: binding
# wants: failed -
# says: the link eth0 .* was not there when egress was proved
client_world
ip link del v0
ip link add v0 type veth peer name eth0 netns vpn
ip link set v0 up
ip -n vpn link set eth0 up
address vpn eth0 10.79.0.2/24
