# SPDX-License-Identifier: LGPL-2.1-or-later
# The rules hold for root and not for the client's user.
# leak: L6
# kind: killswitch
# wants: failed leak leak
carried_world
uplink_rule meta skuid 65534 accept
uplink_fallback
MORE+=(--unprivileged-clients)
