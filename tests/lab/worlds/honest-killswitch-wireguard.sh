# SPDX-License-Identifier: LGPL-2.1-or-later
# WireGuard, real, with the same rules.
# leak: L6 L8
# kind: killswitch
# wants: passed - closed
wireguard_world
uplink_rules wg0
