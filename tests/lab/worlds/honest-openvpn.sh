# SPDX-License-Identifier: LGPL-2.1-or-later
# OpenVPN, real, with the kill rule: everything is pushed into the tunnel.
# leak: L1 L2 L22
# kind: egress
# wants: passed - through-tunnel
openvpn_world
