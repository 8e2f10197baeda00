# SPDX-License-Identifier: LGPL-2.1-or-later
# The provider changes the exit address while the proof looks.
# leak: L22
# kind: egress
# wants: passed - through-tunnel
tunnel_world
nft_in inet 'table ip r { chain in { type nat hook input priority 100; ip saddr 203.0.113.9 snat to 203.0.113.40; }; }'
background bash -c 'for n in 41 42 43; do sleep 0.1
        nft_in inet "flush chain ip r in; add rule ip r in ip saddr 203.0.113.9 snat to 203.0.113.$n"; done'
