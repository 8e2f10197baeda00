# SPDX-License-Identifier: LGPL-2.1-or-later
# The same where egress is off: the namespace is compared all the same.
# leak: L16
# kind: bound
# wants: failed -
# says: would run in another network namespace
client_world
ip netns add other
restart torrent.service other sleep 1000
EGRESS=off
