# SPDX-License-Identifier: LGPL-2.1-or-later
# Who answers on the namespace's loopback is a process of the host, as an engine's resolver is.
# leak: L3
# kind: dns
# wants: failed leak resolver-outside
tunnel_world
resolv_client 127.0.0.11
resolver vpn 127.0.0.11 53
