# SPDX-License-Identifier: LGPL-2.1-or-later
# It would be in a namespace of its own.
# leak: L16
# kind: bound
# wants: failed -
# says: would run in another network namespace
client_world
ip netns add other
restart torrent.service other sleep 1000
