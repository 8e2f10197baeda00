# SPDX-License-Identifier: LGPL-2.1-or-later
# The same, for a client that may send frames.
# leak: L13
# kind: killswitch
# wants: passed - closed
carried_world
nft_in vpn 'flush ruleset'
guard_load
