# SPDX-License-Identifier: LGPL-2.1-or-later
# IPv6 leaves at another address of the host's own /64: privacy addresses differ and are the host's.
# leak: L2
# kind: egress
# wants: failed leak same-address
tunnel_world
nft_in inet 'table ip6 home { chain in { type nat hook input priority 90;
        ip6 saddr 2001:db8:9::9 snat to 2001:db8:1::beef; }; }'
