# SPDX-License-Identifier: LGPL-2.1-or-later
# The provider's resolver, through the tunnel.
# leak: L3
# kind: dns
# wants: passed - through-tunnel
tunnel_world
resolver prov 10.8.0.1 53
resolv_client 10.8.0.1
