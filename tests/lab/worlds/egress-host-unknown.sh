# SPDX-License-Identifier: LGPL-2.1-or-later
# The host cannot reach the sources, so that its own address is unknown: "differs from the host" would be a guess.
# leak: L25
# kind: egress
# wants: unproven - host-unknown
tunnel_world
nft_in inet 'table ip f { chain i { type filter hook input priority 0; ip saddr 192.0.2.2 drop; }; }'
SOURCES=(--echo "$ECHO4" --stun "$STUN4")
