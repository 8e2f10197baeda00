# SPDX-License-Identifier: LGPL-2.1-or-later
# The exit is in the host's own /24: another customer of the same place.
# leak: L1
# kind: egress
# wants: passed - through-tunnel
tunnel_world
nft_in inet 'table ip d { chain in { type nat hook input priority 100; ip saddr 203.0.113.9 snat to 192.0.2.99; }; }'
