# SPDX-License-Identifier: LGPL-2.1-or-later
# The same while the client runs.
# leak: L9
# kind: binding
# wants: failed -
# says: the kill rule .* is gone
tunnel_world
guard_load
client_start
prove_first egress
nft_in vpn 'delete table netdev unitproof'
