# SPDX-License-Identifier: LGPL-2.1-or-later
# The "provider" sends everything out by the host's own address.
# leak: L1
# kind: egress
# wants: failed leak same-address
tunnel_world
nft_in inet 'table ip home { chain in { type nat hook input priority 90; ip saddr 203.0.113.9 snat to 192.0.2.2; }; }'
