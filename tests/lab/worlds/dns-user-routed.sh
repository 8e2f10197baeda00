# SPDX-License-Identifier: LGPL-2.1-or-later
# A rule for the client's user alone.
# leak: L3
# kind: dns
# wants: failed leak resolver-beside
tunnel_world
PROPERTIES=(-p User=client)
resolv_client 10.8.0.1
way_beside
ip -n vpn rule add uidrange 4242-4242 lookup 77
