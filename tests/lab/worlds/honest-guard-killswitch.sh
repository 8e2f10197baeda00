# SPDX-License-Identifier: LGPL-2.1-or-later
# The kill rule alone, with routes past the tunnel behind those through it: nothing gets out, not even to the next machine.
# leak: L6 L7 L11 L12 L13
# kind: killswitch
# wants: passed - closed
# says: works again$
carried_world
nft_in vpn 'flush ruleset'
uplink_fallback
guard_load
MORE+=(--unprivileged-clients)
