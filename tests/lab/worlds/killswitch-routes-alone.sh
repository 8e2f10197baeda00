# SPDX-License-Identifier: LGPL-2.1-or-later
# There is no rule at all: with the tunnel down no route is left, but a socket bound to the uplink needs none.
# leak: L11 L24
# kind: killswitch
# wants: failed leak leak
# says: device-|endpoint-
carried_world
nft_in vpn 'flush ruleset'
