# SPDX-License-Identifier: LGPL-2.1-or-later
# ICMP may leave by any link, so that "the connection can be checked" (binhex).
# leak: L23
# kind: killswitch
# wants: failed leak leak
# says: ping|icmp
carried_world
nft_in vpn 'insert rule inet kill output meta l4proto { icmp, icmpv6 } accept'
nft_in vpn 'insert rule netdev kill leaving ip protocol icmp accept'
uplink_fallback
