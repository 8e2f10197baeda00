# SPDX-License-Identifier: LGPL-2.1-or-later
# The tunnel has put a rule of its own into the kill rule.
# leak: L9
# kind: egress
# wants: failed - kill-rule
# says: is not as it was loaded
tunnel_world
guard_load
nft_in vpn 'insert rule inet unitproof sent udp dport 6881 accept'
RETRY=1
