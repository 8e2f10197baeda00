# SPDX-License-Identifier: LGPL-2.1-or-later
# One of the two echo servers is down, for everybody.
# leak: L25
# kind: egress
# wants: passed - through-tunnel
tunnel_world
nft_in inet 'table ip f { chain i { type filter hook input priority 0; ip daddr 198.51.100.11 drop; }; }'
