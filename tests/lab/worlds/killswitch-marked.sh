# SPDX-License-Identifier: LGPL-2.1-or-later
# The kill switch lets out what has the tunnel's mark, and so may whoever can mark.
# leak: L12
# kind: killswitch
# wants: failed leak leak
# says: mark-
carried_world
uplink_rule meta mark 51820 accept
way_beside
ip -n vpn rule add fwmark 51820 lookup 77 priority 50
