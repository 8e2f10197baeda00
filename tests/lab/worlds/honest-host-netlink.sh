# SPDX-License-Identifier: LGPL-2.1-or-later
# A netlink socket of the host came along: it speaks to the kernel alone and sends nothing.
# leak: L14
# kind: binding
# wants: passed
client_world
join torrent.service host "$TOOLS/odd" socket 16 3 /run/netns/vpn sleep 1000
