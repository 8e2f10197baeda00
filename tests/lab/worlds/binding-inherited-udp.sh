# SPDX-License-Identifier: LGPL-2.1-or-later
# A UDP socket of the host's network: it sends anywhere.
# leak: L14
# kind: binding
# wants: failed leak
# says: socket of another network namespace
client_world
join torrent.service host "$TOOLS/odd" socket 10 2 /run/netns/vpn sleep 1000
