# SPDX-License-Identifier: LGPL-2.1-or-later
# A client with sockets of its own namespace, local ones and netlink.
# leak: L14
# kind: binding
# wants: passed
client_world
join torrent.service vpn "$TOOLS/odd" socket 2 2 /run/netns/vpn sleep 1000
join torrent.service vpn "$TOOLS/odd" socket 1 1 /run/netns/vpn sleep 1000
join torrent.service vpn "$TOOLS/odd" socket 16 3 /run/netns/vpn sleep 1000
