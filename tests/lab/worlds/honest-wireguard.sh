# SPDX-License-Identifier: LGPL-2.1-or-later
# WireGuard, real, with its endpoint reached past the tunnel.
# leak: L1 L2
# kind: egress
# wants: passed - through-tunnel
wireguard_world
