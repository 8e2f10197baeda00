# SPDX-License-Identifier: LGPL-2.1-or-later
# TCP and UDP come out at two addresses, both of the provider.
# leak: L22
# kind: egress
# wants: passed - through-tunnel
tunnel_world
nft_in inet 'table ip d { chain in { type nat hook input priority 100;
        ip saddr 203.0.113.9 udp dport 3478 snat to 203.0.113.77; }; }'
