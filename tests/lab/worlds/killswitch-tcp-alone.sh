# SPDX-License-Identifier: LGPL-2.1-or-later
# The rules close TCP and nothing else.
# leak: L6 L22
# kind: killswitch
# wants: failed leak leak
# says: udp|ping
carried_world
uplink_rule meta l4proto != tcp accept
uplink_fallback
MORE+=(--unprivileged-clients)
