# SPDX-License-Identifier: LGPL-2.1-or-later
# The server of OpenVPN pushes no way for everything, so that nothing but its own network goes through it.
# leak: L1
# kind: egress
# wants: failed - past-tunnel
openvpn_world ''
RETRY=2
