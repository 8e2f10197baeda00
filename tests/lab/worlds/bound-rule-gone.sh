# SPDX-License-Identifier: LGPL-2.1-or-later
# Between the proof of egress and the client's first instruction the tunnel has removed the kill rule.
# leak: L9
# kind: bound
# wants: failed -
# says: the kill rule .* is gone
tunnel_world
guard_load
client_start
prove_first egress
nft_in vpn 'delete table inet unitproof'
