# SPDX-License-Identifier: LGPL-2.1-or-later
# A link that came after the kill rule: packets are stopped there, frames are not; no client can send one.
# leak: L13
# kind: killswitch
# wants: failed - kill-rule
# says: frame
carried_world
nft_in vpn 'flush ruleset'
guard_load
ip link add v1 type veth peer name eth1 netns vpn
ip link set v1 up
ip -n vpn link set eth1 up
address vpn eth1 10.78.0.2/24
MORE+=(--unprivileged-clients)
