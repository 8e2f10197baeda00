# SPDX-License-Identifier: LGPL-2.1-or-later
# A "local network" that is none is excepted from the tunnel (TunnelCrack's LocalNet).
# leak: L17
# kind: egress
# wants: failed leak open-way
tunnel_world
ip -n vpn route add 208.0.0.0/8 via 10.77.0.1 dev eth0
