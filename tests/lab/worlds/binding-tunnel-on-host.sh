# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel itself stands in the host's network, and the client joined it there.
# leak: L16
# kind: binding
# wants: failed leak
# says: runs in the host
client_world
restart vpn.service host sleep 1000
restart torrent.service host sleep 1000
