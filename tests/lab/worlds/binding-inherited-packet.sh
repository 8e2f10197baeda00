# SPDX-License-Identifier: LGPL-2.1-or-later
# A packet socket of the host's network: frames out of any of its links.
# leak: L13 L14
# kind: binding
# wants: failed leak
# says: socket of another network namespace
client_world
join torrent.service host "$TOOLS/odd" socket 17 3 /run/netns/vpn sleep 1000
