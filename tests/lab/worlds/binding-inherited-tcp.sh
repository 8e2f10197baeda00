# SPDX-License-Identifier: LGPL-2.1-or-later
# A TCP socket that was made in the host's network came along: it can still connect from there.
# leak: L14
# kind: binding
# wants: failed leak
# says: socket of another network namespace
client_world
join torrent.service host "$TOOLS/odd" socket 2 1 /run/netns/vpn sleep 1000
