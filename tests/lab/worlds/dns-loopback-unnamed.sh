# SPDX-License-Identifier: LGPL-2.1-or-later
# An engine's resolver on the loopback, which no file names and every program may ask.
# leak: L3
# kind: dns
# wants: failed leak resolver-outside
tunnel_world
resolv_client 10.8.0.1
resolver vpn 127.0.0.11 53
