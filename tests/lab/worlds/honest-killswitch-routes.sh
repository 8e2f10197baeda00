# SPDX-License-Identifier: LGPL-2.1-or-later
# The same with a default route of the container's network waiting behind the tunnel's.
# leak: L6 L7 L8
# kind: killswitch
# wants: passed - closed
carried_world
uplink_fallback
