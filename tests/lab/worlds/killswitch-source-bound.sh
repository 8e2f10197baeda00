# SPDX-License-Identifier: LGPL-2.1-or-later
# A rule for packets that come from the uplink's own address sends them out by it, tunnel or not.
# leak: L11
# kind: killswitch
# wants: failed leak leak
# says: source-|device-
carried_world
uplink_rule ip saddr 10.77.0.2 accept
way_beside
ip -n vpn rule add from 10.77.0.2 lookup 77
MORE+=(--unprivileged-clients)
