# SPDX-License-Identifier: LGPL-2.1-or-later
# The first process of the client's container would be in the host's network.
# leak: L16
# kind: bound
# wants: failed -
# says: would run in the host's network namespace
client_world
restart torrent.service host sleep 1000
