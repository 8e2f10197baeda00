# SPDX-License-Identifier: LGPL-2.1-or-later
# One process of the client runs in a namespace that is neither the host's nor the tunnel's.
# leak: L16
# kind: binding
# wants: failed leak
# says: runs in another network namespace
client_world
ip netns add other
join torrent.service other sleep 1000
