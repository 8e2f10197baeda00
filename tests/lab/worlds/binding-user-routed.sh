# SPDX-License-Identifier: LGPL-2.1-or-later
# A routing rule for the client's user alone: root, who proved egress, does not meet it.
# leak: L1
# kind: binding
# wants: failed leak
# says: user 4242 of the client reaches .* by eth0
tunnel_world
PROPERTIES=(-p User=client)
client_start
PROPERTIES=()
prove_first egress
way_beside
ip -n vpn rule add uidrange 4242-4242 lookup 77
