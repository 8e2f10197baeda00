# SPDX-License-Identifier: LGPL-2.1-or-later
# UDP takes the tunnel, TCP does not, and there is no web server that would tell.
# leak: L22
# kind: egress
# wants: unproven - unclear-way
tunnel_world
way_beside
ip -n vpn rule add ipproto tcp lookup 77
SOURCES=(--stun "$STUN4" --stun "$STUN6")
