# SPDX-License-Identifier: LGPL-2.1-or-later
# The rules let out the user that the client runs as.
# leak: L6
# kind: killswitch
# wants: failed leak leak
# says: user 4242
carried_world
uplink_rule meta skuid 4242 accept
uplink_fallback
MORE+=(--unprivileged-clients --client-user 4242)
