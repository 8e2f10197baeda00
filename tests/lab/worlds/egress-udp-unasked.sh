# SPDX-License-Identifier: LGPL-2.1-or-later
# The same, and there is no STUN server that would tell.
# leak: L22
# kind: egress
# wants: failed leak open-way
tunnel_world
way_beside
ip -n vpn rule add ipproto udp lookup 77
SOURCES=(--echo "$ECHO4" --echo "$ECHO6")
