# SPDX-License-Identifier: LGPL-2.1-or-later
# OpenVPN, real, and no rule but ours.
# leak: L6 L7 L8
# kind: killswitch
# wants: passed - closed
openvpn_world
