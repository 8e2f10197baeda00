# SPDX-License-Identifier: LGPL-2.1-or-later
# A client behind OpenVPN.
# leak: L16
# kind: binding
# wants: passed
openvpn_world
client_start
prove_first egress
