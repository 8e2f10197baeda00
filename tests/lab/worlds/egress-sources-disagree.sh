# SPDX-License-Identifier: LGPL-2.1-or-later
# Two servers see the same tunnel at two addresses; none is picked.
# leak: L22 L25
# kind: egress
# wants: unproven - sources-disagree
tunnel_world
nft_in inet 'table ip d { chain i { type nat hook input priority 100;
        ip saddr 203.0.113.9 ip daddr 198.51.100.11 snat to 203.0.113.77; }; }'
