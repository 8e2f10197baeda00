# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel has removed one table of the kill rule.
# leak: L9
# kind: egress
# wants: failed - kill-rule
# says: is gone
tunnel_world
guard_load
nft_in vpn 'delete table netdev unitproof'
RETRY=1
