# SPDX-License-Identifier: LGPL-2.1-or-later
# ICMP may leave by any link, so that "the connection can be checked" (binhex).
# leak: L23
# kind: killswitch
# wants: failed leak leak
# says: ping|icmp
carried_world
uplink_rule meta l4proto '{' icmp, icmpv6 '}' accept
uplink_fallback
