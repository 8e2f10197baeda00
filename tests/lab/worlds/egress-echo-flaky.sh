# SPDX-License-Identifier: LGPL-2.1-or-later
# The one echo server answers the host only once: the silence inside proves nothing.
# leak: L25
# kind: egress
# wants: unproven - control-lost
tunnel_world
ip -n vpn route del default
ip -n vpn -6 route del default
nft_in inet 'table ip f { chain i { type filter hook input priority 0; tcp flags syn limit rate over 1/minute burst 1 packets drop; }; }'
SOURCES=(--echo "$ECHO4")
RETRY=0
