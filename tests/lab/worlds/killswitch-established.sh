# SPDX-License-Identifier: LGPL-2.1-or-later
# The rules accept what is established ahead of looking at the link: new connections are closed, the old ones go on in clear.
# leak: L7
# kind: killswitch
# wants: failed leak leak
# says: flow-
carried_world
uplink_rule ct state established accept
uplink_fallback
MORE+=(--unprivileged-clients)
