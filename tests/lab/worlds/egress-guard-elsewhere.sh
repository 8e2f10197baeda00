# SPDX-License-Identifier: LGPL-2.1-or-later
# The kill rule was loaded in a namespace that is not the one in which the tunnel now runs.
# leak: L9 L16
# kind: egress
# wants: failed - kill-rule
# says: another network namespace
tunnel_world
ip netns add other
guard_load other
RETRY=1
