# SPDX-License-Identifier: LGPL-2.1-or-later
# Rules for packets, none for frames: a packet socket goes past them.
# leak: L13
# kind: killswitch
# wants: failed leak leak
# says: frame
carried_world
nft_in vpn 'delete table netdev kill'
