# SPDX-License-Identifier: LGPL-2.1-or-later
# All ports of the VPN server's address are open, not the tunnel's alone (Port Fail, TunnelCrack's ServerIP).
# leak: L17
# kind: killswitch
# wants: failed leak leak
# says: endpoint-
carried_world
uplink_rule ip daddr 203.0.113.9 accept
MORE+=(--unprivileged-clients)
