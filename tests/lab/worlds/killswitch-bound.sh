# SPDX-License-Identifier: LGPL-2.1-or-later
# A port is open on the uplink; routes do not lead there, binding to the link does.
# leak: L11
# kind: killswitch
# wants: failed leak leak
# says: device-
carried_world
uplink_rule oifname eth0 udp dport 3478 accept
