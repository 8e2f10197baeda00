# SPDX-License-Identifier: LGPL-2.1-or-later
# No rule, and the container network's default route waits behind the tunnel's.
# leak: L6
# kind: killswitch
# wants: failed leak leak
carried_world
nft_in vpn 'flush ruleset'
uplink_fallback
MORE+=(--unprivileged-clients)
