# SPDX-License-Identifier: LGPL-2.1-or-later
# The client asks the resolver of its container network, which is the host's.
# leak: L3
# kind: dns
# wants: failed leak resolver-beside
tunnel_world
resolv_client 10.77.0.1
