# SPDX-License-Identifier: LGPL-2.1-or-later
# One process of the client runs in the host's network.
# leak: L15 L16
# kind: binding
# wants: failed leak
# says: runs in the host's network namespace
client_world
join torrent.service host sleep 1000
