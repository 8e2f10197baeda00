# SPDX-License-Identifier: LGPL-2.1-or-later
# The same at the port of mDNS.
# leak: L3 L20
# kind: dns
# wants: failed leak neighbour-answers
tunnel_world
resolv_client 10.8.0.1
resolver host 10.77.0.1 5353
