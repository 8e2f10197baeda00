# SPDX-License-Identifier: LGPL-2.1-or-later
# Egress was proved in another namespace than the tunnel's of now: the record says another cookie.
# leak: L16 L25
# kind: binding
# wants: failed -
# says: proved in another network namespace
client_world
sed -i 's/"netns_cookie": \([0-9]*\)/"netns_cookie": 1\1/' $RECORDS/egress-torrent.json
