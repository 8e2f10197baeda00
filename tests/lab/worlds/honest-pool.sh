# SPDX-License-Identifier: LGPL-2.1-or-later
# The host is behind a carrier's pool (CGNAT): each of its connections is seen at another address.
# leak: L1
# kind: egress
# wants: passed - through-tunnel
tunnel_world
nft_in inet 'table ip pool { chain in { type nat hook input priority 100;
        ip saddr 192.0.2.2 tcp sport != 1-32767 snat to 192.0.2.200; ip saddr 192.0.2.2 snat to 192.0.2.201; }; }'
